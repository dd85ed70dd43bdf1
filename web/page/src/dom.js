// Building elements: h('button.primary', { onclick, 'aria-label': '...' }, 'text', child)

const svgNS = 'http://www.w3.org/2000/svg';

export function h(spec, props, ...children) {
  const [tag, ...classes] = spec.split('.');
  const [name, id] = tag.split('#');
  const el = document.createElement(name || 'div');
  if (id) el.id = id;
  if (classes.length) el.className = classes.join(' ');
  if (props && (props.nodeType || typeof props !== 'object' || Array.isArray(props))) {
    children.unshift(props);
    props = null;
  }
  for (const [k, v] of Object.entries(props || {})) {
    if (v === undefined || v === null || v === false) continue;
    if (k.startsWith('on')) el.addEventListener(k.slice(2), v);
    else if (k === 'style') Object.assign(el.style, v);
    else if (k in el && k !== 'list' && k !== 'role' && !k.startsWith('aria')) el[k] = v;
    else el.setAttribute(k, v === true ? '' : v);
  }
  add(el, children);
  return el;
}

function add(el, children) {
  for (const c of children.flat(4)) {
    if (c === undefined || c === null || c === false) continue;
    el.append(c.nodeType ? c : String(c));
  }
}

// Icons are strokes in a 24 x 24 box.
const icons = {
  pause: 'M8 5v14M16 5v14', play: 'M7 4l13 8-13 8z', step: 'M6 5l9 7-9 7zM18 5v14', stop: 'M6 6h12v12H6z',
  follow: 'M12 4v3M12 17v3M4 12h3M17 12h3M12 8a4 4 0 100 8 4 4 0 000-8z', orbit: 'M12 3a9 9 0 019 9M12 21a9 9 0 01-9-9M18 15l3-3 3 3M0 9l3 3 3-3',
  top: 'M12 3l9 5-9 5-9-5zM3 13l9 5 9-5', layers: 'M12 3l9 5-9 5-9-5zM3 12l9 5 9-5M3 16l9 5 9-5', theme: 'M12 3a9 9 0 100 18V3z',
  help: 'M9 9a3 3 0 115 2c-1 1-2 1.5-2 3M12 18v.5', close: 'M6 6l12 12M18 6L6 18', undo: 'M8 5L4 9l4 4M4 9h10a5 5 0 010 10h-3',
  save: 'M12 4v11M7 11l5 5 5-5M5 20h14', flag: 'M6 21V4h12l-3 4 3 4H6', up: 'M12 19V5M6 11l6-6 6 6', chart: 'M4 4v16h16M7 15l4-5 3 3 5-7',
};

export function icon(name) {
  const s = document.createElementNS(svgNS, 'svg');
  s.setAttribute('viewBox', '0 0 24 24');
  s.setAttribute('class', 'icon');
  s.setAttribute('aria-hidden', 'true');
  const p = document.createElementNS(svgNS, 'path');
  p.setAttribute('d', icons[name]);
  s.append(p);
  return s;
}

// button with an icon; the label is read out and shown as a tip.
export function iconButton(name, label, onclick, extra = {}) {
  return h('button.ib', { type: 'button', title: label, 'aria-label': label, onclick, ...extra }, icon(name));
}

let serial = 0;

// slider: a labelled range with its value beside it. show turns a value into text.
export function slider({ id, label, min, max, step, value, unit = '', show, oninput, onchange }) {
  id = id || `s${++serial}`;
  const text = show || ((v) => `${+v.toFixed(3)}${unit ? ' ' + unit : ''}`);
  const out = h('output', { htmlFor: id }, text(value));
  const input = h('input', { id, type: 'range', min, max, step, value });
  const set = (v) => { input.value = v; out.textContent = text(+v); input.setAttribute('aria-valuetext', text(+v)); };
  input.addEventListener('input', () => { set(input.value); oninput?.(+input.value); });
  input.addEventListener('change', () => onchange?.(+input.value));
  set(value);
  return { el: h('div.slider', h('label', { htmlFor: id }, label), input, out), input, set, get value() { return +input.value; } };
}

// choice: a labelled select.
export function choice({ id, label, options, value, onchange }) {
  id = id || `c${++serial}`;
  const sel = h('select', { id, onchange: () => onchange?.(sel.value) });
  const fill = (list, v) => {
    sel.replaceChildren(...list.map((o) => {
      const [val, text, off, why] = Array.isArray(o) ? o : [o, o];
      return h('option', { value: val, disabled: !!off, title: why || '' }, text);
    }));
    if (v !== undefined) sel.value = v;
  };
  fill(options || [], value);
  return { el: h('div.choice', h('label', { htmlFor: id }, label), sel), sel, fill };
}

// toggle: a button that is on or off.
export function toggle({ id, label, text, on, onchange, swatch }) {
  const b = h('button.toggle', { id, type: 'button', 'aria-pressed': String(!!on), title: label, 'aria-label': label },
    swatch && h('i.swatch', { style: { background: swatch } }), text || label);
  const set = (v) => b.setAttribute('aria-pressed', String(!!v));
  b.addEventListener('click', () => { const v = b.getAttribute('aria-pressed') !== 'true'; set(v); onchange?.(v); });
  return { el: b, set, get on() { return b.getAttribute('aria-pressed') === 'true'; } };
}

export function section(title, ...children) {
  return h('section.card', title && h('h3', title), ...children);
}
