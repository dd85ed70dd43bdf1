// Steering: stick, speed, gait, mode, going to a point, pushing.
import { h, icon, section, slider, choice, toggle } from '../dom.js';
import { Stick } from '../drive.js';

export function drivePanel(app) {
  const { link, model, drive } = app;
  const stick = h('div.stick', { id: 'stick', tabIndex: 0, role: 'application', 'aria-label': 'Steering stick: drag, or use the arrow keys. Up is forward, left and right turn.' }, h('div.knob'));
  new Stick(stick, drive);
  const level = slider({ id: 'level', label: 'Speed', min: 0.05, max: 1, step: 0.05, value: drive.level, show: (v) => `${Math.round(v * 100)} %`, oninput: (v) => { drive.level = v; } });
  const side = toggle({ id: 'sideways', label: 'Stick goes sideways', text: 'Sideways', onchange: (v) => { drive.sideways = v; } });
  const go = toggle({ id: 'go', label: 'Click the ground to go there', text: 'Click to go', onchange: (v) => app.setTool(v ? 'go' : 'look') });
  const stop = h('button.stop', { id: 'stop', type: 'button', onclick: () => { app.goal(null); app.report(drive.stop()); } }, icon('stop'), 'Stop');
  const now = h('p.readout', { id: 'steer', 'aria-live': 'off' });
  drive.onvalue = (v) => { now.textContent = `${v[0].toFixed(3)} m/s ahead · ${v[1].toFixed(3)} left · ${v[2].toFixed(2)} rad/s${drive.pad ? ' · gamepad' : ''}`; };

  const gait = choice({ id: 'gait', label: 'Gait', onchange: (v) => app.order('gait', { gait: v }) });
  const modes = h('div.row', { role: 'group', 'aria-label': 'Mode' });
  const strength = slider({ id: 'strength', label: 'Push', min: 0.1, max: 3, step: 0.1, value: 1, show: (v) => `${v.toFixed(1)} ×` });
  const push = (x, y, z, label, text) => h('button', {
    type: 'button', 'aria-label': label, title: label, id: 'push-' + text.id,
    onclick: () => { const v = app.pushSpeed() * strength.value; app.push(x * v, y * v, z * v); },
  }, text.glyph);
  const pad = h('div.pad', { role: 'group', 'aria-label': 'Push the body' },
    push(1, 0, 0, 'Push forward', { id: 'ahead', glyph: '↑' }), push(0, 1, 0, 'Push left', { id: 'left', glyph: '←' }),
    push(0, 0, 1.5, 'Push up', { id: 'up', glyph: '⤒' }), push(0, -1, 0, 'Push right', { id: 'right', glyph: '→' }), push(-1, 0, 0, 'Push back', { id: 'back', glyph: '↓' }));
  const pushCard = section('Push the body', pad, strength.el);
  const lease = h('button', { id: 'lease', type: 'button', onclick: () => app.lease() }, 'Take control');
  const holder = h('span.readout', { id: 'holder' });

  model.addEventListener('hello', (e) => {
    const hello = e.detail;
    gait.fill(hello.gaits.map((g) => [g.name, g.name + (g.why ? ' (not for this rig)' : ''), !!g.why, g.why]), hello.gait);
    modes.replaceChildren(...hello.names.orders.map((o) => h('button', { type: 'button', id: 'mode-' + o, onclick: () => app.order('mode', { mode: o }) }, o)));
    pushCard.hidden = !hello.stages;
  });
  model.addEventListener('frame', () => {
    const g = model.gait();
    if (g && document.activeElement !== gait.sel && gait.sel.value !== g.name) gait.sel.value = g.name;
  });
  model.addEventListener('figures', () => {
    const by = model.figures.holder;
    holder.textContent = by ? (by === link.holder ? 'You have control' : `${by} has control`) : 'Everybody may command';
    lease.textContent = by && by === link.holder ? 'Give control back' : 'Take control';
  });
  app.refreshGo = (on) => go.set(on);
  return h('div.panel',
    section(null, h('div.steer', stick, h('div.steer-side', stop, side.el, go.el)), now, level.el, gait.el),
    pushCard,
    section('Mode', modes),
    section('Operators', h('div.row', lease, holder)));
}
