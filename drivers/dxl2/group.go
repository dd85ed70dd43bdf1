package dxl2

import "legctl/drivers/servo"

// Span is a part of one servo's register table.
type Span struct {
	ID   byte
	Addr uint16
	Len  uint16
}

// AppendSyncWrite writes size registers from addr of every servo in ids; data
// holds their bytes one servo after the other. Nobody answers.
func AppendSyncWrite(dst []byte, addr uint16, size int, ids, data []byte) ([]byte, error) {
	if err := span(addr, size); err != nil {
		return dst, err
	}
	if err := group(ids, 4+len(ids)*(size+1)); err != nil {
		return dst, err
	}
	if len(data) != len(ids)*size {
		return dst, servo.Refuse("dxl2", "bytes of data", float64(len(data)), "size for each id")
	}
	start := len(dst)
	dst = append(open(dst, servo.Broadcast, instSyncWrite), byte(addr), byte(addr>>8), byte(size), byte(size>>8))
	return closeFrame(servo.Interleave(dst, ids, data, size), start), nil
}

// AppendSyncRead asks every servo in ids for n registers from addr; each answers
// with a frame of its own, in that order.
func AppendSyncRead(dst []byte, addr, n uint16, ids []byte) ([]byte, error) {
	return syncRead(dst, instSyncRead, addr, n, ids)
}

// AppendFastSyncRead asks the same; the servos answer with one merged frame.
// Needs firmware that knows it (X430 and X540 from 45, X330 from 46).
func AppendFastSyncRead(dst []byte, addr, n uint16, ids []byte) ([]byte, error) {
	return syncRead(dst, instFastSyncRead, addr, n, ids)
}

func syncRead(dst []byte, inst byte, addr, n uint16, ids []byte) ([]byte, error) {
	if err := span(addr, int(n)); err != nil {
		return dst, err
	}
	if err := group(ids, 4+len(ids)); err != nil {
		return dst, err
	}
	start := len(dst)
	dst = append(open(dst, servo.Broadcast, inst), byte(addr), byte(addr>>8), byte(n), byte(n>>8))
	return closeFrame(append(dst, ids...), start), nil
}

// AppendBulkRead asks several servos for different registers; each answers with
// a frame of its own, in that order.
func AppendBulkRead(dst []byte, spans []Span) ([]byte, error) {
	return bulk(dst, instBulkRead, spans, nil)
}

// AppendFastBulkRead asks the same; the servos answer with one merged frame.
func AppendFastBulkRead(dst []byte, spans []Span) ([]byte, error) {
	return bulk(dst, instFastBulkRead, spans, nil)
}

// AppendBulkWrite writes different registers of several servos; data holds the
// bytes of all spans in their order. Nobody answers.
func AppendBulkWrite(dst []byte, spans []Span, data []byte) ([]byte, error) {
	n := 0
	for _, s := range spans {
		n += int(s.Len)
	}
	if n != len(data) {
		return dst, servo.Refuse("dxl2", "bytes of data", float64(len(data)), "the sum of the lengths")
	}
	return bulk(dst, instBulkWrite, spans, data)
}

func bulk(dst []byte, inst byte, spans []Span, data []byte) ([]byte, error) {
	if n := 5*len(spans) + len(data); n == 0 || n > MaxParams {
		return dst, servo.Refuse("dxl2", "servos in a group", float64(len(spans)), "at least one, at most 4096 parameters in all")
	}
	var seen servo.IDs
	start := len(dst)
	out := open(dst, servo.Broadcast, inst)
	for _, s := range spans {
		if err := span(s.Addr, int(s.Len)); err != nil {
			return dst, err
		}
		if s.ID > MaxID || !seen.Add(s.ID) {
			return dst, servo.Refuse("dxl2", "id", float64(s.ID), "0 to 252, once")
		}
		out = append(out, s.ID, byte(s.Addr), byte(s.Addr>>8), byte(s.Len), byte(s.Len>>8))
		if data != nil {
			out, data = append(out, data[:s.Len]...), data[s.Len:]
		}
	}
	return closeFrame(out, start), nil
}
