// Package record keeps runs as files of byte records: a header that says which
// rig, parameters, terrain, seed and dt, then one record for each tick's inputs
// and output, for each world event, and now and then for the whole state.
//
// A file is
//
//	magic        8 bytes, the last is the version
//	length       4 bytes: of the header
//	header       layout hashes, sizes, dt, seed, then rig, parameters, terrain,
//	             world and names as length-prefixed bytes
//	checksum     4 bytes
//
// and then records until its end:
//
//	length       4 bytes: of the payload
//	tag          1 byte, control.Tag
//	tick         8 bytes
//	payload      what AppendBinary of the tagged type wrote
//	checksum     4 bytes, over all of the record before it
//
// Everything is little-endian. Checksums are CRC-32C. The last record is a
// TagEnd; a file without one was cut, can be read up to the cut, and the reader
// says where that is. Nothing in a file can make a reader panic or take more
// memory than the limits MaxHeader and MaxRecord.
//
// Sources: CRC-32C after RFC 3720, appendix B.4.
package record
