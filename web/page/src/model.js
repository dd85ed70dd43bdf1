// What the page knows: the scene, the newest frame, what is drawn between two
// frames, and a short history for the charts.
import { decode } from './frame.js';
import { slerp } from './kinematics.js';

export const historySeconds = 30;

export class Model extends EventTarget {
  constructor(link) {
    super();
    this.link = link;
    this.hello = null;
    this.frame = null;
    this.figures = null;
    this.events = [];
    this.off = new Set(); // legs that are switched off, by name
    this.history = emptyHistory();
    link.addEventListener('hello', (e) => this.begin(e.detail));
    link.addEventListener('frame', (e) => this.take(e.detail));
    link.addEventListener('figures', (e) => { this.figures = e.detail; this.late(e.detail); this.emit('figures'); });
    link.addEventListener('event', (e) => { this.events.push(e.detail); if (this.events.length > 500) this.events.shift(); this.emit('event', e.detail); });
  }

  emit(type, detail) { this.dispatchEvent(new CustomEvent(type, { detail })); }

  begin(hello) {
    this.hello = hello;
    this.frame = this.shown = this.before = null;
    this.off.clear();
    this.history = emptyHistory();
    let first = 0;
    for (const l of hello.rig.legs) { l.first = first; first += l.joints.length; }
    this.emit('hello', hello);
  }

  take(buffer) {
    if (!this.hello) return;
    const f = decode(buffer, this.hello);
    if (!f) return;
    const now = performance.now();
    f.time = f.tick * this.hello.dt;
    // What is on the screen now is where the way to the new frame begins.
    this.before = this.at(now) || f;
    this.gap = Math.min(1000, Math.max(20, this.arrived ? now - this.arrived : 50));
    this.span = this.span ? 0.8 * this.span + 0.2 * this.gap : this.gap;
    this.arrived = now;
    this.frame = f;
    if (f.zoned) f.legs.forEach((l, i) => this.off[l.off ? 'add' : 'delete'](this.hello.rig.legs[i].name));
    record(this.history, f, this.hello);
    this.emit('frame', f);
  }

  // at returns what to draw at a moment: between the last frame drawn and the newest.
  at(now) {
    const b = this.frame, a = this.before;
    if (!b || !a) return b;
    const t = Math.min(1, (now - this.arrived) / (1.1 * this.span));
    const lerp = (x, y) => x + t * (y - x);
    const vec = (x, y) => [lerp(x[0], y[0]), lerp(x[1], y[1]), lerp(x[2], y[2])];
    const shown = { ...b, p: vec(a.p, b.p), q: slerp(a.q, b.q, t), com: vec(a.com, b.com), angles: new Float32Array(b.angles.length) };
    for (let i = 0; i < b.angles.length; i++) shown.angles[i] = lerp(a.angles[i], b.angles[i]);
    return shown;
  }

  late(fig) {
    const hst = this.history;
    hst.lateT.push(fig.ticks * (this.hello?.dt || 0.01));
    hst.late50.push(fig.lateness.p50 * 1e3);
    hst.late99.push(fig.lateness.p99 * 1e3);
    hst.work99.push(fig.work.p99 * 1e3);
    trim([hst.lateT, hst.late50, hst.late99, hst.work99], 4 * historySeconds);
  }

  gait() { return this.hello?.gaits[this.frame ? this.frame.gait : 0]; }
  name(table, i) { return this.hello?.names[table][i] ?? '?'; }
}

function emptyHistory() {
  return { t: [], margin: [], wish: [], twist: [], real: [], binding: [], angles: [], speeds: [], torque: [], stances: [], stanceT: [], lateT: [], late50: [], late99: [], work99: [] };
}

function trim(lists, most) {
  const over = lists[0].length - most;
  if (over > 0) for (const l of lists) l.splice(0, over);
}

const flat = (v) => Math.hypot(v[0], v[1]);

function record(hst, f, hello) {
  if (hst.t.length && f.time < hst.t.at(-1)) return;
  const dt = hst.t.length ? f.time - hst.t.at(-1) : 0;
  const prev = hst.angles.at(-1);
  hst.t.push(f.time);
  hst.margin.push(f.margin === null ? null : f.margin * 1e3);
  hst.wish.push(flat(f.wish));
  hst.twist.push(flat(f.twist));
  hst.real.push(flat(f.real));
  hst.binding.push(f.binding);
  hst.angles.push(f.angles);
  hst.speeds.push(prev && dt > 0 ? f.angles.map((a, i) => (a - prev[i]) / dt) : new Float32Array(f.angles.length));
  hst.torque.push(f.torque);
  // Frames repeat the stances of those before, in case one was missed.
  const n = f.stances.length, known = hst.stanceT.at(-1) ?? -1;
  f.stances.forEach((s, i) => {
    const t = f.time - (n - 1 - i) * hello.dt;
    if (t > known + hello.dt / 2) { hst.stances.push(s); hst.stanceT.push(t); }
  });
  trim([hst.t, hst.margin, hst.wish, hst.twist, hst.real, hst.binding, hst.angles, hst.speeds, hst.torque], 20 * historySeconds);
  trim([hst.stances, hst.stanceT], Math.round(historySeconds / hello.dt));
}
