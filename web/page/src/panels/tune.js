// Live parameters of a gait, or of the controller itself: change, apply between two ticks, undo, save.
import { h, icon, section, choice } from '../dom.js';

const itself = 'controller'; // configs.Controller: beside the gaits, saved as a world

export function tunePanel(app) {
  const { link, model } = app;
  const list = h('div.params'), said = h('p.note', { id: 'tune-said', role: 'status' });
  const filter = h('input', { type: 'search', id: 'tune-filter', placeholder: 'Find a parameter', 'aria-label': 'Find a parameter', oninput: () => show() });
  let gait = '', params = [], changed = new Map();
  const pick = choice({ id: 'tune-gait', label: 'Rules of', onchange: (v) => load(v) });
  const apply = h('button.primary', { id: 'tune-apply', type: 'button', onclick: () => send() }, 'Apply');
  const undo = h('button', { id: 'tune-undo', type: 'button', onclick: () => back() }, icon('undo'), 'Undo');
  const save = h('button', { id: 'tune-save', type: 'button', onclick: () => download() }, icon('save'), 'Save as YAML');

  async function load(name, text = '') {
    gait = name;
    const r = await link.ask('parameters', { gait });
    take(r, text);
  }

  function take(r, text) {
    if (!r.accepted) { said.textContent = r.reason; said.dataset.bad = 'true'; return false; }
    params = r.result;
    changed.clear();
    said.textContent = text;
    said.dataset.bad = 'false';
    show();
    return true;
  }

  async function send() {
    if (!changed.size) { said.textContent = 'Nothing has been changed.'; return; }
    const r = await link.ask('tune', { gait, set: Object.fromEntries(changed) });
    take(r, `In force since tick ${r.tick}.`);
  }

  async function back() {
    const r = await link.ask('undo');
    if (r.accepted) await load(gait, `Taken back at tick ${r.tick}.`);
    else said.textContent = r.reason;
  }

  async function download() {
    const r = await link.ask('yaml', { gait });
    if (!r.accepted) { said.textContent = r.reason; return; }
    app.saved = r.result;
    const a = h('a', { href: URL.createObjectURL(new Blob([r.result], { type: 'application/yaml' })), download: `${gait === itself ? 'world' : gait}.yaml` });
    a.click();
    URL.revokeObjectURL(a.href);
    said.textContent = `Saved ${a.download}.`;
  }

  function show() {
    const words = filter.value.trim().toLowerCase();
    list.replaceChildren(...params.filter((p) => !words || (p.key + ' ' + p.doc).toLowerCase().includes(words)).map(row));
    apply.disabled = false;
    apply.textContent = changed.size ? `Apply ${changed.size}` : 'Apply';
  }

  function row(p) {
    const id = 'param-' + p.key;
    const set = (v) => {
      if (v === p.value) changed.delete(p.key); else changed.set(p.key, v);
      el.classList.toggle('changed', changed.has(p.key));
      apply.textContent = changed.size ? `Apply ${changed.size}` : 'Apply';
    };
    const now = changed.has(p.key) ? changed.get(p.key) : p.value;
    const label = h('label', { htmlFor: id }, p.key);
    let el;
    const about = h('small', { id: id + '-about' }, [p.doc, p.bounds && `in ${p.bounds}`].filter(Boolean).join('; '));
    if (typeof p.value === 'boolean') {
      el = h('div.param', label, h('input', { id, type: 'checkbox', checked: now, 'aria-describedby': id + '-about', onchange: (e) => set(e.target.checked) }), h('span.unit'), about);
    } else {
      const num = h('input', { id, type: 'number', value: now, step: 'any', min: p.low ?? '', max: p.high ?? '', 'aria-describedby': id + '-about', oninput: () => { if (num.value !== '') { set(+num.value); range.value = num.value; } } });
      // The slider goes a little beyond what is usual, within what is allowed.
      const most = Math.min(p.high ?? Infinity, Math.max(4 * Math.abs(p.fresh), 0.1)), least = Math.max(p.low ?? 0, p.fresh < 0 ? 4 * p.fresh : 0);
      const range = h('input', { type: 'range', min: least, max: most, step: (most - least) / 200, value: now, tabIndex: -1, 'aria-hidden': 'true', oninput: () => { const v = +(+range.value).toPrecision(4); num.value = v; set(v); } });
      el = h('div.param', label, num, h('span.unit', p.unit || ''), range, about);
    }
    if (p.value !== p.fresh) el.append(h('span.was', { title: 'as the run began' }, `was ${p.fresh}`));
    el.classList.toggle('changed', changed.has(p.key));
    return el;
  }

  model.addEventListener('hello', (e) => {
    pick.fill([...e.detail.gaits.filter((g) => !g.why).map((g) => g.name), [itself, 'the controller itself']], e.detail.gait);
    panel.dataset.off = String(!e.detail.tunable);
    if (e.detail.tunable) load(e.detail.gait);
    else said.textContent = 'The parameters of this run cannot be changed.';
  });
  link.addEventListener('tuned', (e) => { if (e.detail.gait === gait && !changed.size) load(gait, said.textContent); }); // what was said of it stays
  const panel = h('div.panel', section('Live parameters', pick.el, h('div.row', apply, undo, save), said, filter, list));
  return panel;
}
