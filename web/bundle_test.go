package web

import (
	"io/fs"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// mostBundle is how large scripts and styles may be, compressed.
const mostBundle = 250 << 10

// TestBundleSize holds the page to its budget.
func TestBundleSize(t *testing.T) {
	if !Built() {
		t.Skip("the page is not built (make page)")
	}
	total := int64(0)
	names, err := fs.Glob(dist, "dist/*")
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range names {
		info, err := fs.Stat(dist, n)
		if err != nil {
			t.Fatal(err)
		}
		total += info.Size()
	}
	t.Logf("%.1f kB", float64(total)/1024)
	if total > mostBundle {
		t.Errorf("%d bytes, want at most %d", total, mostBundle)
	}
}

// TestBundleIsServed: with the right kind, compressed and not, to be kept.
func TestBundleIsServed(t *testing.T) {
	if !Built() {
		t.Skip("the page is not built (make page)")
	}
	get := func(path, encoding string) *httptest.ResponseRecorder {
		r := httptest.NewRequest(http.MethodGet, path, nil)
		r.Header.Set("Accept-Encoding", encoding)
		w := httptest.NewRecorder()
		assets{built: true}.ServeHTTP(w, r)
		return w
	}
	page := get("/", "gzip").Body.String()
	for _, kind := range []string{".js", ".css"} {
		i := strings.Index(page, kind+`"`)
		if i < 0 {
			t.Fatalf("no %s in %s", kind, page)
		}
		name := page[strings.LastIndex(page[:i], `"`)+1 : i+len(kind)]
		packed, plain := get("/"+name, "gzip, br"), get("/"+name, "")
		if packed.Header().Get("Content-Encoding") != "gzip" || plain.Header().Get("Content-Encoding") != "" {
			t.Errorf("%s: encodings %v, %v", name, packed.Header(), plain.Header())
		}
		if raw, err := unzip(packed.Body.Bytes()); err != nil || string(raw) != plain.Body.String() || len(raw) < 1000 {
			t.Errorf("%s: %v, %d and %d bytes", name, err, len(raw), plain.Body.Len())
		}
		if !strings.Contains(plain.Header().Get("Cache-Control"), "immutable") || !strings.HasPrefix(plain.Header().Get("Content-Type"), "text/") {
			t.Errorf("%s: %v", name, plain.Header())
		}
	}
}

// TestUnbuilt: a binary without the bundle says how to build it.
func TestUnbuilt(t *testing.T) {
	w := httptest.NewRecorder()
	assets{built: false}.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/", nil))
	if text := w.Body.String(); w.Code != 200 || !strings.Contains(text, "make build") || !strings.Contains(text, "not in this binary") {
		t.Errorf("%d %s", w.Code, text)
	}
	if !strings.Contains(BuildHint, "make build") {
		t.Error(BuildHint)
	}
}
