//go:build !linux

package drivers

// whoMay says who may open a device.
func whoMay(string) string { return "this user may not open it" }

// adaptorLatency is not known on this system.
func adaptorLatency(string) (seconds float64, known bool) { return 0, false }
