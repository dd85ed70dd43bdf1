// What the cases are made of.

export function must(ok, what) { if (!ok) throw new Error(what); }

// until waits for a condition inside the page: f gets window.legctl and args. It
// is asked from here: the page itself lets nobody evaluate text (its policy).
export async function until(page, what, f, args = [], timeout = 30000) {
  const text = `(${f})(window.legctl, ...${JSON.stringify(args)})`;
  for (const end = Date.now() + timeout; Date.now() < end; await new Promise((r) => setTimeout(r, 40))) {
    if (await page.evaluate(text)) return;
  }
  throw new Error(`not in time: ${what}; ${JSON.stringify(await state(page))}`);
}

// state is what the page knows of the rig.
export function state(page) {
  return page.evaluate(() => {
    const m = legctl.model, f = m.frame;
    return f && {
      tick: f.tick, mode: m.name('modes', f.mode), gait: m.gait()?.name, binding: m.name('bindings', f.binding), wish: f.wish, twist: f.twist, real: f.real,
      p: f.p, q: f.q, meantP: f.meantP, meantQ: f.meantQ, margin: f.margin, rate: m.figures?.rate, off: [...m.off], scene: m.hello.scene, rig: m.hello.rig.name,
      length: m.hello.rig.length, height: m.hello.rig.height, ground: m.hello.ground?.kind, last: legctl.app.last, toast: document.getElementById('toast').textContent,
      steer: legctl.drive.value,
    };
  });
}

// stand brings the rig to rest, with time running.
export async function stand(page) {
  await page.evaluate(async () => {
    legctl.drive.keys.clear();
    legctl.drive.stick = null;
    legctl.app.setTool('look');
    if (legctl.model.figures?.rate !== 1) await legctl.app.setRate(1);
    if (['limp', 'hold', 'fault'].includes(legctl.model.name('modes', legctl.model.frame.mode))) { await legctl.link.ask('mode', { mode: 'clear' }); await legctl.link.ask('mode', { mode: 'arm' }); await legctl.link.ask('mode', { mode: 'rise' }); }
    await legctl.link.ask('stop');
  });
  await until(page, 'the rig to stand', (l) => l.model.name('modes', l.model.frame.mode) === 'stand');
}

export const tab = (page, key) => page.$eval('#tab-' + key, (e) => e.click());

// range sets a slider as a person would leave it.
export function range(page, id, value) {
  return page.$eval('#' + id, (el, v) => { el.value = v; el.dispatchEvent(new Event('input', { bubbles: true })); el.dispatchEvent(new Event('change', { bubbles: true })); }, value);
}

export async function ask(page, what, values) { return page.evaluate(([w, v]) => legctl.link.ask(w, v), [what, values]); }

// scene shows a rig on a ground and waits until it stands there.
export async function scene(page, rig, terrain) {
  const was = (await state(page)).scene;
  const r = await ask(page, 'restart', { rig, terrain });
  must(r.accepted, `restart: ${r.reason}`);
  await until(page, `${rig} on ${terrain}`, (l, n, kind) => l.model.hello.scene !== n && l.model.frame && l.model.hello.ground.kind === kind, [was, terrain], 40000);
}

// paused stops time and returns the tick at which it stands.
export async function paused(page) {
  await page.evaluate(() => legctl.app.setRate(0));
  await until(page, 'time to stand', (l) => l.model.figures?.rate === 0);
  for (let was = -1; ; await page.waitForTimeout(400)) {
    const now = (await state(page)).tick;
    if (now === was) return now;
    was = now;
  }
}
