package main

import "fmt"

// hello tells a person what runs and what to try next.
func (s *scene) hello(sh *shell) {
	sc, addr := sh.screen, sh.addr
	p := s.Config.Params
	speed := s.Controller.Allowed(s.gait).Linear[0]
	fmt.Fprintf(sc.w, "%s on %s, gait %s, seed %d, %g ticks a second; MQTT broker at %s\n",
		s.names.Rig, s.Config.Terrain.Kind, s.Config.Gait, s.Config.Seed, 1/p.Dt, addr)
	where := ""
	if sh.noDir != nil {
		where = " --broker " + addr // clients cannot find it by themselves
		fmt.Fprintf(sc.w, "clients do not find the broker by themselves: %v\n", sh.noDir)
	}
	if sh.page != nil {
		fmt.Fprintf(sc.w, "Open %s\n", sh.page.URL())
	}
	fmt.Fprintf(sc.w, "Try in another terminal:\n")
	fmt.Fprintf(sc.w, "  legctl cmd%s twist --vx %.2g --for 10s\n", where, 0.8*speed)
	fmt.Fprintf(sc.w, "  legctl cmd%s goto %.2g %.2g\n", where, 10*speed, 3*speed)
	fmt.Fprintf(sc.w, "  legctl cmd%s gait %s\n", where, s.another())
	fmt.Fprintf(sc.w, "Ctrl-C ends.\n")
}

// another returns the first gait the rig may walk besides the one it begins
// with, or that one if there is no other.
func (s *scene) another() string {
	for i, why := range s.names.Why {
		if why == "" && i != s.gait {
			return s.names.Gaits[i]
		}
	}
	return s.Config.Gait
}
