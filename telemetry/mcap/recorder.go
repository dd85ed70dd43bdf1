package mcap

import (
	"errors"
	"fmt"
	"io"

	"legctl/control"
	"legctl/record"
	"legctl/telemetry/show"
)

// Recorder writes records and what viewers want beside them. It is a loop.Sink.
type Recorder struct {
	w     *record.Writer
	maker *show.Maker
	list  []record.Channel
	o     Options
	err   error // of the messages for viewers; the records go on
	said  bool
}

// Options say what is recorded.
type Options struct {
	show.Options
	// Warn is told, once, when something cannot be written: the disk is full,
	// say. The run goes on without a recorder, and Close returns the error. nil:
	// Put and Flush return it.
	Warn func(error)
}

// Create begins a recording in a new file; one that was there is replaced.
func Create(path string, o Options) (*Recorder, error) {
	w, err := record.Create(path, o.Header)
	if err != nil {
		return nil, err
	}
	return newRecorder(w, o)
}

// New begins a recording in to, which stays the caller's to close.
func New(to io.Writer, o Options) (*Recorder, error) {
	w, err := record.NewWriter(to, o.Header)
	if err != nil {
		return nil, err
	}
	return newRecorder(w, o)
}

func newRecorder(w *record.Writer, o Options) (*Recorder, error) {
	r := &Recorder{w: w, o: o}
	r.maker = show.New(o.Options, r.message)
	for _, c := range r.maker.Channels() {
		d, err := w.Declare(record.Channel{Topic: c.Topic, Schema: c.Schema, JSON: c.JSON, Latest: c.Latest})
		if err != nil {
			return nil, errors.Join(err, w.Close())
		}
		r.list = append(r.list, d)
	}
	return r, nil
}

// message writes a message for viewers.
func (r *Recorder) message(channel int, tick uint64, json []byte) error {
	return r.w.Message(r.list[channel], tick, json)
}

// Put implements loop.Sink. A frame comes behind the messages of its tick, since
// it ends a chunk. A record that viewers cannot be shown is recorded all the
// same.
func (r *Recorder) Put(tag control.Tag, tick uint64, data []byte) error {
	if r.said {
		return nil
	}
	if tag == control.TagFrame {
		return r.warn(errors.Join(r.shown(tag, tick, data), r.w.Put(tag, tick, data)))
	}
	if err := r.w.Put(tag, tick, data); err != nil {
		return r.warn(err)
	}
	return r.warn(r.shown(tag, tick, data))
}

// shown shows a record to viewers. Only an error of the file counts.
func (r *Recorder) shown(tag control.Tag, tick uint64, data []byte) error {
	err := r.maker.Put(tag, tick, data)
	if err == nil || r.w.Err() != nil {
		return r.w.Err()
	}
	if r.err == nil {
		r.err = fmt.Errorf("mcap: tick %d cannot be shown: %w", tick, err)
	}
	return nil
}

// warn tells of the first error, where there is somebody to tell.
func (r *Recorder) warn(err error) error {
	if err == nil || r.o.Warn == nil {
		return err
	}
	if !r.said {
		r.said = true
		r.o.Warn(err)
	}
	return nil
}

// Flush implements loop.Sink.
func (r *Recorder) Flush() error { return r.warn(r.w.Flush()) }

// Close implements loop.Sink.
func (r *Recorder) Close() error { return errors.Join(r.w.Close(), r.err) }
