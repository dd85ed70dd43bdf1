package clip

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// MaxFile is the largest file that is read, bytes.
const MaxFile = 256 << 20

// Options are what a reader cannot know. The zero value takes files as they
// are.
type Options struct {
	Dir       fs.FS   // where a glTF file's other files lie; nil: none are read
	Scale     float64 // metres in a unit of the file's lengths; 0 = 1
	FrameTime float64 // seconds between frames of a BVH instead of the file's; 0 = the file's
	Skip      int     // frames left out at the beginning of a BVH: a T-pose
}

// Load returns the clips of a file, at least one: glTF and GLB by their
// content, BVH by its first word, robot joint clips by being JSON with frames.
// name is for messages, and names the clip where the file does not. Errors say
// what is wrong and where; nothing a file claims about its size is believed.
func Load(name string, data []byte, o Options) ([]*Clip, error) {
	if len(data) > MaxFile {
		return nil, fmt.Errorf("clip: %s: %d bytes, want at most %d", name, len(data), MaxFile)
	}
	if o.Scale == 0 {
		o.Scale = 1
	}
	if !(o.Scale > 1e-9 && o.Scale < 1e9) || !(o.FrameTime >= 0 && o.FrameTime < MaxTime) || o.Skip < 0 {
		return nil, fmt.Errorf("clip: %s: scale %v, frame time %v s, skip %d, want a scale of 1e-9 to 1e9 and none negative", name, o.Scale, o.FrameTime, o.Skip)
	}
	clips, err := load(name, data, o)
	if err != nil {
		return nil, fmt.Errorf("clip: %s: %w", name, err)
	}
	for _, c := range clips {
		if err := c.Validate(); err != nil {
			return nil, fmt.Errorf("%w (in %s)", err, name)
		}
	}
	return clips, nil
}

func load(name string, data []byte, o Options) ([]*Clip, error) {
	head := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n")
	stem := strings.TrimSuffix(path.Base(strings.ReplaceAll(name, "\\", "/")), path.Ext(name))
	switch {
	case len(head) == 0:
		return nil, fmt.Errorf("empty file")
	case bytes.HasPrefix(data, []byte("glTF")):
		return readGLTF(data, o)
	case head[0] == '{' && bytes.Contains(head, []byte(`"asset"`)) && !bytes.Contains(head, []byte(`"FrameDuration"`)):
		return readGLTF(data, o)
	case head[0] == '{':
		return one(readRobot(stem, head, o))
	case len(head) >= 9 && strings.EqualFold(string(head[:9]), "HIERARCHY"):
		return one(readBVH(stem, data, o))
	}
	return nil, fmt.Errorf("neither glTF, GLB, BVH nor a joint clip: begins with %q", head[:min(len(head), 16)])
}

func one(c *Clip, err error) ([]*Clip, error) {
	if err != nil {
		return nil, err
	}
	return []*Clip{c}, nil
}
