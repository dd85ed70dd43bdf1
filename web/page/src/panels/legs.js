// Legs: on or off, and how each is.
import { h, section } from '../dom.js';

export function legsPanel(app) {
  const { model } = app;
  const table = h('div.legs', { role: 'group', 'aria-label': 'Legs on or off' });
  let rows = [];
  model.addEventListener('hello', (e) => {
    rows = e.detail.rig.legs.map((l) => {
      const state = h('span.leg-state'), load = h('i');
      const b = h('button.toggle', {
        type: 'button', id: 'leg-' + l.name, 'aria-pressed': 'true', 'aria-label': `Leg ${l.name} on`,
        onclick: () => app.order('leg', { leg: l.name, on: b.getAttribute('aria-pressed') !== 'true' }),
      }, l.name);
      table.append(h('div.leg', b, state, h('div.meter', { title: 'largest torque of its joints, of what they can' }, load)));
      return { l, b, state, load, el: table.lastChild };
    });
    table.replaceChildren(...rows.map((r) => r.el));
  });
  model.addEventListener('frame', (e) => {
    const f = e.detail;
    rows.forEach((r, i) => {
      const leg = f.legs[i], off = model.off.has(r.l.name);
      r.b.setAttribute('aria-pressed', String(!off));
      const status = leg.status ? model.name('statuses', leg.status) : '';
      r.state.textContent = off ? 'off' : status || (leg.stance ? 'stance' : 'swing');
      r.state.dataset.kind = off ? 'off' : status ? 'bad' : leg.stance ? 'stance' : 'swing';
      let most = 0;
      r.l.joints.forEach((_, j) => { most = Math.max(most, Math.abs(f.torque[r.l.first + j])); });
      r.load.style.width = `${Math.min(100, most * 100)}%`;
      r.load.dataset.high = String(most > 0.8);
    });
  });
  return h('div.panel', section('Legs', table, h('p.note', 'A leg that is off is carried above the ground. The bar is the largest torque of its joints, as a share of what they can: measured where servos report it, else worked out from the weight.')));
}
