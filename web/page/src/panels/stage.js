// The world: which rig, which ground, blocks, and how fast time goes.
import { h, section, choice, slider, toggle } from '../dom.js';

export function stagePanel(app) {
  const { link, model } = app;
  const said = h('p.note', { id: 'stage-said', role: 'status' });
  const rig = choice({ id: 'stage-rig', label: 'Rig' }), terrain = choice({ id: 'stage-terrain', label: 'Ground' });
  const start = h('button.primary', {
    id: 'stage-go', type: 'button',
    onclick: async () => {
      start.disabled = true;
      said.textContent = 'Working it out ...';
      const r = await link.ask('restart', { rig: rig.sel.value, terrain: terrain.sel.value });
      start.disabled = false;
      said.textContent = r.accepted ? '' : r.reason;
    },
  }, 'Show');
  const block = h('input', { id: 'block', type: 'number', min: 0, step: 1, value: 0, 'aria-label': 'Number of the block' });
  const take = (n) => app.order('block', { block: n });
  const pick = toggle({ id: 'pick-block', label: 'Click a block to take it away', text: 'Click a block', onchange: (v) => app.setTool(v ? 'block' : 'look') });
  const blocks = section('Blocks', h('div.row', pick.el, h('button', { id: 'block-under', type: 'button', onclick: () => { const n = app.blockAhead(); if (n >= 0) take(n); else app.toast('No block is there.'); } }, 'The one ahead')),
    h('div.row', h('label', { htmlFor: 'block' }, 'Number'), block, h('button', { id: 'block-go', type: 'button', onclick: () => take(+block.value) }, 'Take away')));
  const rate = slider({ id: 'rate', label: 'Time', min: -2, max: 0, step: 0.05, value: 0, show: (v) => `${(100 * 10 ** v).toFixed(0)} %`, onchange: (v) => app.setRate(+(10 ** v).toFixed(3)) });
  const ticks = h('input', { id: 'ticks', type: 'number', min: 1, max: 1000, value: 10, 'aria-label': 'Ticks' });
  const time = section('Time', rate.el, h('div.row', h('button', { id: 'step-n', type: 'button', onclick: () => app.step(+ticks.value) }, 'Step'), ticks, h('span', 'ticks')));
  const real = section(null, h('p.note', 'This is a real rig: rig, ground and time are what they are.'));

  model.addEventListener('hello', (e) => {
    const st = e.detail.stages, ground = e.detail.ground;
    for (const s of [scene, time]) s.hidden = !st;
    real.hidden = !!st;
    blocks.hidden = !st || !ground?.boxes.some((b) => b.block >= 0);
    if (!st) return;
    rig.fill(st.rigs, st.rigs.includes(e.detail.rig.name) ? e.detail.rig.name : st.rigs[0]);
    const now = st.now.terrain || ground?.kind;
    terrain.fill(st.terrains, st.terrains.includes(now) ? now : ground?.kind);
    rate.set(0);
  });
  app.refreshBlock = (on) => pick.set(on);
  app.refreshRate = (r) => { if (r > 0 && document.activeElement !== rate.input) rate.set(Math.log10(r)); };
  const scene = section('Scene', rig.el, terrain.el, h('div.row', start, said));
  return h('div.panel', scene, blocks, time, real);
}
