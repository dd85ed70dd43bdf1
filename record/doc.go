// Package record keeps runs as files of byte records: a header that says which
// rig, parameters, terrain, seed and dt, then for each tick the state before it,
// the world events and parameter changes it began with, and the frame of its
// inputs and output.
//
// A file is an MCAP file (mcap.dev), so that it opens in viewers and tools of
// other people. The records are the messages of one channel, Topic; their log
// time is tick x dt. A message is
//
//	message Record { uint32 tag = 1; uint64 tick = 2; bytes data = 3; }
//
// of Protocol Buffers; the tag is a control.Tag and the data what AppendBinary
// of the tagged type wrote, behind its layout hash. The first record has the tag
// 0, and for data eight bytes, the last of which is the version of the format,
// and a Header. Other channels hold messages for people (package
// telemetry/mcap); a reader of records passes over them.
//
// Chunks are packed by zstd, carry a checksum and end with a tick, half a second
// after their first one. A program that is killed loses the chunk it was filling
// and nothing before it. A file that was cut is read up to the cut, the reader
// says where that is, and Repair gives it its index. Nothing in a file can make a
// reader panic or take more memory than a few times the bytes that are there and
// the limits of a chunk.
//
// Sources: the MCAP format specification; Protocol Buffers encoding.
package record
