// Steering: keys, the stick on the screen and a gamepad all become one twist,
// sent ten times a second while it is not zero, and one stop at its end.

const every = 100; // ms
const ttl = 0.5; // s

export class Drive {
  constructor(link, model) {
    Object.assign(this, { link, model, keys: new Set(), stick: null, pad: null, level: 0.8, sideways: false, sent: false });
    this.value = [0, 0, 0];
    setInterval(() => this.tick(), every);
    window.addEventListener('blur', () => this.keys.clear());
  }

  // wish returns shares of the allowed speed, -1 to 1: forward, left, turn.
  wish() {
    const k = this.keys, s = [0, 0, 0];
    const axis = (plus, minus) => (plus.some((x) => k.has(x)) ? 1 : 0) - (minus.some((x) => k.has(x)) ? 1 : 0);
    s[0] = axis(['KeyW', 'ArrowUp'], ['KeyS', 'ArrowDown']);
    s[2] = axis(['KeyA', 'ArrowLeft'], ['KeyD', 'ArrowRight']);
    s[1] = axis(['KeyQ'], ['KeyE']);
    if (this.stick) this.add(s, this.stick[1], this.stick[0]);
    const pad = this.gamepad();
    if (pad) { s[0] += pad[0]; s[1] += pad[1]; s[2] += pad[2]; }
    return s.map((x) => Math.max(-1, Math.min(1, x)));
  }

  add(s, ahead, left) {
    s[0] += ahead;
    s[this.sideways ? 1 : 2] += left;
  }

  // gamepad reads the first one there is: left stick walks, right stick turns.
  gamepad() {
    const p = [...(navigator.getGamepads?.() || [])].find((g) => g && g.connected);
    this.pad = p?.id || null;
    if (!p) return null;
    const dead = (v) => (Math.abs(v || 0) < 0.12 ? 0 : v);
    this.buttons(p);
    return [-dead(p.axes[1]), -dead(p.axes[0]), -dead(p.axes[2])];
  }

  // buttons: A stops, B pauses, the shoulders change the gait.
  buttons(p) {
    const now = p.buttons.map((b) => b.pressed), was = this.pressed || [];
    this.pressed = now;
    const hit = (i) => now[i] && !was[i];
    if (hit(0)) this.stop();
    if (hit(1)) this.onpause?.();
    if (hit(4)) this.ongait?.(-1);
    if (hit(5)) this.ongait?.(1);
  }

  twist() {
    const g = this.model.gait(), s = this.wish(), L = this.model.hello?.rig.length || 1;
    const speed = (g?.speed || L) * this.level, turn = (g?.turn || 1) * this.level;
    return [s[0] * speed, s[1] * speed, s[2] * turn];
  }

  async tick() {
    if (!this.model.hello) return;
    const v = this.twist();
    this.value = v;
    this.onvalue?.(v);
    if (v.some((x) => x !== 0)) {
      this.sent = true;
      this.note(await this.link.ask('twist', { vx: v[0], vy: v[1], wz: v[2], ttl }));
    } else if (this.sent) {
      this.sent = false;
      this.note(await this.link.ask('twist', { vx: 0, vy: 0, wz: 0, ttl }));
    }
  }

  note(r) { if (!r.accepted && !/newer one/.test(r.reason || '')) this.onrefused?.(r); }

  async stop() {
    this.keys.clear();
    this.stick = null;
    this.sent = false;
    return this.link.ask('stop');
  }
}

// Stick is the control on the screen: a knob that follows the pointer and springs back.
export class Stick {
  constructor(el, drive) {
    const knob = el.querySelector('.knob');
    const move = (x, y) => {
      const r = el.getBoundingClientRect(), half = r.width / 2;
      let dx = (x - r.left - half) / (half * 0.72), dy = (y - r.top - half) / (half * 0.72);
      const n = Math.hypot(dx, dy);
      if (n > 1) { dx /= n; dy /= n; }
      this.place(dx, dy);
      drive.stick = [-dx, -dy];
    };
    this.place = (dx, dy) => { knob.style.transform = `translate(${dx * 72}%, ${dy * 72}%)`; };
    el.addEventListener('pointerdown', (e) => { try { el.setPointerCapture(e.pointerId); } catch { /* a made-up pointer */ } this.held = true; move(e.clientX, e.clientY); e.preventDefault(); });
    el.addEventListener('pointermove', (e) => { if (this.held) move(e.clientX, e.clientY); });
    const end = () => { this.held = false; drive.stick = null; this.place(0, 0); };
    for (const t of ['pointerup', 'pointercancel', 'lostpointercapture']) el.addEventListener(t, end);
    // With the keyboard the stick is moved by the arrow keys while it has the focus.
    const dirs = { ArrowUp: [0, 1], ArrowDown: [0, -1], ArrowLeft: [1, 0], ArrowRight: [-1, 0] };
    el.addEventListener('keydown', (e) => {
      if (!dirs[e.key]) return;
      e.preventDefault();
      e.stopPropagation();
      drive.stick = dirs[e.key];
      this.place(-dirs[e.key][0], -dirs[e.key][1]);
    });
    el.addEventListener('keyup', (e) => { if (dirs[e.key]) { e.stopPropagation(); end(); } });
    el.addEventListener('blur', end);
  }
}
