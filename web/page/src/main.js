// The page: joins the link, the model, the picture and the panels.
import { h, icon, iconButton, toggle } from './dom.js';
import { Link } from './link.js';
import { Model } from './model.js';
import { View } from './view.js';
import { Drive } from './drive.js';
import { Diagram } from './diagram.js';
import { Charts } from './charts.js';
import { kinds, colours } from './overlays.js';
import { preferred, keep } from './theme.js';
import { App } from './app.js';
import { drivePanel } from './panels/drive.js';
import { posePanel } from './panels/pose.js';
import { legsPanel } from './panels/legs.js';
import { stylePanel } from './panels/style.js';
import { tunePanel } from './panels/tune.js';
import { stagePanel } from './panels/stage.js';
import { solvePanel } from './panels/solve.js';
import { dock } from './dock.js';
import { keyboard, helpDialog } from './keys.js';

const url = new URL('ws', location.href);
url.protocol = url.protocol === 'https:' ? 'wss:' : 'ws:';
const link = new Link(url), model = new Model(link);
const drive = new Drive(link, model);
let theme = preferred();
document.documentElement.dataset.theme = theme;

const canvas = h('canvas', { id: 'picture', tabIndex: 0, role: 'img', 'aria-label': 'The rig on its ground' });
const view = new View(canvas, model, theme);
const app = new App({ link, model, view, drive, canvas });

// The bar at the top.
const rigName = h('strong', { id: 'rig' }, 'no rig yet'), about = h('span.about', { id: 'about' });
const lamp = h('span.lamp', { id: 'lamp', role: 'status' }, 'connecting');
const pause = iconButton('pause', 'Pause (P)', () => app.togglePause(), { id: 'pause' });
const step = iconButton('step', 'Single tick (.)', () => app.step(1), { id: 'step' });
const slow = h('select', { id: 'slow', 'aria-label': 'Speed of time', onchange: () => app.setRate(+slow.value) },
  [[1, '1×'], [0.5, '½×'], [0.25, '¼×'], [0.1, '⅒×'], [0.02, '1/50×']].map(([v, t]) => h('option', { value: v }, t)));
const transport = h('div.group', { role: 'group', 'aria-label': 'Time' }, pause, step, slow);
const themeButton = iconButton('theme', 'Dark or light', () => setTheme(theme === 'dark' ? 'light' : 'dark'), { id: 'theme' });
const help = helpDialog();
const top = h('header.top', h('img', { src: 'icon.svg', alt: '', width: 26, height: 26 }), h('div.title', rigName, about), lamp, transport,
  h('div.group', themeButton, iconButton('help', 'Keys and help (?)', () => help.showModal(), { id: 'help' })));

// What lies over the picture.
const badges = h('div.badges', { id: 'badges' });
const cameras = h('div.segmented', { role: 'radiogroup', 'aria-label': 'Camera' });
for (const [mode, label] of [['follow', 'Follow (F)'], ['orbit', 'Orbit (O)'], ['top', 'Top (T)']]) {
  cameras.append(iconButton(mode, label, () => view.setMode(mode), { id: 'camera-' + mode, role: 'radio', 'aria-checked': String(mode === 'follow') }));
}
canvas.addEventListener('camera', (e) => {
  for (const b of cameras.children) b.setAttribute('aria-checked', String(b.id === 'camera-' + e.detail));
});
const layers = h('div.layers', { id: 'layers', hidden: true, role: 'group', 'aria-label': 'Overlays' });
const toggles = {};
for (const [key, label, colour] of kinds) {
  toggles[key] = toggle({ id: 'overlay-' + key, label, swatch: colours[colour], onchange: (on) => setOverlay(key, on) });
  layers.append(toggles[key].el);
}
const layersButton = iconButton('layers', 'Overlays (V)', () => showLayers(layers.hidden), { id: 'layers-button', 'aria-expanded': 'false', 'aria-controls': 'layers' });
const toast = h('div.toast', { id: 'toast', role: 'alert' });
const picture = h('main.picture', { 'aria-label': 'Picture' }, canvas, badges, h('div.tools', cameras, layersButton, layers), toast);

function showLayers(on) { layers.hidden = !on; layersButton.setAttribute('aria-expanded', String(on)); }
function setOverlay(key, on) {
  view.overlays.set(key, on);
  toggles[key].set(on);
  localStorage.setItem('legctl.overlays', JSON.stringify([...view.overlays.on]));
}

// The side: one tab a panel.
const d = dock();
const panels = [
  ['drive', 'Drive', drivePanel(app)], ['pose', 'Pose', posePanel(app)], ['style', 'Style', stylePanel(app)], ['legs', 'Legs', legsPanel(app)], ['charts', 'Charts', null],
  ['tune', 'Tune', tunePanel(app)], ['stage', 'Scene', stagePanel(app)], ['solve', 'Solve', solvePanel(app)],
];
const tabs = h('div.tabs', { role: 'tablist', 'aria-label': 'Controls' });
const body = h('div.body');
for (const [key, label, el] of panels) {
  tabs.append(h('button.tab', { type: 'button', role: 'tab', id: 'tab-' + key, 'aria-controls': key === 'charts' ? 'dock' : 'panel-' + key, onclick: () => open(key) }, label));
  if (!el) continue;
  Object.assign(el, { id: 'panel-' + key });
  el.setAttribute('role', 'tabpanel');
  el.setAttribute('aria-labelledby', 'tab-' + key);
  body.append(el);
}
tabs.addEventListener('keydown', (e) => {
  const i = panels.findIndex(([k]) => k === root.dataset.tab), to = { ArrowRight: i + 1, ArrowLeft: i - 1, Home: 0, End: panels.length - 1 }[e.key];
  if (to === undefined) return;
  e.preventDefault();
  const key = panels[(to + panels.length) % panels.length][0];
  open(key);
  document.getElementById('tab-' + key).focus();
});
const side = h('aside.side', { id: 'side', 'aria-label': 'Controls' }, tabs, body);
const root = h('div.app', top, picture, side, d.el);
document.getElementById('app').replaceWith(root);

function open(key) {
  root.dataset.tab = key;
  for (const t of tabs.children) {
    const on = t.id === 'tab-' + key;
    t.setAttribute('aria-selected', String(on));
    t.tabIndex = on ? 0 : -1;
    if (on) t.scrollIntoView({ block: 'nearest', inline: 'nearest' });
  }
  for (const p of body.children) p.hidden = p.id !== 'panel-' + key;
}
open('drive');

function setTheme(name) {
  theme = name;
  keep(name);
  document.documentElement.dataset.theme = name;
  view.theme(name);
  charts.retheme();
}

const diagram = new Diagram(d.gait, model), charts = new Charts(d, model);
d.leg.sel.addEventListener('change', () => { charts.leg = +d.leg.sel.value; charts.begin(); });
d.quantity.sel.addEventListener('change', () => { charts.quantity = d.quantity.sel.value; });
model.addEventListener('hello', (e) => {
  const hello = e.detail;
  rigName.textContent = hello.rig.name;
  about.textContent = `${hello.rig.legs.length} legs on ${hello.ground?.kind || 'ground'}`;
  document.title = `${hello.rig.name} · legctl`;
  transport.hidden = !hello.stages;
  d.leg.fill(hello.rig.legs.map((l, i) => [i, l.name]), 0);
  app.toast('');
});
model.addEventListener('event', (e) => d.log(e.detail));
model.addEventListener('figures', () => {
  const f = model.figures, paused = f.rate === 0;
  pause.replaceChildren(icon(paused ? 'play' : 'pause'));
  pause.setAttribute('aria-label', paused ? 'Go on (P)' : 'Pause (P)');
  if (!paused && document.activeElement !== slow) slow.value = [...slow.options].reduce((a, o) => (Math.abs(o.value - f.rate) < Math.abs(a - f.rate) ? o.value : a), 1);
  app.refreshRate?.(f.rate);
  d.lateness(f);
});
link.addEventListener('up', (e) => { lamp.textContent = e.detail ? 'live' : 'no connection'; lamp.dataset.on = String(e.detail); });
keyboard(app, { open, setOverlay, showLayers, layers, help, setTheme: () => setTheme(theme === 'dark' ? 'light' : 'dark') });

const mm = (v) => (v === null ? 'no foot down' : `${(v * 1e3).toFixed(0)} mm`);
function badge(label, value, kind) { return h('span.badge', { 'data-kind': kind || '' }, h('small', label), h('b', value)); }
function alarms(bits) { return model.hello.names.alarms.filter((_, i) => bits >>> i & 1).reverse().map((name) => badge('alarm', name.replaceAll('_', ' '), 'bad')); }
function status() {
  const f = model.frame;
  if (!f) return;
  const mode = model.name('modes', f.mode), bind = model.name('bindings', f.binding), leg = model.hello.rig.legs[f.bindLeg]?.name;
  const v = Math.hypot(f.real[0], f.real[1]), wish = Math.hypot(f.wish[0], f.wish[1]);
  const limit = bind === 'none' ? 'none' : bind.replace('_', ' ') + (leg ? ' ' + leg : '');
  badges.replaceChildren(
    badge('mode', mode, mode === 'fault' ? 'bad' : mode === 'walk' ? 'good' : ''), badge('gait', model.gait()?.name || '?'),
    badge('speed', `${v.toFixed(3)} m/s`), badge('asked', `${wish.toFixed(3)} m/s`), badge('limit', limit, bind === 'none' ? '' : 'warn'),
    badge('margin', mm(f.margin), f.margin !== null && f.margin < 0 ? 'bad' : ''),
    ...alarms(f.alarms),
    f.hottest > 0 && badge('hottest', `${f.hottest} °C`) || '', f.battery > 0 && badge('battery', `${f.battery.toFixed(1)} V`) || '', model.figures?.rate === 0 && badge('time', 'stopped', 'warn') || '');
  d.bind.textContent = `limit: ${limit}`;
  d.marginNow.textContent = mm(f.margin);
}

try { for (const k of JSON.parse(localStorage.getItem('legctl.overlays') || '["polygon","com"]')) if (toggles[k]) setOverlay(k, true); } catch { /* an old note */ }

let slowDraw = 0;
function loop(now) {
  for (const f of app.beforeDraw) f();
  view.draw(now);
  if (view.shown && !window.legctl.firstView) window.legctl.firstView = performance.now();
  if (now - slowDraw > (view.quality === 2 ? 200 : 100)) {
    slowDraw = now;
    status();
    diagram.draw();
    charts.draw();
  }
  requestAnimationFrame(loop);
}
requestAnimationFrame(loop);

// For the browser tests, and for people with a console.
window.legctl = { app, link, model, view, drive, open, setOverlay };
