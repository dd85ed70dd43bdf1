package mqtt

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"slices"
)

// The journal of a spool: segments of records, and a file that says which was
// confirmed last. A record is
//
//	u32 length of what follows the checksum   u32 CRC-32C of it
//	u64 number   u16 length of the topic   topic   payload
//
// little-endian. A torn record at the end of a segment, as after a power cut, is
// cut off.
const (
	recordHead = 4 + 4 + 8 + 2
	segments   = 8
	segmentExt = ".spool"
	cursorName = "confirmed"
	lockName   = "lock"
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// journal is the disk side of a spool. Its owner locks.
type journal struct {
	dir   string
	most  int // bytes a segment
	lock  *os.File
	mark  *os.File // the cursor
	head  *os.File // the segment that grows; nil: none yet
	size  int
	dirty bool
	done  uint64
	buf   []byte
	names []segment // oldest first, the growing one last
}

// segment is one file and the highest number in it.
type segment struct {
	path string
	last uint64
}

// openJournal opens or begins a journal and returns what is not confirmed and
// the highest number ever given.
func openJournal(dir string, most int) (j *journal, line []record, last uint64, err error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, nil, 0, fmt.Errorf("mqtt: spool: %w", err)
	}
	j = &journal{dir: dir, most: most}
	if j.lock, err = lockFile(filepath.Join(dir, lockName)); err != nil {
		return nil, nil, 0, fmt.Errorf("mqtt: spool %s: another process uses it: %w", dir, err)
	}
	if j.mark, err = os.OpenFile(filepath.Join(dir, cursorName), os.O_CREATE|os.O_RDWR, 0o600); err != nil {
		j.lock.Close()
		return nil, nil, 0, fmt.Errorf("mqtt: spool: %w", err)
	}
	j.done = readCursor(j.mark)
	last = j.done
	paths, err := filepath.Glob(filepath.Join(dir, "*"+segmentExt))
	slices.Sort(paths)
	for _, p := range paths {
		list, bad := readSegment(p)
		err = errors.Join(err, bad)
		top := j.done
		for _, r := range list {
			top = max(top, r.seq)
			if r.seq > j.done {
				line = append(line, r)
			}
		}
		last = max(last, top)
		j.names = append(j.names, segment{p, top})
	}
	if err != nil {
		j.mark.Close()
		j.lock.Close()
		return nil, nil, 0, fmt.Errorf("mqtt: spool: %w", err)
	}
	return j, line, last, nil
}

// append writes a record to the growing segment, or begins a new one and lets
// the oldest go when there are too many.
func (j *journal) append(r *record) error {
	if j.head == nil || j.size > j.most {
		if err := j.roll(r.seq); err != nil {
			return err
		}
	}
	j.buf = appendRecord(j.buf[:0], r)
	n, err := j.head.Write(j.buf)
	j.size += n
	j.dirty = true
	j.names[len(j.names)-1].last = r.seq
	return err
}

func (j *journal) roll(seq uint64) error {
	if j.head != nil {
		if err := errors.Join(j.sync(), j.head.Close()); err != nil {
			return err
		}
	}
	path := filepath.Join(j.dir, fmt.Sprintf("%020d%s", seq, segmentExt))
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	j.head, j.size = f, 0
	j.names = slices.DeleteFunc(j.names, func(s segment) bool { return s.path == path }) // torn at its first record
	j.names = append(j.names, segment{path, seq})
	for len(j.names) > segments+1 {
		os.Remove(j.names[0].path)
		j.names = j.names[1:]
	}
	return nil
}

// confirm remembers the highest confirmed number and removes segments nobody
// needs; empty says that nothing waits.
func (j *journal) confirm(seq uint64, empty bool) error {
	j.done = max(j.done, seq)
	keep := j.names[:0]
	for i, s := range j.names {
		growing := j.head != nil && i == len(j.names)-1
		if s.last <= j.done && (!growing || empty && j.size > j.most) {
			if growing {
				j.head.Close()
				j.head = nil
			}
			os.Remove(s.path)
			continue
		}
		keep = append(keep, s)
	}
	j.names = keep
	_, err := j.mark.WriteAt(fmt.Appendf(nil, cursorForm, j.done, cursorSum(j.done)), 0)
	return err
}

func (j *journal) sync() error {
	if j.head == nil || !j.dirty {
		return nil
	}
	j.dirty = false
	return j.head.Sync()
}

func (j *journal) close() error {
	var err error
	if j.head != nil {
		err = j.head.Close()
	}
	if n := len(j.names); n > 0 && j.names[n-1].last <= j.done {
		for _, s := range j.names { // nothing waits: only the cursor stays
			os.Remove(s.path)
		}
	}
	return errors.Join(err, j.mark.Close(), j.lock.Close())
}

// appendRecord appends the bytes of r.
func appendRecord(dst []byte, r *record) []byte {
	at := len(dst)
	dst = append(dst, 0, 0, 0, 0, 0, 0, 0, 0)
	dst = binary.LittleEndian.AppendUint64(dst, r.seq)
	dst = binary.LittleEndian.AppendUint16(dst, uint16(len(r.topic)))
	dst = append(append(dst, r.topic...), r.body...)
	binary.LittleEndian.PutUint32(dst[at:], uint32(len(dst)-at-8))
	binary.LittleEndian.PutUint32(dst[at+4:], crc32.Checksum(dst[at+8:], castagnoli))
	return dst
}

// readSegment returns the whole records of a segment.
func readSegment(path string) ([]record, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, 1<<30))
	return parseRecords(raw), err
}

// parseRecords reads records until the bytes end or make no sense.
func parseRecords(raw []byte) (list []record) {
	for len(raw) >= recordHead {
		n := int64(binary.LittleEndian.Uint32(raw))
		if n < recordHead-8 || n > int64(len(raw)-8) {
			return list
		}
		body := raw[8 : 8+n]
		t := int64(binary.LittleEndian.Uint16(body[8:]))
		if crc32.Checksum(body, castagnoli) != binary.LittleEndian.Uint32(raw[4:]) || 10+t > n {
			return list
		}
		list = append(list, record{binary.LittleEndian.Uint64(body), string(body[10 : 10+t]), slices.Clone(body[10+t:])})
		raw = raw[8+n:]
	}
	return list
}

// cursorForm is the cursor file: one line of one length, overwritten in one
// write.
const cursorForm = "%020d %08x\n"

// readCursor returns the highest confirmed number; 0 when there is none or the
// file is damaged: then everything is sent again.
func readCursor(f *os.File) uint64 {
	raw := make([]byte, 64)
	k, _ := f.ReadAt(raw, 0)
	var n uint64
	var sum uint32
	if _, err := fmt.Sscanf(string(raw[:k]), "%d %x", &n, &sum); err != nil || sum != cursorSum(n) {
		return 0
	}
	return n
}

func cursorSum(n uint64) uint32 {
	return crc32.Checksum(binary.LittleEndian.AppendUint64(nil, n), castagnoli)
}
