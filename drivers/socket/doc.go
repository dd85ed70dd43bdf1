// Package socket carries an I2C bus and pins over a Unix socket: a computer board
// that is emulated in one process and used by another. Listen serves one, Dial
// returns one that is used like a board of its own.
//
// A record is two bytes of length, low byte first, and so many bytes. A request is
// an operation, two numbers, two bytes that say how much to read, and data; a
// reply is a status and data, or the reason in words. One request waits at a time,
// each for at most half a second; after one that was not answered the connection
// is thrown away, so that a late reply is never taken for the next one, and the
// next request makes another.
package socket
