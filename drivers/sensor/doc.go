// Package sensor reads what a rig carries besides its servos: inertial units,
// battery voltage, foot switches and an emergency stop.
//
// Set polls everything on its own goroutine, because a call on a broken I2C bus
// may hang, and hands the latest facts into a rig.Observation. What is older
// than 50 ms is left out, never replaced by zero: no tilt is not level.
//
// Frames: chips have axes of their own; IMU.Roll, Pitch and Yaw of the rig's
// servos section turn them into B (x forward, y left, z up). Units: rad/s, m/s2,
// volts.
//
// Chips are driven through gobot's I2C connections. Its MPU6050 driver takes
// 2028 counts for 1 g at 16 g where the chip has 2048, and rounds the scale of
// the gyroscope: both are corrected here.
//
// Sources: InvenSense MPU-6000 register map 4.2; Bosch BNO055 data sheet 1.4
// (UART protocol, sections 3.6 and 4.7); Mahony et al. 2008 for the filter.
package sensor
