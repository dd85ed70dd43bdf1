package web

import (
	"encoding/binary"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"sync"

	"gonum.org/v1/gonum/spatial/r3"
)

// Ground is what a scene stands on, for drawing. It does not change but by
// removed blocks; a server reads it from several goroutines.
type Ground interface {
	Kind() string
	Floor() (z float64, ok bool) // endless level floor, W
	Boxes() []Box
	Cell() float64           // side of a cell of the height field, metres; 0: none
	Corner(i, j int) float64 // its height at i Cell, j Cell
}

// Box is a solid in W, metres, cut to the points p with Plane . p <= Offset; a
// zero plane cuts nothing. Infinite sides are allowed.
type Box struct {
	Min, Max, Plane r3.Vec
	Offset          float64
	Tint            [3]uint8
	Block           int // its number when it can be removed, else -1
	Gone            bool
}

// TileSize is how many cells a side a tile of the height field has.
const TileSize = 32

// tileReach bounds the numbers of tiles that are served.
const tileReach = 1 << 20

// groundMessage describes the ground once.
type groundMessage struct {
	Kind  string    `json:"kind"`
	Floor *float64  `json:"floor"`
	Cell  float64   `json:"cell"`
	Tile  int       `json:"tile"`
	Boxes []boxForm `json:"boxes"`
}

// boxForm is a Box as JSON; endless sides are cut at endless.
type boxForm struct {
	Min   [3]float64  `json:"min"`
	Max   [3]float64  `json:"max"`
	Plane *[4]float64 `json:"plane,omitempty"`
	Tint  string      `json:"tint"`
	Block int         `json:"block"`
	Gone  bool        `json:"gone,omitempty"`
}

// endless is what an infinite side is drawn as, metres times the size of a rig.
const endless = 400

// removed are the blocks taken away since the scene began.
type removed struct {
	mu   sync.Mutex
	gone map[int]bool
}

// remove notes a block.
func (sc *Scene) remove(block int) {
	sc.removed.mu.Lock()
	defer sc.removed.mu.Unlock()
	if sc.removed.gone == nil {
		sc.removed.gone = map[int]bool{}
	}
	sc.removed.gone[block] = true
}

// ground describes the ground as it is now.
func (sc *Scene) ground() *groundMessage {
	if sc.Ground == nil {
		return nil
	}
	m := &groundMessage{Kind: sc.Ground.Kind(), Cell: sc.Ground.Cell(), Tile: TileSize, Boxes: []boxForm{}}
	if z, ok := sc.Ground.Floor(); ok {
		m.Floor = &z
	}
	far := endless * max(sc.Rig.L(), 0.01)
	sc.removed.mu.Lock()
	defer sc.removed.mu.Unlock()
	for _, b := range sc.Ground.Boxes() {
		f := boxForm{Min: cut(b.Min, far), Max: cut(b.Max, far), Block: b.Block, Gone: b.Gone || b.Block >= 0 && sc.removed.gone[b.Block]}
		f.Tint = fmt.Sprintf("#%02x%02x%02x", b.Tint[0], b.Tint[1], b.Tint[2])
		if b.Plane != (r3.Vec{}) {
			f.Plane = &[4]float64{b.Plane.X, b.Plane.Y, b.Plane.Z, b.Offset}
		}
		m.Boxes = append(m.Boxes, f)
	}
	return m
}

// cut brings infinite coordinates within far.
func cut(v r3.Vec, far float64) [3]float64 {
	c := func(x float64) float64 { return min(max(x, -far), far) }
	return [3]float64{c(v.X), c(v.Y), c(v.Z)}
}

// tile serves a tile of the height field: (TileSize+1)^2 heights in float32,
// metres, rows along x first.
func (s *Server) tile(w http.ResponseWriter, r *http.Request) {
	sc := s.scene.Load()
	if sc == nil || sc.Ground == nil || sc.Ground.Cell() == 0 {
		refuse(w, http.StatusNotFound, "this ground has no height field")
		return
	}
	i, errI := strconv.Atoi(r.URL.Query().Get("i"))
	j, errJ := strconv.Atoi(r.URL.Query().Get("j"))
	if errI != nil || errJ != nil || max(i, -i) > tileReach || max(j, -j) > tileReach {
		refuse(w, http.StatusBadRequest, fmt.Sprintf("tile: want i and j, whole numbers within %d", tileReach))
		return
	}
	raw := make([]byte, 0, (TileSize+1)*(TileSize+1)*4)
	for y := range TileSize + 1 {
		for x := range TileSize + 1 {
			h := sc.Ground.Corner(i*TileSize+x, j*TileSize+y)
			raw = binary.LittleEndian.AppendUint32(raw, math.Float32bits(float32(h)))
		}
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Cache-Control", "no-store")
	serveBytes(w, r, raw)
}
