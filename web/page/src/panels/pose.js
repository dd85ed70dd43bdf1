// The body's pose: three lengths, three angles, and its height.
import { h, icon, section, slider } from '../dom.js';

const deg = 180 / Math.PI;
const axes = [
  ['x', 'Forward', 'm'], ['y', 'Left', 'm'], ['z', 'Up', 'm'], ['roll', 'Roll', 'rad'], ['pitch', 'Pitch', 'rad'], ['yaw', 'Yaw', 'rad'],
];

export function posePanel(app) {
  const { model } = app;
  const box = h('div'), kept = h('p.readout', { id: 'kept' });
  let sliders = {}, height, due = 0;
  const values = () => Object.fromEntries(Object.entries(sliders).map(([k, s]) => [k, s.value]));
  // While a slider moves, at most ten orders a second go out.
  const send = () => { clearTimeout(due); due = setTimeout(() => app.order('pose', values()), 100); };
  const reset = () => {
    for (const s of Object.values(sliders)) s.set(0);
    height.set(model.hello.rig.height);
    app.order('pose', values());
    app.order('height', { height: 0 });
  };
  model.addEventListener('hello', (e) => {
    const L = e.detail.rig.length, hgt = e.detail.rig.height;
    sliders = {};
    for (const [key, label, unit] of axes) {
      const most = unit === 'm' ? 0.25 * L : 0.45;
      const show = unit === 'm' ? (v) => `${(v * 1e3).toFixed(0)} mm` : (v) => `${(v * deg).toFixed(0)}°`;
      sliders[key] = slider({ id: 'pose-' + key, label, min: -most, max: most, step: most / 50, value: 0, show, oninput: send, onchange: send });
    }
    // A commanded height is taken within 0.35 U of the rig's own.
    const span = 0.345 * e.detail.unit;
    height = slider({
      id: 'height', label: 'Height', min: hgt - span, max: hgt + span, step: span / 50, value: hgt, show: (v) => `${(v * 1e3).toFixed(0)} mm`,
      onchange: (v) => app.order('height', { height: v }),
    });
    box.replaceChildren(...Object.values(sliders).map((s) => s.el), h('hr'), height.el);
  });
  model.addEventListener('frame', (e) => { kept.textContent = `${Math.round(e.detail.kept * 100)} % of the pose is kept within reach and margin`; });
  return h('div.panel', section('Body pose', box, kept, h('div.row', h('button', { id: 'pose-reset', type: 'button', onclick: reset }, icon('undo'), 'Back to neutral'))));
}
