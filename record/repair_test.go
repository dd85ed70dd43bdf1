package record_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"legctl/control"
	"legctl/record"

	"github.com/foxglove/mcap/go/mcap"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"
	"pgregory.net/rapid"
)

// long makes a recording of several chunks, a state every tick, with a channel
// for people beside it.
func long(t testing.TB, n int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := record.NewWriter(&b, header())
	if err != nil {
		t.Fatal(err)
	}
	note, err1 := w.Declare(record.Channel{Topic: "/note", Schema: "note", JSON: []byte(`{"type":"object"}`)})
	scene, err2 := w.Declare(record.Channel{Topic: "/still", Schema: "still", JSON: []byte(`{"type":"object"}`), Latest: true})
	if err := errors.Join(err1, err2); err != nil {
		t.Fatal(err)
	}
	f, s := control.NewFrame(twoLegs()), &control.NewStates(twoLegs(), 1)[0]
	for tick := range uint64(n) {
		s.Tick, f.Out.Tick, f.Obs.Q[0] = tick, tick, float64(tick)
		state, _ := s.AppendBinary(nil)
		frame, _ := f.AppendBinary(nil)
		err := w.Put(control.TagState, tick, state)
		if tick%40 == 10 {
			err = errors.Join(err, w.Put(control.TagEvent, tick, fmt.Appendf(nil, "event %d", tick)),
				w.Put(control.TagParams, tick, fmt.Appendf(nil, "\x01%d", tick)))
		}
		if tick%30 == 0 {
			err = errors.Join(err, w.Message(scene, tick, fmt.Appendf(nil, `{"since":%d}`, tick)))
		}
		err = errors.Join(err, w.Message(note, tick, fmt.Appendf(nil, `{"tick":%d}`, tick)), w.Put(control.TagFrame, tick, frame))
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// official reads a file with the library of the format's makers, by the index and
// without it, and returns the messages by topic.
func official(t testing.TB, b []byte) map[string][]string {
	t.Helper()
	var all [2]map[string][]string
	for i, index := range []bool{true, false} {
		all[i] = map[string][]string{}
		r, err := mcap.NewReader(bytes.NewReader(b))
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		it, err := r.Messages(mcap.UsingIndex(index))
		if err != nil {
			t.Fatal(err)
		}
		for {
			_, c, m, err := it.NextInto(nil)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("index %v: %v", index, err)
			}
			all[i][c.Topic] = append(all[i][c.Topic], fmt.Sprintf("%d %q", m.LogTime, m.Data))
		}
	}
	for topic, list := range all[1] {
		if fmt.Sprint(list) != fmt.Sprint(all[0][topic]) {
			t.Fatalf("%s: %d messages by the index, %d without", topic, len(all[0][topic]), len(list))
		}
	}
	return all[0]
}

// repair mends bytes.
func repair(t testing.TB, b []byte) ([]byte, record.Repaired, error) {
	t.Helper()
	var out bytes.Buffer
	done, err := record.Repair(&out, bytes.NewReader(b))
	return out.Bytes(), done, err
}

func TestAnyCutIsRepaired(t *testing.T) {
	whole := long(t, 200)
	all, err := readAll(whole)
	if err != io.EOF {
		t.Fatal(err)
	}
	first := firstChunk(whole)
	headed := first + 9 + int(binary.LittleEndian.Uint64(whole[first+1:])) // the header's chunk ends here
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(headed, len(whole)-1).Draw(rt, "bytes")
		got, done, err := repair(t, whole[:n])
		if err != nil || done.Whole {
			rt.Fatalf("cut at %d: %+v, %v", n, done, err)
		}
		records, end := readAll(got)
		if end != io.EOF || len(records) > len(all) || fmt.Sprint(records) != fmt.Sprint(all[:len(records)]) {
			rt.Fatalf("cut at %d: %d records, %v", n, len(records), end)
		}
		// What was before the cut and whole is there: all but half a second.
		before, _ := readAll(whole[:n])
		if len(before) != len(records) || uint64(len(records)) != done.Records {
			rt.Fatalf("cut at %d: %d records of %d, %+v", n, len(records), len(before), done)
		}
		if n%4 == 0 { // package telemetry/mcap does it for every one
			official(t, got)
		}
		if _, twice, err := repair(t, got); err != nil || !twice.Whole {
			rt.Fatalf("repaired twice: %+v, %v", twice, err)
		}
	})
	for n := range headed {
		if got, _, err := repair(t, whole[:n]); err == nil {
			t.Fatalf("cut at %d, in the header: %d bytes were made of it", n, len(got))
		}
	}
}

func TestABrokenPieceInTheMiddleIsLeftOut(t *testing.T) {
	whole := long(t, 200)
	var chunks []int
	for at := firstChunk(whole); whole[at] != byte(mcap.OpDataEnd); at += 9 + int(binary.LittleEndian.Uint64(whole[at+1:])) {
		if whole[at] == byte(mcap.OpChunk) {
			chunks = append(chunks, at)
		}
	}
	rows := []struct {
		name string
		at   int
		with []byte
		gap  bool
	}{
		{"a byte of a chunk", chunks[3] + 200, []byte{0xff, 0x00}, true},
		{"the length of a chunk", chunks[3] + 1, []byte{0xff, 0xff, 0xff, 0xff}, true},
		{"the kind of a record", chunks[3], []byte{0}, true},
		{"a chunk that claims 1 GB", chunks[3] + 9 + 16, []byte{0, 0, 0, 0x40}, true},
		{"the index", len(whole) - 60, []byte{0xff, 0xff}, false},
	}
	for _, row := range rows {
		b := bytes.Clone(whole)
		copy(b[row.at:], row.with)
		got, done, err := repair(t, b)
		if err != nil || done.Whole || len(done.Faults) == 0 {
			t.Errorf("%s: %+v, %v", row.name, done, err)
			continue
		}
		records, end := readAll(got)
		gaps := 0
		for _, r := range records {
			gaps += b2i(strings.HasPrefix(r, "4 "))
		}
		if end != io.EOF || done.Tick != 199 || (done.Missing > 0) != row.gap || gaps != b2i(row.gap) || done.Missing > 30 {
			t.Errorf("%s: %d records, %d gaps, %v, %+v", row.name, len(records), gaps, end, done)
		}
		official(t, got)
	}
	b := bytes.Clone(whole)
	b[chunks[0]+60] ^= 0xff
	if _, _, err := repair(t, b); err == nil || !strings.Contains(err.Error(), "the header is lost") {
		t.Errorf("a broken header: %v", err)
	}
	if _, _, err := repair(t, []byte("no recording")); !errors.Is(err, record.ErrFormat) {
		t.Errorf("text: %v", err)
	}
}

func TestCut(t *testing.T) {
	whole := long(t, 200)
	rows := []struct {
		first, last uint64
		ticks       uint64
		want        string // topic /still
	}{
		{0, 1 << 40, 200, `{"since":0}`},
		{75, 100, 26, `{"since":60}`},
		{75, 75, 1, `{"since":60}`},
		{199, 500, 1, `{"since":180}`},
	}
	for _, row := range rows {
		from, err := record.NewReader(bytes.NewReader(whole))
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		w, err := record.Cut(&b, from, record.Piece{First: row.first, Last: row.last})
		if err != nil || w.Ticks != row.ticks || w.First != row.first || w.Last != min(row.last, 199) {
			t.Errorf("%d to %d: %+v, %v", row.first, row.last, w, err)
			continue
		}
		got := official(t, b.Bytes())
		if len(got["/note"]) != int(row.ticks) || len(got["/still"]) == 0 || !strings.Contains(got["/still"][0], strings.ReplaceAll(row.want, `"`, `\"`)) {
			t.Errorf("%d to %d: %d notes, still %v", row.first, row.last, len(got["/note"]), got["/still"])
		}
		records, end := readAll(b.Bytes())
		events, params := 0, 0
		for _, r := range records {
			events += b2i(strings.HasPrefix(r, "3 "))
			params += b2i(strings.HasPrefix(r, fmt.Sprintf("%d ", control.TagParams)))
		}
		wantEvents := 0
		for tick := uint64(10); tick <= w.Last; tick += 40 {
			wantEvents++
		}
		if end != io.EOF || events != wantEvents {
			t.Errorf("%d to %d: %d events, want all %d up to its end; %v", row.first, row.last, events, wantEvents, end)
		}
		if before := row.first >= 10; before && params < 1 || row.first == 75 && params > 2 {
			t.Errorf("%d to %d: %d parameters", row.first, row.last, params)
		}
	}
	from, _ := record.NewReader(bytes.NewReader(whole))
	var bare bytes.Buffer
	if _, err := record.Cut(&bare, from, record.Piece{First: 75, Last: 100, Bare: true}); err != nil {
		t.Fatal(err)
	}
	if got := official(t, bare.Bytes()); len(got) != 1 || len(got[record.Topic]) < 52 {
		t.Errorf("the records alone: %d topics, %d records", len(got), len(got[record.Topic]))
	}
	from, _ = record.NewReader(bytes.NewReader(whole))
	if _, err := record.Cut(io.Discard, from, record.Piece{First: 300, Last: 400}); err == nil || !strings.Contains(err.Error(), "no tick from 300 to 400, the last is 199") {
		t.Errorf("beyond the end: %v", err)
	}
	if _, err := record.Cut(io.Discard, from, record.Piece{First: 3, Last: 2}); err == nil {
		t.Error("an end before the start was taken")
	}
}

func TestLook(t *testing.T) {
	b := write(t, 6, header(), func(tick int, f *control.Frame) {
		f.Obs.FellSince = uint32(tick / 3)
		f.Out.AngleLimit = uint64(tick & 1)
		f.Obs.Faults = uint64(tick/5) << 1
		f.Out.Events = control.EventTilt * control.Event(tick&1)
	})
	for _, cut := range []int{0, 1} {
		from, err := record.NewReader(bytes.NewReader(b[:len(b)-cut]))
		if err != nil {
			t.Fatal(err)
		}
		s, err := record.Look(from)
		tilts := uint64(0)
		for i, n := range s.Events {
			if control.Event(1)<<i == control.EventTilt {
				tilts = n
			}
		}
		if err != nil || s.Ticks != 6 || s.Last != 5 || s.Falls != 1 || s.LimitTicks != 3 || s.Faults != 2 || s.FaultTicks != 1 ||
			s.World != 1 || s.States != 2 || tilts != 3 || (s.Cut != nil) != (cut > 0) {
			t.Errorf("%+v, %v", s, err)
		}
	}
}

// TestSchemaOfRecords reads a record with the library of Protocol Buffers and
// the schema that is in the file.
func TestSchemaOfRecords(t *testing.T) {
	r, err := mcap.NewReader(bytes.NewReader(write(t, 2, header(), nil)))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	it, err := r.Messages()
	if err != nil {
		t.Fatal(err)
	}
	for i := range 4 {
		schema, c, m, err := it.NextInto(nil)
		if err != nil || c.MessageEncoding != "protobuf" || schema.Encoding != "protobuf" {
			t.Fatal(err)
		}
		var set descriptorpb.FileDescriptorSet
		if err := proto.Unmarshal(schema.Data, &set); err != nil {
			t.Fatal(err)
		}
		files, err := protodesc.NewFiles(&set)
		if err != nil {
			t.Fatal(err)
		}
		d, err := files.FindDescriptorByName(protoreflect.FullName(schema.Name))
		if err != nil {
			t.Fatal(err)
		}
		msg := dynamicpb.NewMessage(d.(protoreflect.MessageDescriptor))
		if err := proto.Unmarshal(m.Data, msg); err != nil {
			t.Fatal(err)
		}
		get := func(name string) protoreflect.Value {
			return msg.Get(msg.Descriptor().Fields().ByName(protoreflect.Name(name)))
		}
		if tag := get("tag").Uint(); tag != []uint64{0, 2, 1, 1}[i] || get("tick").Uint() != []uint64{0, 0, 0, 1}[i] || len(get("data").Bytes()) < 50 {
			t.Errorf("message %d: tag %d, tick %d, %d bytes", i, tag, get("tick").Uint(), len(get("data").Bytes()))
		}
	}
}
