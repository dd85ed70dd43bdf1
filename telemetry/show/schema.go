package show

import (
	"encoding/json"
	"reflect"
	"strings"
)

// wellKnown are the names under which viewers know a type.
var wellKnown = map[reflect.Type]string{
	reflect.TypeFor[Time]():            "time",
	reflect.TypeFor[Vector]():          "foxglove.Vector3",
	reflect.TypeFor[Quaternion]():      "foxglove.Quaternion",
	reflect.TypeFor[Pose]():            "foxglove.Pose",
	reflect.TypeFor[Color]():           "foxglove.Color",
	reflect.TypeFor[FrameTransform]():  "foxglove.FrameTransform",
	reflect.TypeFor[FrameTransforms](): "foxglove.FrameTransforms",
	reflect.TypeFor[Log]():             "foxglove.Log",
	reflect.TypeFor[Update]():          "foxglove.SceneUpdate",
	reflect.TypeFor[Deletion]():        "foxglove.SceneEntityDeletion",
	reflect.TypeFor[Entity]():          "foxglove.SceneEntity",
	reflect.TypeFor[KeyValue]():        "foxglove.KeyValuePair",
	reflect.TypeFor[Arrow]():           "foxglove.ArrowPrimitive",
	reflect.TypeFor[Cube]():            "foxglove.CubePrimitive",
	reflect.TypeFor[Sphere]():          "foxglove.SpherePrimitive",
	reflect.TypeFor[Cylinder]():        "foxglove.CylinderPrimitive",
	reflect.TypeFor[Line]():            "foxglove.LinePrimitive",
	reflect.TypeFor[Surface]():         "foxglove.TriangleListPrimitive",
	reflect.TypeFor[Text]():            "foxglove.TextPrimitive",
	reflect.TypeFor[Model]():           "foxglove.ModelPrimitive",
}

// node is a JSON schema.
type node struct {
	Title      string           `json:"title,omitempty"`
	Type       string           `json:"type"`
	Properties map[string]*node `json:"properties,omitempty"`
	Items      *node            `json:"items,omitempty"`
	Minimum    *int             `json:"minimum,omitempty"`
	Required   []string         `json:"required,omitempty"`
}

// schemaOf returns the well-known name and the JSON schema of a message type.
func schemaOf[T any]() (name string, schema []byte) {
	n := nodeOf(reflect.TypeFor[T]())
	b, _ := json.Marshal(n) // plain strings cannot fail
	return n.Title, b
}

// nodeOf returns the schema of a type.
func nodeOf(t reflect.Type) *node {
	switch t.Kind() {
	case reflect.Struct:
		n := &node{Title: wellKnown[t], Type: "object", Properties: map[string]*node{}}
		for i := range t.NumField() {
			name, _, _ := strings.Cut(t.Field(i).Tag.Get("json"), ",")
			n.Properties[name] = nodeOf(t.Field(i).Type)
			n.Required = append(n.Required, name)
		}
		return n
	case reflect.Slice:
		return &node{Type: "array", Items: nodeOf(t.Elem())}
	case reflect.String:
		return &node{Type: "string"}
	case reflect.Bool:
		return &node{Type: "boolean"}
	case reflect.Float64:
		return &node{Type: "number"}
	}
	return &node{Type: "integer", Minimum: new(int)}
}
