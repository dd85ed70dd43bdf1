package web

import (
	"bytes"
	"compress/gzip"
	"embed"
	"io"
	"io/fs"
	"net/http"
	"path"
	"strings"
)

// dist is what "make build" makes of web/page; only its .gitignore is
// committed, so that the package builds without npm.
//
//go:embed all:dist
var dist embed.FS

// unbuilt is the page of a binary that was built without the bundle.
const unbuilt = `<!doctype html><html lang="en"><meta charset="utf-8"><title>legctl</title>
<style>body{font:16px/1.5 system-ui,sans-serif;max-width:40rem;margin:4rem auto;padding:0 1rem}code{background:#8883;padding:.1em .3em}</style>
<h1>The page is not in this binary</h1>
<p>This legctl was built without its page. Everything else works: the <a href="api/state">HTTP API</a>, MQTT and recordings.</p>
<p>To get the page, build with <code>make build</code> (it needs node and npm, once), or, step by step,
<code>scripts/npm.sh web/page &amp;&amp; node web/page/build.mjs &amp;&amp; go build ./cmd/legctl</code>.</p></html>`

// Built reports whether the page is in this binary; BuildHint says how to get
// it there.
func Built() bool {
	_, err := fs.Stat(dist, "dist/index.html")
	return err == nil
}

// BuildHint is what to tell people when the page is not Built.
const BuildHint = "this binary was built without its page: build it with \"make build\" (node and npm are needed once)"

// assets serves the files of the page.
type assets struct{ built bool }

// types are the kinds of file there may be; anything else is not served.
var types = map[string]string{
	".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
	".svg": "image/svg+xml", ".json": "application/json", ".webmanifest": "application/manifest+json",
}

// ServeHTTP implements http.Handler. Files carry a hash in their name but the
// first, so they may be kept for ever.
func (a assets) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		refuse(w, http.StatusMethodNotAllowed, "want GET")
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = "index.html"
	}
	if !a.built && name == "index.html" {
		w.Header().Set("Content-Type", types[".html"])
		_, _ = w.Write([]byte(unbuilt))
		return
	}
	kind, known := types[path.Ext(name)]
	if !known || !fs.ValidPath(name) || strings.Contains(name, "/.") || name[0] == '.' {
		refuse(w, http.StatusNotFound, "no such page")
		return
	}
	raw, zipped, err := stored(name)
	if err != nil {
		refuse(w, http.StatusNotFound, "no such page")
		return
	}
	w.Header().Set("Content-Type", kind)
	if zipped {
		w.Header().Set("Vary", "Accept-Encoding")
		if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
			w.Header().Set("Content-Encoding", "gzip")
		} else if raw, err = unzip(raw); err != nil {
			refuse(w, http.StatusInternalServerError, "the bundle is damaged")
			return
		}
	}
	w.Header().Set("Cache-Control", "no-cache")
	if name != "index.html" && strings.Count(name, "-") > 0 {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	serveBytes(w, r, raw)
}

// stored returns a file of the bundle; scripts and styles are kept compressed.
func stored(name string) (raw []byte, zipped bool, err error) {
	if raw, err = dist.ReadFile("dist/" + name + ".gz"); err == nil {
		return raw, true, nil
	}
	raw, err = dist.ReadFile("dist/" + name)
	return raw, false, err
}

// unzip is for the few who do not take compressed answers.
func unzip(raw []byte) ([]byte, error) {
	z, err := gzip.NewReader(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}
