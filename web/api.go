package web

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"time"

	"legctl/telemetry"
)

// answerLimit is how long an order over HTTP waits for its tick.
const answerLimit = 2 * time.Second

// routes returns every path there is.
func (s *Server) routes() http.Handler {
	m := http.NewServeMux()
	m.Handle("/", assets{built: Built()})
	m.HandleFunc("GET "+socketPath, s.socket)
	m.HandleFunc("GET /api/state", s.getState)
	m.HandleFunc("GET /api/rig", s.getRig)
	m.HandleFunc("GET /api/terrain", s.getTerrain)
	m.HandleFunc("GET /api/terrain/tile", s.tile)
	m.HandleFunc("GET /api/parameters", s.getParameters)
	m.HandleFunc("GET /api/parameters.yaml", s.getYAML)
	m.HandleFunc("POST /api/parameters", s.postDeed("tune"))
	m.HandleFunc("POST /api/parameters/undo", s.postDeed("undo"))
	m.HandleFunc("POST /api/commands/{topic}", s.postCommand)
	m.HandleFunc("/api/", func(w http.ResponseWriter, r *http.Request) {
		refuse(w, http.StatusNotFound, "no such path in the API: "+clip(r.URL.Path))
	})
	for path, h := range s.opts.Mount {
		m.Handle(path, h)
	}
	return m
}

// serveBytes answers with bytes.
func serveBytes(w http.ResponseWriter, r *http.Request, raw []byte) {
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(raw))
}

// reply answers with JSON.
func reply(w http.ResponseWriter, status int, v any) {
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(v)
}

// shown returns the scene, or answers that there is none.
func (s *Server) shown(w http.ResponseWriter) *Scene {
	sc := s.scene.Load()
	if sc == nil {
		refuse(w, http.StatusServiceUnavailable, "nothing is shown yet")
	}
	return sc
}

func (s *Server) getState(w http.ResponseWriter, _ *http.Request) {
	sc := s.shown(w)
	if sc == nil {
		return
	}
	last := sc.last.Load()
	if last == nil {
		refuse(w, http.StatusServiceUnavailable, "no tick was seen yet")
		return
	}
	reply(w, http.StatusOK, last.state)
}

func (s *Server) getRig(w http.ResponseWriter, _ *http.Request) {
	if sc := s.shown(w); sc != nil {
		reply(w, http.StatusOK, formOf(sc.Rig))
	}
}

func (s *Server) getTerrain(w http.ResponseWriter, _ *http.Request) {
	if sc := s.shown(w); sc != nil {
		reply(w, http.StatusOK, sc.ground())
	}
}

func (s *Server) getParameters(w http.ResponseWriter, r *http.Request) {
	sc := s.shown(w)
	if sc == nil {
		return
	}
	if sc.Tuner == nil {
		refuse(w, http.StatusNotFound, errNoTuner.Error())
		return
	}
	list, err := sc.Tuner.List(r.URL.Query().Get("gait"))
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	reply(w, http.StatusOK, list)
}

func (s *Server) getYAML(w http.ResponseWriter, r *http.Request) {
	sc := s.shown(w)
	if sc == nil {
		return
	}
	if sc.Tuner == nil {
		refuse(w, http.StatusNotFound, errNoTuner.Error())
		return
	}
	gait := r.URL.Query().Get("gait")
	raw, err := sc.Tuner.YAML(gait)
	if err != nil {
		refuse(w, http.StatusBadRequest, err.Error())
		return
	}
	w.Header().Set("Content-Type", "application/yaml")
	w.Header().Set("Content-Disposition", mime.FormatMediaType("attachment", map[string]string{"filename": gait + ".yaml"}))
	serveBytes(w, r, raw)
}

// body reads the JSON of a POST. Other content types are refused: a form of
// another page could send those without being asked.
func body(w http.ResponseWriter, r *http.Request) ([]byte, bool) {
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if kind != "application/json" {
		refuse(w, http.StatusUnsupportedMediaType, "want the header \"Content-Type: application/json\"")
		return nil, false
	}
	raw, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxBody))
	if err != nil {
		refuse(w, http.StatusRequestEntityTooLarge, fmt.Sprintf("at most %d bytes are taken", maxBody))
		return nil, false
	}
	return raw, true
}

// postCommand carries out one order: a topic of package telemetry, or a deed.
func (s *Server) postCommand(w http.ResponseWriter, r *http.Request) {
	topic := r.PathValue("topic")
	if _, ok := deeds[topic]; ok {
		s.postDeed(topic)(w, r)
		return
	}
	sc := s.shown(w)
	raw, ok := []byte(nil), sc != nil
	if ok {
		raw, ok = body(w, r)
	}
	if !ok {
		return
	}
	got := make(chan any, 1)
	s.desk.command(sc, request{Do: topic, With: raw}, nil, func(m *telemetry.Reply) { got <- m })
	s.await(w, r, got)
}

// postDeed carries out an order that is not for the tick.
func (s *Server) postDeed(do string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		sc := s.shown(w)
		raw, ok := []byte(nil), sc != nil
		if ok {
			raw, ok = body(w, r)
		}
		if !ok {
			return
		}
		got := make(chan any, 8)
		v := &viewer{answer: func(m any) {
			select {
			case got <- m:
			default:
			}
		}}
		if len(bytes.TrimSpace(raw)) == 0 {
			raw = nil
		}
		deeds[do](&deed{desk: &s.desk, scene: sc, viewer: v, request: request{Do: do, With: raw}})
		s.await(w, r, got)
	}
}

// await answers with what comes back, if it comes in time.
func (s *Server) await(w http.ResponseWriter, r *http.Request, got <-chan any) {
	limit := time.NewTimer(answerLimit)
	defer limit.Stop()
	select {
	case m := <-got:
		status := http.StatusOK
		if rep := replyOf(m); rep != nil && !rep.Accepted {
			status = http.StatusUnprocessableEntity
			if strings.Contains(rep.Reason, "unknown topic") {
				status = http.StatusNotFound
			}
		}
		reply(w, status, m)
	case <-limit.C:
		refuse(w, http.StatusGatewayTimeout, "no tick answered in time: is time stopped?")
	case <-r.Context().Done():
	case <-s.ctx.Done():
		refuse(w, http.StatusServiceUnavailable, "legctl is ending")
	}
}

func replyOf(m any) *telemetry.Reply {
	switch m := m.(type) {
	case *telemetry.Reply:
		return m
	case answer:
		return m.Reply
	}
	return nil
}
