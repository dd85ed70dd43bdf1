package main

import "net/http"

// mounts returns the handlers of further paths of the page's server, behind its
// guard; opens those that need no token.
func (sh *shell) mounts() map[string]http.Handler { return nil }

func (sh *shell) opens() map[string]http.Handler { return nil }
