// A solve of one leg, stepped one move at a time: what FABRIK does.
import * as THREE from 'three';
import { h, iconButton, section, choice, slider } from '../dom.js';
import { rotate, plus } from '../kinematics.js';

export function solvePanel(app) {
  const { link, model, view } = app;
  const leg = choice({ id: 'solve-leg', label: 'Leg' });
  const box = h('div'), said = h('p.readout', { id: 'solve-said', role: 'status' });
  const count = h('output', { id: 'solve-at' }, '0 / 0');
  let by = {}, solution = null, at = 0, timer = 0;
  const group = new THREE.Group();
  view.scene.add(group);

  async function solve() {
    const r = await link.ask('solve', { leg: leg.sel.value, x: by.x.value, y: by.y.value, z: by.z.value });
    if (!r.accepted) { said.textContent = r.reason; return; }
    solution = r.result;
    at = 0;
    build();
    show();
  }

  function clear() {
    clearInterval(timer);
    solution = null;
    group.clear();
    count.textContent = '0 / 0';
    said.textContent = '';
    app.solve = null;
  }

  function to(n) {
    if (!solution) return;
    at = Math.max(0, Math.min(solution.moves.length, n));
    show();
  }

  function play() {
    clearInterval(timer);
    if (!solution) return;
    if (at >= solution.moves.length) at = 0;
    timer = setInterval(() => { to(at + 1); if (!solution || at >= solution.moves.length) clearInterval(timer); }, Math.min(220, 6000 / solution.moves.length));
  }

  const parts = {};
  function build() {
    group.clear();
    const n = solution.start.length, r = 0.025 * model.hello.rig.length;
    const mat = (c) => new THREE.MeshBasicMaterial({ color: c, toneMapped: false, depthTest: false, transparent: true });
    parts.balls = solution.start.map((_, i) => new THREE.Mesh(new THREE.SphereGeometry(i === n - 1 ? r * 1.2 : r, 16, 12), mat('#ffb02e')));
    parts.rods = solution.start.slice(1).map(() => new THREE.Mesh(new THREE.CylinderGeometry(r * 0.45, r * 0.45, 1, 8), mat('#ffd88a')));
    parts.target = new THREE.Mesh(new THREE.OctahedronGeometry(r * 1.7), mat('#ff4d6d'));
    for (const m of [...parts.rods, ...parts.balls, parts.target]) { m.renderOrder = 10; group.add(m); }
  }

  // points after the first at moves, B.
  function points() {
    const p = solution.start.map((x) => x.slice());
    for (const m of solution.moves.slice(0, at)) p[m.joint] = m.to;
    return p;
  }

  function show() {
    const m = solution.moves[at - 1], p = points();
    count.textContent = `${at} / ${solution.moves.length}`;
    said.textContent = m
      ? `Sweep ${m.sweep + 1}, ${m.pass}: joint ${m.joint} moved; ${(m.residual * 1e3).toFixed(2)} mm to go`
      : `${solution.moves.length} moves, ${solution.sweeps} sweeps: ${solution.status}, ${(solution.residual * 1e3).toFixed(3)} mm off`;
    app.solve = { at, moves: solution.moves.length, points: p, status: solution.status };
    place();
  }

  const y = new THREE.Vector3(0, 1, 0);
  function place() {
    const f = view.shown;
    if (!solution || !f || !parts.balls) return;
    const p = points().map((v) => plus(f.p, rotate(f.q, v)));
    parts.balls.forEach((b, i) => { b.position.set(...p[i]); b.material.color.set(solution.moves[at - 1]?.joint === i ? '#ff6a00' : '#ffb02e'); });
    parts.rods.forEach((rod, i) => {
      const a = new THREE.Vector3(...p[i]), b = new THREE.Vector3(...p[i + 1]), d = b.clone().sub(a), n = Math.max(d.length(), 1e-9);
      rod.position.copy(a.add(b).multiplyScalar(0.5));
      rod.quaternion.setFromUnitVectors(y, d.divideScalar(n));
      rod.scale.set(1, n, 1);
    });
    parts.target.position.set(...plus(f.p, rotate(f.q, solution.target)));
  }
  app.beforeDraw.push(place);

  model.addEventListener('hello', (e) => {
    clear();
    const L = e.detail.rig.length;
    leg.fill(e.detail.rig.legs.map((l) => l.name), e.detail.rig.legs[0].name);
    by = {};
    for (const [key, label, start] of [['x', 'Ahead', 0.2], ['y', 'Left', 0], ['z', 'Up', 0.25]]) {
      by[key] = slider({ id: 'solve-' + key, label, min: -0.8 * L, max: 0.8 * L, step: L / 100, value: start * L, show: (v) => `${(v * 1e3).toFixed(0)} mm` });
    }
    box.replaceChildren(...Object.values(by).map((s) => s.el));
  });
  return h('div.panel', section('FABRIK, one move at a time', leg.el, box,
    h('div.row', h('button.primary', { id: 'solve-go', type: 'button', onclick: solve }, 'Solve'),
      iconButton('undo', 'One move back', () => to(at - 1), { id: 'solve-back' }), iconButton('step', 'One move on', () => to(at + 1), { id: 'solve-step' }),
      iconButton('play', 'Play', play, { id: 'solve-play' }), count, iconButton('close', 'Clear the drawing', clear, { id: 'solve-clear' })),
    said, h('p.note', 'The rig does not move: the solver works on a copy of its joint angles. Backward sweeps go from the target inward, forward sweeps from the hip outward; the last moves are the exact finish.')));
}
