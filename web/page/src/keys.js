// The keyboard: everything has a key, unless somebody is writing.
import { h, iconButton } from './dom.js';

const list = [
  ['W A S D', 'walk and turn'], ['Q E', 'sideways'], ['Space', 'stop'], ['1 – 9', 'gait'], ['P', 'pause'], ['.', 'single tick'],
  ['F O T', 'follow, orbit, top camera'], ['+ −', 'nearer, farther'], ['V', 'overlays'], ['G', 'click to go'], ['L', 'dark or light'],
  ['Alt 1 – 8', 'tabs'], ['?', 'this list'],
];

export function helpDialog() {
  const d = h('dialog.help', { id: 'help-dialog', 'aria-label': 'Keys' },
    h('div.help-head', h('h2', 'Keys'), iconButton('close', 'Close', () => d.close())),
    h('dl', list.flatMap(([k, what]) => [h('dt', k.split(' ').map((x) => h('kbd', x))), h('dd', what)])),
    h('p.note', 'Gamepad: left stick walks, right stick turns, A stops, B pauses, the shoulders change the gait. Drag the picture to look round, turn the wheel or pinch to come nearer.'));
  document.body.append(d);
  return d;
}

const steering = new Set(['KeyW', 'KeyA', 'KeyS', 'KeyD', 'KeyQ', 'KeyE', 'ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight']);

export function keyboard(app, page) {
  const writes = (e) => e.target.closest?.('input:not([type=checkbox]), select, textarea, dialog');
  const acts = {
    Space: () => { app.goal(null); app.report(app.drive.stop()); }, KeyP: () => app.togglePause(), Period: () => app.step(1),
    KeyF: () => app.view.setMode('follow'), KeyO: () => app.view.setMode('orbit'), KeyT: () => app.view.setMode('top'),
    KeyV: () => page.showLayers(page.layers.hidden), KeyG: () => app.setTool(app.tool === 'go' ? 'look' : 'go'), KeyL: () => page.setTheme(),
    Equal: () => app.view.zoom(0.85), Minus: () => app.view.zoom(1.18), NumpadAdd: () => app.view.zoom(0.85), NumpadSubtract: () => app.view.zoom(1.18),
  };
  const tabs = ['drive', 'pose', 'style', 'legs', 'charts', 'tune', 'stage', 'solve'];
  window.addEventListener('keydown', (e) => {
    if (e.altKey && /^Digit[1-8]$/.test(e.code)) { e.preventDefault(); page.open(tabs[+e.code.at(-1) - 1]); return; }
    if (e.ctrlKey || e.metaKey || e.altKey || writes(e)) return;
    const arrows = e.code.startsWith('Arrow');
    if (steering.has(e.code) && (!arrows || e.target === app.canvas || e.target === document.body)) {
      e.preventDefault();
      app.drive.keys.add(e.code);
      return;
    }
    if (e.key === '?') { page.help.showModal(); return; }
    const digit = /^Digit([1-9])$/.exec(e.code);
    if (digit) {
      const g = app.model.hello?.gaits.filter((x) => !x.why)[+digit[1] - 1];
      if (g) app.order('gait', { gait: g.name });
      return;
    }
    // A button that has the focus takes the space for itself.
    if (e.code === 'Space' && e.target.closest?.('button, a')) return;
    if (acts[e.code] && !e.repeat) { e.preventDefault(); acts[e.code](); }
  });
  window.addEventListener('keyup', (e) => app.drive.keys.delete(e.code));
}
