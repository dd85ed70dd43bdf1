// The charts: margin, speed against what was asked, joints, lateness of the loop.
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { historySeconds } from './model.js';

const seconds = 15;

function colours(el) {
  const css = getComputedStyle(el), v = (n) => css.getPropertyValue(n).trim();
  return { ink: v('--ink-2'), grid: v('--line'), series: [v('--series-1'), v('--series-2'), v('--series-3'), v('--series-4'), v('--series-5'), v('--series-6')] };
}

// Chart wraps one uPlot in an element of its own.
class Chart {
  constructor(el, names, unit, digits = 2) {
    Object.assign(this, { el, names, unit, digits });
  }

  make() {
    const c = colours(this.el), axis = { stroke: c.ink, grid: { stroke: c.grid, width: 1 }, ticks: { show: false }, font: '10px system-ui, sans-serif' };
    this.plot?.destroy();
    this.plot = new uPlot({
      width: this.el.clientWidth || 200, height: this.el.clientHeight || 100, pxAlign: 0,
      padding: [6, 6, 0, 0], cursor: { show: false }, legend: { show: false },
      scales: { x: { time: false }, y: { range: (u, lo, hi) => this.range(lo, hi) } },
      axes: [{ ...axis, size: 16, gap: 1, space: 60 }, { ...axis, size: 38, gap: 2, space: 22 }],
      series: [{}, ...this.names.map((n, i) => ({ label: n, stroke: c.series[i % 6], width: 1.6, points: { show: false }, dash: n === 'asked' ? [5, 4] : undefined }))],
    }, [[], ...this.names.map(() => [])], this.el);
    this.el.querySelectorAll('canvas').forEach((c) => c.setAttribute('aria-hidden', 'true'));
  }

  range(lo, hi) {
    if (lo === null || lo === undefined || !isFinite(lo) || !isFinite(hi)) return [0, 1];
    const base = Math.min(lo, 0), span = Math.max(hi - base, this.least || 1e-3);
    return [base - (base < 0 ? 0.08 * span : 0), base + 1.1 * span];
  }

  set(data) {
    const w = this.el.clientWidth, h = this.el.clientHeight;
    if (!w || !h) return;
    if (!this.plot) this.make();
    if (this.plot.width !== w || this.plot.height !== h) this.plot.setSize({ width: w, height: h });
    this.plot.setData(data);
  }
}

export class Charts {
  constructor(els, model) {
    this.model = model;
    this.leg = 0;
    this.quantity = 'angles';
    this.margin = new Chart(els.margin, ['margin'], 'mm');
    this.speed = new Chart(els.speed, ['asked', 'allowed', 'real'], 'm/s');
    this.speed.least = 0.02;
    this.late = new Chart(els.late, ['lateness p50', 'lateness p99', 'work p99'], 'ms');
    this.late.least = 0.1;
    this.jointsEl = els.joints;
    model.addEventListener('hello', () => this.begin());
  }

  begin() {
    this.leg = Math.min(this.leg, this.model.hello.rig.legs.length - 1);
    this.joints?.plot?.destroy();
    this.joints = new Chart(this.jointsEl, this.model.hello.rig.legs[this.leg].joints.map((j) => j.name), '');
    this.joints.least = 0.1;
  }

  retheme() { for (const c of [this.margin, this.speed, this.late, this.joints]) if (c?.plot) c.make(); }

  draw() {
    const hst = this.model.history, n = hst.t.length;
    if (!n || !this.model.hello) return;
    const from = hst.t[n - 1] - seconds;
    let k = n - 1;
    while (k > 0 && hst.t[k - 1] >= from) k--;
    const t = hst.t.slice(k);
    this.margin.set([t, hst.margin.slice(k)]);
    this.speed.set([t, hst.wish.slice(k), hst.twist.slice(k), hst.real.slice(k)]);
    const l = this.model.hello.rig.legs[this.leg], rows = hst[this.quantity].slice(k);
    const scale = this.quantity === 'angles' ? 180 / Math.PI : this.quantity === 'torque' ? 100 : 1;
    this.joints.set([t, ...l.joints.map((_, j) => rows.map((r) => r[l.first + j] * scale))]);
    const m = hst.lateT.length, lateFrom = (hst.lateT[m - 1] ?? 0) - historySeconds;
    let q = m - 1;
    while (q > 0 && hst.lateT[q - 1] >= lateFrom) q--;
    if (m) this.late.set([hst.lateT, hst.late50, hst.late99, hst.work99].map((a) => a.slice(Math.max(0, q))));
  }
}
