// What the step rules see, drawn over the scene. Colours follow one rule each
// (docs/page.md); sizes are in U, the rig's length unit.
import * as THREE from 'three';
import { mul, about, rotate } from './kinematics.js';

export const colours = {
  gold: '#fcdb4a', iron: '#d6d6d6', cyan: '#17c3d4', red: '#e5382c', black: '#10100f', diamond: '#5fe9dd', lapis: '#2b56c6',
  lime: '#8cd211', emerald: '#19c159', white: '#ffffff',
};

// The toggles: key, what it is called, its first colour.
export const kinds = [
  ['scan', 'Scan bars', 'gold'], ['trigger', 'Trigger zones', 'cyan'], ['comfort', 'Comfort zones', 'cyan'], ['feet', 'Feet', 'diamond'],
  ['targets', 'Targets', 'lime'], ['polygon', 'Support polygon', 'emerald'], ['com', 'Centre of mass', 'lapis'],
  ['force', 'Support force', 'white'], ['axes', 'Preferred axes', 'diamond'], ['direction', 'Body direction', 'emerald'],
];

const cube = new THREE.BoxGeometry(1, 1, 1);
const ring = new THREE.RingGeometry(0.93, 1, 64);
const disc = new THREE.CircleGeometry(1, 48);
const z = new THREE.Vector3(0, 0, 1);
const lift = 0.09; // U

export class Overlays {
  constructor() {
    this.group = new THREE.Group();
    this.on = new Set();
    this.materials = {};
    // The controller may believe in a ground a little below the real one: what
    // lies flat is lifted, and drawn before what is nearly as far.
    const near = { polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -8 };
    for (const [name, c] of Object.entries(colours)) {
      this.materials[name] = new THREE.MeshBasicMaterial({ color: c, toneMapped: false, ...near });
      this.materials[name + '/soft'] = new THREE.MeshBasicMaterial({ color: c, toneMapped: false, transparent: true, opacity: 0.28, side: THREE.DoubleSide, depthWrite: false, ...near });
      this.materials[name + '/line'] = new THREE.MeshBasicMaterial({ color: c, toneMapped: false, transparent: true, opacity: 0.9, side: THREE.DoubleSide, depthWrite: false, ...near });
    }
    this.pools = {};
    this.seen = {}; // colours shown now, by kind: for tests
  }

  set(key, on) { this.on[on ? 'add' : 'delete'](key); }

  // mesh returns the n-th mesh of a kind, made when needed.
  mesh(key, geometry, colour) {
    const pool = (this.pools[key] ||= { list: [], used: 0 });
    let m = pool.list[pool.used];
    if (!m) {
      m = new THREE.Mesh(geometry);
      pool.list.push(m);
      this.group.add(m);
    }
    pool.used++;
    m.geometry = geometry;
    m.material = this.materials[colour];
    m.visible = true;
    m.quaternion.identity();
    (this.seen[key] ||= new Set()).add(colour.split('/')[0]);
    return m;
  }

  box(key, at, side, colour) {
    const m = this.mesh(key, cube, colour);
    m.position.set(...at);
    m.scale.setScalar(side);
  }

  // bar draws a bar from a to b.
  bar(key, a, b, thick, colour) {
    const m = this.mesh(key, cube, colour), d = new THREE.Vector3(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
    const n = d.length();
    if (n < 1e-9) { m.visible = false; return; }
    m.position.set((a[0] + b[0]) / 2, (a[1] + b[1]) / 2, (a[2] + b[2]) / 2);
    m.quaternion.setFromUnitVectors(z, d.divideScalar(n));
    m.scale.set(thick, thick, n);
  }

  disc(key, at, radius, colour, geometry = disc) {
    const m = this.mesh(key, geometry, colour);
    m.position.set(...at);
    m.scale.set(radius, radius, 1);
  }

  // show draws everything that is switched on.
  show(f, u, gallop) {
    for (const p of Object.values(this.pools)) { p.used = 0; for (const m of p.list) m.visible = false; }
    this.seen = {};
    const on = (k) => this.on.has(k);
    for (const l of f.legs) {
      if (f.zoned) this.zones(l, f, u, on);
      if (on('feet')) {
        const c = l.off ? 'black' : l.stance ? 'diamond' : l.contact ? 'lapis' : 'red';
        this.box('feet', l.foot, 0.15 * u, c);
      }
      if (on('targets')) this.box('targets', l.target, 0.2 * u, l.grounded ? 'lime' : 'red');
    }
    if (on('polygon')) this.polygon(f, u);
    if (on('com')) this.box('com', f.com, 0.14 * u, f.angled ? 'red' : 'lapis');
    if (on('force')) this.force(f, u);
    if (on('axes')) this.axes(f, u);
    if (on('direction')) {
      const d = rotate(f.q, [u, 0, 0]);
      this.box('direction', [f.p[0] + d[0], f.p[1] + d[1], f.p[2] + d[2]], 0.1 * u, gallop ? 'red' : 'emerald');
    }
  }

  zones(l, f, u, on) {
    if (on('scan')) this.bar('scan', l.scan, [l.scan[0], l.scan[1], l.scan[2] - l.reach], 0.05 * u, l.primary ? 'gold' : 'iron');
    const colour = l.uncomfortable ? 'red' : 'cyan';
    if (on('trigger')) {
      const plate = Math.max(l.rest[2] - f.triggerHalf, Math.min(l.rest[2] + f.triggerHalf, l.target[2])) + lift * u;
      this.bar('trigger', [l.rest[0], l.rest[1], plate], [l.rest[0], l.rest[1], plate + 0.5 * u], 0.05 * u, colour);
      this.disc('trigger', [l.rest[0], l.rest[1], plate], f.trigger, colour + '/soft');
      this.disc('trigger', [l.rest[0], l.rest[1], plate], f.trigger, colour + '/line', ring);
    }
    if (on('comfort')) {
      const at = Math.max(l.comfortMid - l.comfortHalf, Math.min(l.comfortMid + l.comfortHalf, l.target[2])) + 0.8 * lift * u;
      this.disc('comfort', [l.rest[0], l.rest[1], at], f.comfort, colour + '/soft');
      this.disc('comfort', [l.rest[0], l.rest[1], at], f.comfort, colour + '/line', ring);
    }
  }

  polygon(f, u) {
    const hull = hullOf(f.legs.filter((l) => l.stance).map((l) => l.foot));
    hull.forEach((p, i) => {
      const q = hull[(i + 1) % hull.length];
      if (p !== q) this.bar('polygon', [p[0], p[1], p[2] + lift * u], [q[0], q[1], q[2] + lift * u], 0.05 * u, 'emerald');
    });
  }

  // force draws the line along which the feet push, from the ground through the
  // centre of mass: it leans when that is outside the support polygon.
  force(f, u) {
    const feet = f.legs.filter((l) => l.stance);
    const low = feet.length ? feet.reduce((s, l) => s + l.foot[2], 0) / feet.length : f.com[2] - u;
    const dir = f.supported ? f.force : [0, 0, 1];
    const down = dir[2] > 0.05 ? (f.com[2] - low) / dir[2] : u;
    const from = f.com.map((c, i) => c - dir[i] * down), to = f.com.map((c, i) => c + dir[i] * 0.8 * u);
    this.bar('force', from, f.supported ? to : f.com, 0.035 * u, f.supported ? 'white' : 'black');
  }

  axes(f, u) {
    if (!f.zoned) return;
    const q = mul(mul(about([0, 0, 1], f.heading), about([0, 1, 0], f.level[1])), about([1, 0, 0], f.level[0]));
    for (const [v, n] of [[[1, 0, 0], 2], [[0, -1, 0], 1], [[0, 0, 1], 1]]) {
      const d = rotate(q, v);
      this.bar('axes', f.p, f.p.map((c, i) => c + d[i] * n * u), 0.04 * u, 'diamond');
    }
  }
}

// hullOf returns the corners of the convex hull of points, seen from above.
export function hullOf(pts) {
  if (pts.length < 3) return pts;
  const p = [...pts].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const cross = (o, a, b) => (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);
  const half = (list) => {
    const out = [];
    for (const q of list) {
      while (out.length > 1 && cross(out.at(-2), out.at(-1), q) <= 0) out.pop();
      out.push(q);
    }
    out.pop();
    return out;
  };
  return [...half(p), ...half(p.reverse())];
}
