// Package estimate works out what a rig's sensors say about its motion: attitude
// from an IMU, contact of each foot, slip, odometry from the standing feet, the
// plane they stand on, and whether the body is falling.
//
// Everything here is a plain value with an Update: state in, numbers in, facts
// out. Nothing allocates, keeps a pointer or knows the time; dt is a parameter,
// seconds. A first-order filter of time constant T moves by dt/(T+dt) of the way
// each tick, which is the backward Euler step and needs no exponential; it is
// exp(-dt/T) to within dt/T squared over two.
//
// A sensor that falls silent, leaves its range, is not finite or is noisier than
// its bound is dropped with a reason, and taken back when it has been good for a
// while.
//
// Frames: S is the sensor, B the body, W the world, z up. A gyro and an
// accelerometer give rad/s and m/s2; the accelerometer gives specific force, so
// that it reads +g along the vertical at rest.
//
// Sources: the attitude filter is the passive complementary filter of Mahony,
// Hamel and Pflimlin (2008) without its magnetometer; the body twist from the
// feet is the rigid registration of velocities by least squares, reweighted
// after Huber (1964) so that one slipping foot does not drag the others along.
package estimate
