package web

import "reflect"

// Types returns the types behind the HTTP API, by what they are: "rig",
// "terrain", "parameters", "tune" and "refusal". Documents are made from
// them; bodies not named here are those of package telemetry.
func Types() map[string]reflect.Type {
	return map[string]reflect.Type{
		"rig":        reflect.TypeFor[rigForm](),
		"terrain":    reflect.TypeFor[groundMessage](),
		"parameters": reflect.TypeFor[[]Param](),
		"tune":       reflect.TypeFor[tuneBody](),
		"refusal":    reflect.TypeFor[refusalBody](),
	}
}

// tuneBody is the body of an order to change parameters.
type tuneBody struct {
	Gait string         `json:"gait" doc:"whose parameters"`
	Set  map[string]any `json:"set" doc:"new values by key, all or none are taken"`
}

// refusalBody is what is said of a request that is not carried out.
type refusalBody struct {
	Error string `json:"error" doc:"why"`
}
