package web

import (
	"crypto/subtle"
	"encoding/json"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"strings"
)

// cookieName holds the token in a browser.
const cookieName = "legctl_token"

// guard stands before every handler.
type guard struct {
	token    string // "" = nobody is asked
	loopback bool
	open     map[string]http.Handler // paths without a token
}

// wrap returns h behind the guard.
func (g *guard) wrap(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		secure(w.Header())
		switch {
		case !g.host(r):
			refuse(w, http.StatusMisdirectedRequest, "unknown host "+clip(r.Host)+": open the page by the address legctl printed")
		case !sameOrigin(r):
			refuse(w, http.StatusForbidden, "pages of another origin are refused: "+clip(r.Header.Get("Origin")))
		case g.open[r.URL.Path] != nil:
			g.open[r.URL.Path].ServeHTTP(w, r)
		case g.enters(w, r):
		case !g.known(r):
			w.Header().Set("WWW-Authenticate", `Bearer realm="legctl"`)
			refuse(w, http.StatusUnauthorized, "wrong or missing token: use the address legctl printed, or the header \"Authorization: Bearer TOKEN\"")
		default:
			h.ServeHTTP(w, r)
		}
	})
}

// secure sets the headers of every answer.
func secure(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Content-Security-Policy", "default-src 'self'; connect-src 'self' ws: wss:; img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
}

// host reports whether the request names this machine as it may be named. On
// loopback only loopback names count: a foreign name that resolves to it is a
// page trying to get around its origin.
func (g *guard) host(r *http.Request) bool {
	if !g.loopback {
		return true // the token decides
	}
	host := r.Host
	if h, _, err := net.SplitHostPort(host); err == nil {
		host = h
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(strings.Trim(host, "[]"))
	return ip != nil && ip.IsLoopback()
}

// sameOrigin reports whether the request comes from a page of this server or
// from no page at all.
func sameOrigin(r *http.Request) bool {
	switch r.Header.Get("Sec-Fetch-Site") {
	case "cross-site", "same-site":
		// A link from elsewhere may open the page itself, nothing more.
		return r.Method == http.MethodGet && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.URL.Path == "/"
	}
	origin := r.Header.Get("Origin")
	if origin == "" {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && strings.EqualFold(u.Host, r.Host)
}

// enters takes a token out of the address of the page into a cookie, and sends
// the browser on to the address without it.
func (g *guard) enters(w http.ResponseWriter, r *http.Request) bool {
	if g.token == "" || r.URL.Path != "/" || r.Method != http.MethodGet || !g.same(r.URL.Query().Get("token")) {
		return false
	}
	http.SetCookie(w, &http.Cookie{Name: cookieName, Value: g.token, Path: "/", HttpOnly: true, SameSite: http.SameSiteStrictMode, Secure: r.TLS != nil})
	http.Redirect(w, r, "./", http.StatusSeeOther)
	return true
}

// known reports whether the request carries the token.
func (g *guard) known(r *http.Request) bool {
	if g.token == "" {
		return true
	}
	if t, ok := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer "); ok {
		return g.same(t)
	}
	if c, err := r.Cookie(cookieName); err == nil {
		return g.same(c.Value)
	}
	return r.URL.Path == socketPath && g.same(r.URL.Query().Get("token"))
}

func (g *guard) same(t string) bool {
	return len(t) == len(g.token) && subtle.ConstantTimeCompare([]byte(t), []byte(g.token)) == 1
}

// refuse answers with a reason, as JSON.
func refuse(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": "web: " + why})
}

// clip shortens what strangers sent before it is repeated to anybody.
func clip(s string) string {
	const most = 60
	if len(s) > most {
		s = s[:most] + "..."
	}
	return strings.Map(func(r rune) rune {
		if r < ' ' || r == 0x7f {
			return '?'
		}
		return r
	}, s)
}

// discard is the log of the HTTP server: what strangers do wrong is answered,
// not written down.
func discard() *log.Logger { return log.New(io.Discard, "", 0) }
