// The gait diagram after Hildebrand: a row a leg, a bar while it stands, time
// running to the right, the newest at the edge.

export class Diagram {
  constructor(canvas, model) {
    this.canvas = canvas;
    this.model = model;
    this.seconds = 6;
  }

  draw() {
    const { hello, history: hst } = this.model, c = this.canvas;
    const w = c.clientWidth, hgt = c.clientHeight, ratio = window.devicePixelRatio || 1;
    if (!w || !hgt || !hello) return;
    if (c.width !== Math.round(w * ratio) || c.height !== Math.round(hgt * ratio)) { c.width = Math.round(w * ratio); c.height = Math.round(hgt * ratio); }
    const g = c.getContext('2d'), css = getComputedStyle(c);
    g.setTransform(ratio, 0, 0, ratio, 0, 0);
    g.clearRect(0, 0, w, hgt);
    const legs = hello.rig.legs, left = 34, bottom = 14, row = (hgt - bottom) / legs.length, end = hst.stanceT.at(-1) ?? 0;
    const x = (t) => left + (w - left) * (1 - (end - t) / this.seconds);
    const ink = css.getPropertyValue('--ink-2'), grid = css.getPropertyValue('--line');
    g.font = `${Math.min(11, Math.max(7, row - 1))}px system-ui, sans-serif`;
    g.textBaseline = 'middle';
    for (let t = Math.ceil(end - this.seconds); t <= end; t++) {
      if (t < 0) continue;
      g.fillStyle = grid;
      g.fillRect(x(t), 0, 1, hgt - bottom);
      g.fillStyle = ink;
      g.textAlign = 'center';
      if (x(t) > left + 8 && x(t) < w - 10) g.fillText(`${t}`, x(t), hgt - bottom / 2);
    }
    g.textAlign = 'left';
    legs.forEach((l, i) => {
      const y = i * row;
      g.fillStyle = grid;
      g.fillRect(left, y + row / 2, w - left, 1);
      g.fillStyle = ink;
      g.fillText(l.name.slice(0, 5), 2, y + row / 2);
      g.fillStyle = css.getPropertyValue(this.model.off.has(l.name) ? '--ink-3' : l.side > 0 ? '--series-1' : l.side < 0 ? '--series-2' : '--series-3');
      this.bars(i, (a, b) => g.fillRect(x(a), y + row * 0.14, Math.max(1, x(b) - x(a)), row * 0.72));
    });
  }

  // bars calls put with the beginning and end of each stance in sight; what
  // nobody has seen is no stance.
  bars(leg, put) {
    const { history: hst, hello } = this.model, n = hst.stances.length;
    if (!n) return;
    const end = hst.stanceT[n - 1], from = end - this.seconds;
    let since = null, k = n - 1;
    while (k > 0 && hst.stanceT[k - 1] >= from) k--;
    for (; k < n; k++) {
      const stands = hst.stances[k][leg >> 3] >> (leg & 7) & 1, t = hst.stanceT[k], was = k ? hst.stanceT[k - 1] : t;
      if (since !== null && t - was > 1.5 * hello.dt) { put(since, was + hello.dt); since = null; }
      if (stands && since === null) since = t;
      if (!stands && since !== null) { put(since, t); since = null; }
    }
    if (since !== null) put(since, end + hello.dt);
  }
}
