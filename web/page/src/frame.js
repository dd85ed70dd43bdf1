// Reads the binary frames of web/frame.go.

const turn = 2 * Math.PI / 32767;

class Reader {
  constructor(buffer, reach) {
    this.v = new DataView(buffer);
    this.i = 0;
    this.unit = reach / 32767;
  }

  u8() { return this.v.getUint8(this.i++); }
  i8() { return this.v.getInt8(this.i++); }
  u16() { this.i += 2; return this.v.getUint16(this.i - 2, true); }
  i16() { this.i += 2; return this.v.getInt16(this.i - 2, true); }
  u32() { this.i += 4; return this.v.getUint32(this.i - 4, true); }
  f32() { this.i += 4; return this.v.getFloat32(this.i - 4, true); }
  vec() { return [this.f32(), this.f32(), this.f32()]; }
  quat() { const q = [this.i16(), this.i16(), this.i16(), this.i16()]; const n = Math.hypot(...q) || 1; return q.map((x) => x / n); }
  length() { return this.i16() * this.unit; }
  angle() { return this.i16() * turn; }
  point(at) { return [at[0] + this.length(), at[1] + this.length(), at[2] + this.length()]; }
}

const none = (x) => (x < -1e30 ? null : x);

// decode returns a frame, or null for one of another kind or scene.
export function decode(buffer, hello) {
  const r = new Reader(buffer, hello.reach);
  if (r.u8() !== 1) return null;
  const flags = r.u8();
  if (r.u16() !== hello.scene) return null;
  const f = {
    fact: !!(flags & 1), zoned: !!(flags & 2), measured: !!(flags & 4), angled: !!(flags & 8), supported: !!(flags & 16), limp: !!(flags & 32),
    tick: r.u32(), mode: r.u8(), gait: r.u8(), binding: r.u8(), bindLeg: r.i8(),
    p: r.vec(), q: r.quat(), meantP: r.vec(), meantQ: r.quat(),
    wish: r.vec(), twist: r.vec(), real: r.vec(),
    margin: none(r.f32()), energy: none(r.f32()), battery: r.f32(), kept: r.u8() / 255,
    alarms: r.u32(), hottest: r.u8(),
  };
  f.com = r.point(f.p);
  f.force = [r.i8() / 127, r.i8() / 127, r.i8() / 127];
  const legs = r.u8(), joints = r.u16(), ticks = r.u8();
  f.legs = Array.from({ length: legs }, () => {
    const l = { foot: r.point(f.p), target: r.point(f.p) };
    const b = r.u8();
    return Object.assign(l, { stance: !!(b & 1), grounded: !!(b & 2), primary: !!(b & 4), contact: !!(b & 8), fault: !!(b & 16), status: b >> 5 });
  });
  f.wanted = new Float32Array(joints);
  f.angles = new Float32Array(joints);
  f.torque = new Float32Array(joints);
  for (let j = 0; j < joints; j++) {
    f.wanted[j] = r.angle();
    f.angles[j] = r.angle();
    f.torque[j] = r.i16() / 32767;
  }
  const width = Math.ceil(legs / 8);
  f.stances = Array.from({ length: ticks }, () => {
    const row = new Uint8Array(buffer, r.i, width);
    r.i += width;
    return row;
  });
  f.events = r.u32();
  if (f.zoned) zones(f, r);
  return f;
}

function zones(f, r) {
  f.trigger = r.f32();
  f.triggerHalf = r.f32();
  f.comfort = r.f32();
  f.level = [r.angle(), r.angle()];
  f.heading = r.angle();
  for (const l of f.legs) {
    l.rest = r.point(f.p);
    l.scan = r.point(f.p);
    l.reach = r.length();
    l.comfortMid = f.p[2] + r.length();
    l.comfortHalf = r.length();
    const b = r.u8();
    l.uncomfortable = !!(b & 1);
    l.off = !!(b & 2);
  }
}
