// Package balance says how safely a rig stands: the support polygon of its
// feet, the static, longitudinal and energy margins of its centre of mass, the
// force the feet can give, how much of a commanded body offset may be had, and
// the roll and pitch that the ground asks for.
//
// Everything is stated in G: the origin of the body with z against gravity,
// metres. Planar points are the x and y of G. Nothing here allocates or keeps
// state; buffers belong to the caller.
//
// Sources: static and longitudinal margin after McGhee and Frank (1968); energy
// margin after Messuri and Klein (1985), normalised after Hirose; the levelling
// after the step rules this project follows, for any leg groups and any dt.
package balance
