package record

import (
	"encoding/binary"
	"errors"

	"legctl/control"
)

// A record travels as a message of Protocol Buffers with three fields, so that
// any viewer can at least show it: tag, tick, data. The three keys below are
// field numbers with wire types, and the schema a file carries is the
// FileDescriptorSet of that message, spelled out by the functions beneath.
const (
	keyTag  = 1 << 3 // a varint
	keyTick = 2 << 3
	keyData = 3<<3 | 2 // length-delimited

	schemaName = "legctl.Record"
)

// tagHeader is the tag of the first record: its data is magic and a Header.
const tagHeader control.Tag = 0

// appendWire appends one record as a message.
func appendWire(dst []byte, tag control.Tag, tick uint64, data []byte) []byte {
	dst = binary.AppendUvarint(append(dst, keyTag), uint64(tag))
	dst = binary.AppendUvarint(append(dst, keyTick), tick)
	return appendField(dst, keyData, data)
}

// appendField appends a length-delimited field.
func appendField[T string | []byte](dst []byte, key byte, data T) []byte {
	dst = binary.AppendUvarint(append(dst, key), uint64(len(data)))
	return append(dst, data...)
}

var errWire = errors.New("a message that is no record")

// readWire is the inverse of appendWire. The data is a part of b. Fields may
// come in any order; others than the three are an error.
func readWire(b []byte) (Record, error) {
	var rec Record
	for len(b) > 0 {
		key := b[0]
		v, n := binary.Uvarint(b[1:])
		if n <= 0 {
			return Record{}, errWire
		}
		b = b[1+n:]
		switch key {
		case keyTag:
			if v > 255 {
				return Record{}, errWire
			}
			rec.Tag = control.Tag(v)
		case keyTick:
			rec.Tick = v
		case keyData:
			if v > uint64(len(b)) {
				return Record{}, errWire
			}
			rec.Data, b = b[:v], b[v:]
		default:
			return Record{}, errWire
		}
	}
	return rec, nil
}

// descriptor returns the FileDescriptorSet of the message. Numbers are those of
// descriptor.proto: set.file 1; file.name 1, .package 2, .message_type 4,
// .syntax 12; message.name 1, .field 2; field.name 1, .number 3, .label 4,
// .type 5, .json_name 10. Label 1 is optional; types 4, 13 and 12 are uint64,
// uint32 and bytes.
func descriptor() []byte {
	msg := appendField(nil, 1<<3|2, "Record")
	for _, f := range []struct {
		name         string
		number, kind byte
	}{{"tag", 1, 13}, {"tick", 2, 4}, {"data", 3, 12}} {
		field := appendField(nil, 1<<3|2, f.name)
		field = append(field, 3<<3, f.number, 4<<3, 1, 5<<3, f.kind)
		field = appendField(field, 10<<3|2, f.name)
		msg = appendField(msg, 2<<3|2, field)
	}
	file := appendField(nil, 1<<3|2, "legctl/record.proto")
	file = appendField(file, 2<<3|2, "legctl")
	file = appendField(file, 4<<3|2, msg)
	file = appendField(file, 12<<3|2, "proto3")
	return appendField(nil, 1<<3|2, file)
}
