// Pose, legs, time, parameters and the solver.
import { must, until, state, stand, tab, range, paused } from './kit.mjs';

// pose moves one slider and waits until the body means to be there.
const pose = (key, share) => async (page) => {
  await stand(page);
  await tab(page, 'pose');
  await page.click('#pose-reset');
  await page.waitForTimeout(600);
  const a = await state(page), most = await page.$eval('#pose-' + key, (e) => +e.max);
  await range(page, 'pose-' + key, most * share);
  const turn = ['roll', 'pitch', 'yaw'].includes(key);
  const moved = turn ? (l, q, p) => { const b = l.model.frame.meantQ; return 2 * Math.acos(Math.min(1, Math.abs(q[0] * b[0] + q[1] * b[1] + q[2] * b[2] + q[3] * b[3]))) > 0.02; }
    : (l, q, p) => Math.hypot(...l.model.frame.meantP.map((x, i) => x - p[i])) > 0.02 * l.model.hello.rig.length;
  await until(page, `the body to follow ${key}`, moved, [a.meantQ, a.meantP]);
  await page.click('#pose-reset');
  await until(page, 'the way back', turn
    ? (l, q) => { const b = l.model.frame.meantQ; return 2 * Math.acos(Math.min(1, Math.abs(q[0] * b[0] + q[1] * b[1] + q[2] * b[2] + q[3] * b[3]))) < 0.02; }
    : (l, q, p) => Math.hypot(...l.model.frame.meantP.map((x, i) => x - p[i])) < 0.02 * l.model.hello.rig.length, [a.meantQ, a.meantP]);
};

export const panels = {
  ...Object.fromEntries([['x', 0.4], ['y', 0.4], ['z', -0.3], ['roll', 0.4], ['pitch', 0.4], ['yaw', 0.4]].map(([k, s]) => [`pose ${k}`, pose(k, s)])),
  'height slider': async (page) => {
    await stand(page);
    await tab(page, 'pose');
    const a = await state(page), least = await page.$eval('#height', (e) => +e.min);
    await range(page, 'height', least);
    await until(page, 'a lower body', (l, z, h) => l.model.frame.p[2] < z - 0.7 * h, [a.p[2], a.height - least]);
    await page.click('#pose-reset');
    await until(page, 'the height before', (l, z, h) => Math.abs(l.model.frame.p[2] - z) < 0.3 * h, [a.p[2], a.height - least]);
  },
  'style over the gait, and clips that drive': async (page) => {
    await stand(page);
    await tab(page, 'style');
    const a = await state(page);
    await range(page, 'style-sneak', 1);
    await until(page, 'a lower body', (l, z) => l.model.frame.meantP[2] < z - 0.02 * l.model.hello.rig.length, [a.meantP[2]]);
    await page.click('#style-drive');
    await page.evaluate(() => window.legctl.app.order('goto', { x: 0.5, y: 0.2 }));
    await until(page, 'clips to drive', (l) => l.model.figures.driver === 'clips' && document.getElementById('style-drive').getAttribute('aria-pressed') === 'true');
    await page.click('#style-drive');
    await page.click('#style-reset');
    await until(page, 'the gait to drive', (l) => l.model.figures.driver === 'gait');
    await page.evaluate(() => window.legctl.app.order('stop'));
  },
  'leg off and on': async (page) => {
    await stand(page);
    await tab(page, 'legs');
    await page.click('#leg-lm');
    await until(page, 'lm off', (l) => l.model.off.has('lm') && document.getElementById('leg-lm').getAttribute('aria-pressed') === 'false');
    await until(page, 'lm in the air', (l) => !l.model.frame.legs[l.model.hello.rig.legs.findIndex((x) => x.name === 'lm')].stance);
    await page.click('#leg-lm');
    await until(page, 'lm on', (l) => !l.model.off.has('lm'));
  },
  'pause stops time': async (page) => {
    await stand(page);
    await page.click('#pause');
    await until(page, 'time to stand', (l) => l.model.figures.rate === 0);
    await page.waitForTimeout(300);
    const a = (await state(page)).tick;
    await page.waitForTimeout(500);
    const b = (await state(page)).tick;
    must(a === b, `ticks went from ${a} to ${b}`);
  },
  'single tick is one tick': async (page) => {
    await paused(page);
    for (let i = 0; i < 3; i++) {
      const a = (await state(page)).tick;
      await page.click('#step');
      await until(page, 'one tick', (l, t) => l.model.frame.tick === t + 1, [a]);
    }
  },
  'key . is a single tick': async (page) => {
    const a = await paused(page);
    await page.focus('#picture');
    await page.keyboard.press('Period');
    await until(page, 'one tick', (l, t) => l.model.frame.tick === t + 1, [a]);
  },
  'step a number of ticks': async (page) => {
    await tab(page, 'stage');
    const a = await paused(page);
    await page.fill('#ticks', '25');
    await page.click('#step-n');
    await until(page, '25 ticks', (l, t) => l.model.frame.tick === t + 25, [a]);
  },
  'pause button and key P go on': async (page) => {
    await paused(page);
    await page.click('#pause');
    await until(page, 'time to go', (l) => l.model.figures.rate === 1);
    await page.focus('#picture');
    await page.keyboard.press('KeyP');
    await until(page, 'time to stand', (l) => l.model.figures.rate === 0);
    await page.keyboard.press('KeyP');
    await until(page, 'time to go', (l) => l.model.figures.rate === 1);
  },
  'slow motion': async (page) => {
    await page.selectOption('#slow', '0.1');
    await until(page, 'a tenth', (l) => l.model.figures.rate === 0.1);
    const a = (await state(page)).tick, since = Date.now();
    await page.waitForTimeout(1500);
    const done = (await state(page)).tick - a, most = 0.1 * (Date.now() - since) / 10;
    must(done > 2 && done < most + 8, `${done} ticks, a tenth is ${most}`);
    await page.selectOption('#slow', '1');
    await until(page, 'full speed', (l) => l.model.figures.rate === 1);
  },
  'slider of time': async (page) => {
    await tab(page, 'stage');
    await range(page, 'rate', -1);
    await until(page, 'a tenth', (l) => Math.abs(l.model.figures.rate - 0.1) < 1e-3);
    await range(page, 'rate', 0);
    await until(page, 'full speed', (l) => l.model.figures.rate === 1);
  },
  'parameters have range, unit and words': async (page) => {
    await tab(page, 'tune');
    await page.selectOption('#tune-gait', 'walk');
    await until(page, 'the list', () => document.querySelectorAll('.param').length > 30);
    const speed = await page.$eval('#param-speed', (e) => ({ min: e.min, max: e.max, unit: e.parentElement.querySelector('.unit').textContent, doc: e.parentElement.querySelector('small').textContent }));
    must(speed.min === '0' && speed.max !== '' && speed.unit === 'U/k' && /body speed/.test(speed.doc), JSON.stringify(speed));
  },
  'apply a parameter between two ticks': async (page) => {
    await stand(page);
    await page.fill('#param-lift', '0.55');
    await page.click('#tune-apply');
    await until(page, 'it to be in force', () => /since tick [1-9]/.test(document.getElementById('tune-said').textContent), [], 90000); // after a sweep
    must(await page.inputValue('#param-lift') === '0.55', 'another value');
    // The rig lifts its feet higher than 0.35 U from now on.
    await page.focus('#picture');
    await page.keyboard.down('KeyW');
    await until(page, 'higher steps', (l) => l.model.frame.legs.some((g) => !g.stance && g.foot[2] - g.target[2] > 0.42 * l.model.hello.unit));
    await page.keyboard.up('KeyW');
  },
  'save as YAML': async (page) => {
    await page.click('#tune-save');
    await until(page, 'the file', (l) => l.app.saved?.startsWith('gait: walk'));
    const text = await page.evaluate(() => legctl.app.saved);
    must(/lift: 0\.55/.test(text), text);
  },
  'undo a parameter': async (page) => {
    await page.click('#tune-undo');
    await until(page, 'the value before', () => document.getElementById('param-lift')?.value === '0.35');
  },
  'a value out of range is refused with the bound': async (page) => {
    await page.fill('#param-lift', '99');
    await page.click('#tune-apply');
    await until(page, 'the reason', () => /lift is 99, must be in \[0, 2\]/.test(document.getElementById('tune-said').textContent));
    await page.selectOption('#tune-gait', 'walk');
    await page.evaluate(() => document.getElementById('tune-gait').dispatchEvent(new Event('change')));
  },
  'the controller itself is tuned, saved and undone': async (page) => {
    await page.selectOption('#tune-gait', 'controller');
    await until(page, 'its list', () => document.getElementById('param-goal_near'));
    await page.fill('#param-goal_near', '3');
    await page.click('#tune-apply');
    await until(page, 'it to be in force', () => /since tick [1-9]/.test(document.getElementById('tune-said').textContent));
    await page.click('#tune-save');
    await until(page, 'a world', (l) => /^world: saved[^]*goal_near: 3\n/.test(l.app.saved));
    await page.click('#tune-undo');
    await until(page, 'the value before', () => document.getElementById('param-goal_near').value === '2.2');
    await page.selectOption('#tune-gait', 'walk');
    await until(page, 'the gait', () => document.getElementById('param-lift'));
  },
  'find a parameter': async (page) => {
    await page.fill('#tune-filter', 'cooldown');
    await until(page, 'two of them', () => { const n = document.querySelectorAll('.param').length; return n > 0 && n < 8; });
    await page.fill('#tune-filter', '');
  },
  'solve one move at a time': async (page) => {
    await stand(page);
    await tab(page, 'solve');
    await page.selectOption('#solve-leg', 'rf');
    await page.click('#solve-go');
    await until(page, 'moves', (l) => l.app.solve?.moves > 3 && l.app.solve.at === 0);
    const start = await page.evaluate(() => legctl.app.solve.points);
    await page.click('#solve-step');
    await until(page, 'one move', (l) => l.app.solve.at === 1);
    const one = await page.evaluate(() => legctl.app.solve.points);
    must(one.filter((p, i) => p.some((x, k) => x !== start[i][k])).length === 1, 'not exactly one point moved');
    must(/sweep|Sweep|finish/.test(await page.textContent('#solve-said')), 'no words');
    await page.click('#solve-back');
    await until(page, 'back', (l) => l.app.solve.at === 0);
    await page.click('#solve-play');
    await until(page, 'the end', (l) => l.app.solve.at === l.app.solve.moves, [], 40000);
    const status = await page.evaluate(() => legctl.app.solve.status);
    await page.click('#solve-clear');
    must(await page.evaluate(() => legctl.app.solve === null), 'not cleared');
    return status;
  },
};
