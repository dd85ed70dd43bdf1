// Body style: how much of each motion's way is laid over the gait, and who moves the rig.
import { h, icon, section, slider, toggle } from '../dom.js';

export function stylePanel(app) {
  const { model } = app;
  const box = h('div'), kept = h('p.readout', { id: 'style-kept', role: 'status' });
  const none = h('p.note', 'This rig has no clips.');
  const drive = toggle({
    id: 'style-drive', label: 'Clips move the rig, forward and turning', text: 'Clips drive',
    onchange: (v) => app.order('mode', { mode: v ? 'clips' : 'gait' }),
  });
  let sliders = {}, due = 0;
  // Weights are shares of one whole: together no more than that.
  const weights = () => {
    const all = Object.entries(sliders).map(([k, s]) => [k, s.value]), sum = Math.max(1, all.reduce((a, [, v]) => a + v, 0));
    return Object.fromEntries(all.filter(([, v]) => v > 0).map(([k, v]) => [k, v / sum]));
  };
  const send = () => { clearTimeout(due); due = setTimeout(() => app.order('style', { weights: weights() }), 100); };
  const reset = h('button', {
    id: 'style-reset', type: 'button', onclick: () => { for (const s of Object.values(sliders)) s.set(0); send(); },
  }, icon('undo'), 'No style');
  const card = section('Motions', box, kept, h('div.row', reset, drive.el), h('p.note', 'A share of each motion is laid over whatever gait walks. With clips driving, the shares are the mixture that plays.'));

  model.addEventListener('hello', (e) => {
    const names = e.detail.motions || [];
    sliders = Object.fromEntries(names.map((n) => [n, slider({
      id: 'style-' + n, label: n, min: 0, max: 1, step: 0.05, value: 0, show: (v) => `${Math.round(v * 100)} %`, oninput: send, onchange: send,
    })]));
    box.replaceChildren(...Object.values(sliders).map((s) => s.el));
    card.hidden = !names.length;
    none.hidden = !!names.length;
  });
  model.addEventListener('figures', () => {
    const f = model.figures;
    drive.set(f.driver === 'clips');
    kept.textContent = `${f.driver === 'clips' ? 'Clips drive' : 'The gait drives'} · ${Math.round(f.style_scale * 100)} % of the style is kept`;
  });
  return h('div.panel', none, card);
}
