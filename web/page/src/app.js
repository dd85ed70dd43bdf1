// What panels, keys and pointer can do: orders to the rig and to the world.
import * as THREE from 'three';
import { rotate } from './kinematics.js';

export class App {
  constructor(parts) {
    Object.assign(this, parts);
    this.tool = 'look';
    this.beforeDraw = [];
    this.refused = [];
    this.link.addEventListener('block', (e) => this.view.ground.remove(e.detail.block));
    this.canvas.addEventListener('tap', (e) => this.tap(e.detail.x, e.detail.y));
    this.drive.onrefused = (r) => this.report(r);
    this.drive.onpause = () => this.togglePause();
    this.drive.ongait = (by) => this.nextGait(by);
    this.link.addEventListener('event', (e) => { if (['goal_reached', 'mode_changed'].includes(e.detail.event) && e.detail.event === 'goal_reached') this.goal(null); });
  }

  // order sends an order and shows a refusal.
  async order(topic, values) { return this.report(this.link.ask(topic, values)); }

  async report(answer) {
    const r = await answer;
    if (!r.accepted) {
      this.refused.push(r);
      this.toast(r.reason || 'refused');
    }
    this.last = r;
    return r;
  }

  toast(text) {
    const t = document.getElementById('toast');
    if (!t) return;
    t.textContent = text;
    t.classList.toggle('on', !!text);
    clearTimeout(this.fade);
    if (text) this.fade = setTimeout(() => this.toast(''), 5000);
  }

  setTool(tool) {
    this.tool = tool;
    this.canvas.dataset.tool = tool;
    this.refreshGo?.(tool === 'go');
    this.refreshBlock?.(tool === 'block');
  }

  tap(x, y) {
    if (this.tool === 'look') return;
    const hit = this.view.hit(x, y);
    if (!hit) return;
    if (this.tool === 'go') this.goTo(hit.at);
    else if (hit.block >= 0) this.order('block', { block: hit.block });
    else this.toast('That is no block.');
  }

  async goTo(at) {
    const r = await this.order('goto', { x: at[0], y: at[1] });
    if (r.accepted) this.goal(at);
  }

  // goal draws the flag, or takes it away.
  goal(at) {
    if (this.flag) this.view.extra.remove(this.flag);
    this.flag = null;
    this.goalAt = at;
    if (!at) return;
    const u = this.view.unit, g = new THREE.Group(), m = new THREE.MeshBasicMaterial({ color: '#2fe0c0', transparent: true, opacity: 0.9 });
    const ring = new THREE.Mesh(new THREE.RingGeometry(0.5 * u, 0.62 * u, 40), m), pole = new THREE.Mesh(new THREE.CylinderGeometry(0.03 * u, 0.03 * u, 1.6 * u), m);
    pole.rotation.x = Math.PI / 2;
    pole.position.z = 0.8 * u;
    ring.position.z = 0.03 * u;
    g.add(ring, pole);
    g.position.set(...at);
    this.flag = g;
    this.view.extra.add(g);
  }

  // pushSpeed is what a push of strength one adds, m/s: what a fall of a tenth of a leg gives.
  pushSpeed() { return Math.sqrt(2 * 9.81 * 0.1 * this.model.hello.rig.length); }

  // push pushes along the body's own axes.
  push(x, y, z) {
    const v = rotate(this.model.frame.q, [x, y, 0]);
    return this.order('push', { x: v[0], y: v[1], z });
  }

  async setRate(rate) {
    if (rate > 0) this.rate = rate;
    return this.order('rate', { rate });
  }

  togglePause() { return this.setRate(this.model.figures?.rate === 0 ? this.rate || 1 : 0); }

  async step(n) {
    if (this.model.figures?.rate !== 0) await this.setRate(0);
    return this.order('step', { ticks: n });
  }

  nextGait(by) {
    const list = this.model.hello.gaits.filter((g) => !g.why), i = list.findIndex((g) => g.name === this.model.gait()?.name);
    return this.order('gait', { gait: list[(i + by + list.length) % list.length].name });
  }

  // lease takes control from others, or gives it back.
  async lease() {
    const mine = this.link.holder && this.model.figures?.holder === this.link.holder;
    const name = this.link.holder || 'page-' + Math.random().toString(36).slice(2, 6);
    const r = await this.order('lease', { action: mine ? 'release' : 'take', holder: name, ttl: 10 });
    if (!r.accepted) return;
    this.link.holder = mine ? null : name;
    clearInterval(this.keepLease);
    if (!mine) this.keepLease = setInterval(() => this.renew(), 3000);
  }

  async renew() {
    const r = await this.link.ask('lease', { action: 'renew', holder: this.link.holder, ttl: 10 });
    if (r.accepted) return;
    clearInterval(this.keepLease);
    this.link.holder = null;
    this.toast('Another operator has taken control.');
  }

  // blockAhead returns the nearest block in front of the feet, -1 for none.
  blockAhead() {
    const f = this.model.frame, L = this.model.hello.rig.length, boxes = this.model.hello.ground?.boxes || [];
    for (const far of [1.3, 1.1, 0.9, 0.7, 0.5]) {
      const d = rotate(f.q, [far * L, 0, 0]), x = f.p[0] + d[0], y = f.p[1] + d[1];
      const b = boxes.find((k) => k.block >= 0 && x >= k.min[0] && x < k.max[0] && y >= k.min[1] && y < k.max[1] && this.view.ground.blocks.get(k.block)?.visible);
      if (b) return b.block;
    }
    return -1;
  }
}
