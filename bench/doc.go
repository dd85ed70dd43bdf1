// Package bench times legctl's kernels, a whole tick and the C twins of both,
// and says how they compare.
//
// Kernels and twins take turns, round by round, so that both see the same
// machine; a result is the least and the median over the rounds, and a ratio is
// taken within one run. The twins under c/ are compiled to a temporary folder
// with "cc -O3 -march=native" where a C compiler is found, and left out where
// none is. "go test -bench . ./bench" runs the same kernels alone.
//
// Targets come from seeded draws or, with Options.Workload, from files of
// little-endian float64: leg3_targets.f64, ten10_targets.f64, *_far.f64,
// *_track.f64 (x, y, z a row; the chain's root is at 0) and feet.f64 (rows of
// the number of feet and 12 x, y pairs, the last of which is the CoM; a file
// with one count at its head is taken too); band_points.f64 (32 rows of x, y),
// band_queries.f64 (rows of x, y) and mix_poses.f64 (4 poses of 67 quaternions
// w, x, y, z).
//
// Times are nanoseconds an operation unless a line says otherwise.
package bench
