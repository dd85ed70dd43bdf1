// Steering: keys, stick, gamepad, going to a point, gait, mode, pushing.
import { must, until, state, stand, tab, range } from './kit.mjs';

const walks = (l, i, sign) => Math.sign(l.model.frame.wish[i]) === sign && l.model.name('modes', l.model.frame.mode) === 'walk';

// key holds a key until the rig does what is wanted.
const key = (code, i, sign) => async (page) => {
  await stand(page);
  await page.focus('#picture');
  await page.keyboard.down(code);
  await until(page, `wish ${i} of sign ${sign}`, walks, [i, sign]);
  await page.keyboard.up(code);
  await until(page, 'rest', (l) => l.model.frame.wish.every((v) => v === 0));
};

export const drive = {
  'key W walks forward, and lets go': key('KeyW', 0, 1),
  'key S walks back': key('KeyS', 0, -1),
  'key A turns left': key('KeyA', 2, 1),
  'key D turns right': key('KeyD', 2, -1),
  'key Q goes left': key('KeyQ', 1, 1),
  'key E goes right': key('KeyE', 1, -1),
  'arrow up walks forward': key('ArrowUp', 0, 1),
  'the rig really moves': async (page) => {
    await stand(page);
    const a = await state(page);
    await page.focus('#picture');
    await page.keyboard.down('KeyW');
    await until(page, 'a way of 40 mm', (l, p) => Math.hypot(l.model.frame.p[0] - p[0], l.model.frame.p[1] - p[1]) > 0.04, [a.p]);
    await page.keyboard.up('KeyW');
  },
  'key Space stops': async (page) => {
    await page.evaluate(() => legctl.link.ask('goto', { x: 5, y: 0 }));
    await until(page, 'walk', walks, [0, 1]);
    await page.focus('#picture');
    await page.keyboard.press('Space');
    await until(page, 'stop', (l) => l.model.frame.wish.every((v) => v === 0));
  },
  'stick walks and springs back': async (page) => {
    await stand(page);
    await tab(page, 'drive');
    await page.locator('#stick').scrollIntoViewIfNeeded();
    const b = await page.locator('#stick').boundingBox(), x = b.x + b.width / 2, y = b.y + b.height / 2;
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x, y - 70, { steps: 3 });
    await until(page, 'walk ahead', walks, [0, 1]);
    await page.mouse.move(x + 70, y, { steps: 3 });
    await until(page, 'turn right', walks, [2, -1]);
    await page.mouse.up();
    await until(page, 'rest', (l) => l.model.frame.wish.every((v) => v === 0));
    must(await page.$eval('#stick .knob', (k) => /translate\(0%, 0%\)/.test(k.style.transform)), 'the knob did not spring back');
  },
  'stick by arrow keys': async (page) => {
    await stand(page);
    await page.focus('#stick');
    await page.keyboard.down('ArrowUp');
    await until(page, 'walk ahead', walks, [0, 1]);
    await page.keyboard.up('ArrowUp');
    await until(page, 'rest', (l) => l.model.frame.wish.every((v) => v === 0));
  },
  'sideways makes the stick go left and right': async (page) => {
    await stand(page);
    await page.click('#sideways');
    await page.focus('#stick');
    await page.keyboard.down('ArrowLeft');
    await until(page, 'go left', walks, [1, 1]);
    await page.keyboard.up('ArrowLeft');
    await page.click('#sideways');
    must(!(await page.evaluate(() => legctl.drive.sideways)), 'still sideways');
  },
  'speed slider scales what is asked': async (page) => {
    await stand(page);
    await range(page, 'level', 0.3);
    await page.focus('#picture');
    await page.keyboard.down('KeyW');
    await until(page, '30 % of the speed', (l) => l.model.frame.wish[0] > 0 && Math.abs(l.model.frame.wish[0] - 0.3 * l.model.gait().speed) < 1e-3);
    await page.keyboard.up('KeyW');
    await range(page, 'level', 0.8);
  },
  'gamepad walks, turns, stops and changes the gait': async (page) => {
    await stand(page);
    const pad = (axes, pressed = []) => page.evaluate(([a, p]) => {
      window.pads = [{ connected: true, id: 'pad', axes: a, buttons: Array.from({ length: 12 }, (_, i) => ({ pressed: p.includes(i) })) }];
    }, [axes, pressed]);
    await pad([0, -1, 0, 0]);
    await until(page, 'walk ahead', walks, [0, 1]);
    await pad([0, 0, -1, 0]);
    await until(page, 'turn left', walks, [2, 1]);
    await pad([-1, 0, 0, 0]);
    await until(page, 'go left', walks, [1, 1]);
    await pad([0, 0, 0, 0], [0]);
    await until(page, 'stop', (l) => l.model.frame.wish.every((v) => v === 0));
    const was = (await state(page)).gait;
    await pad([0, 0, 0, 0]);
    await page.waitForTimeout(250);
    await pad([0, 0, 0, 0], [5]);
    await until(page, 'another gait', (l, g) => l.model.gait().name !== g, [was]);
    await pad([0, 0, 0, 0]);
    await page.waitForTimeout(250);
    await pad([0, 0, 0, 0], [4]);
    await until(page, 'the gait before', (l, g) => l.model.gait().name === g, [was]);
    await page.evaluate(() => { window.pads = []; });
  },
  'click to go goes there': async (page) => {
    await stand(page);
    await tab(page, 'drive');
    await page.click('#go');
    const b = await page.locator('#picture').boundingBox();
    await page.mouse.click(b.x + b.width * 0.42, b.y + b.height * 0.35);
    await until(page, 'a goal that was taken', (l) => l.app.goalAt && l.app.last?.accepted && l.app.last.topic === 'goto');
    await until(page, 'a wish', (l) => l.model.frame.wish.some((v) => v !== 0));
    await page.click('#go');
    await page.click('#stop');
    await until(page, 'stop', (l) => l.model.frame.wish.every((v) => v === 0) && !l.app.goalAt);
  },
  'stop button stops': async (page) => {
    await page.evaluate(() => legctl.link.ask('goto', { x: 9, y: 0 }));
    await until(page, 'walk', walks, [0, 1]);
    await tab(page, 'drive');
    await page.click('#stop');
    await until(page, 'stop', (l) => l.model.frame.wish.every((v) => v === 0));
  },
  'gait by list': async (page) => {
    await stand(page);
    for (const g of ['tripod', 'walk']) {
      await page.selectOption('#gait', g);
      await until(page, g, (l, n) => l.model.gait().name === n, [g]);
    }
  },
  'gait by number key': async (page) => {
    await stand(page);
    const names = await page.evaluate(() => legctl.model.hello.gaits.filter((g) => !g.why).map((g) => g.name));
    await page.focus('#picture');
    await page.keyboard.press('Digit2');
    await until(page, names[1], (l, n) => l.model.gait().name === n, [names[1]]);
    await page.keyboard.press('Digit1');
    await until(page, names[0], (l, n) => l.model.gait().name === n, [names[0]]);
    await page.selectOption('#gait', 'walk');
    await until(page, 'walk', (l) => l.model.gait().name === 'walk');
  },
  'mode buttons: disarm, arm, rise': async (page) => {
    await stand(page);
    for (const [order, mode] of [['disarm', 'limp'], ['arm', 'hold'], ['rise', 'stand']]) {
      await page.click('#mode-' + order);
      await until(page, mode, (l, m) => l.model.name('modes', l.model.frame.mode) === m, [mode]);
    }
  },
  'push buttons push the body': async (page) => {
    await stand(page);
    await tab(page, 'drive');
    for (const [id, i, sign] of [['ahead', 0, 1], ['back', 0, -1], ['left', 1, 1], ['right', 1, -1]]) {
      await stand(page);
      await page.evaluate(() => { window.most = [0, 0]; legctl.model.addEventListener('frame', window.watch = (e) => { for (const k of [0, 1]) if (Math.abs(e.detail.real[k]) > Math.abs(window.most[k])) window.most[k] = e.detail.real[k]; }); });
      await page.click('#push-' + id);
      await until(page, `a push ${id}`, (l, k, s) => l.app.last?.topic === 'push' && l.app.last.accepted && s * window.most[k] > 0.02, [i, sign]);
      await page.evaluate(() => legctl.model.removeEventListener('frame', window.watch));
    }
    await page.click('#push-up');
    await until(page, 'a push up', (l) => l.app.last?.topic === 'push' && l.app.last.accepted);
  },
  'push strength scales the push': async (page) => {
    await stand(page);
    await range(page, 'strength', 0.2);
    await page.evaluate(() => { const ask = legctl.link.ask.bind(legctl.link); window.asked = []; legctl.link.ask = (w, v) => { window.asked.push([w, v]); return ask(w, v); }; });
    await page.click('#push-ahead');
    const v = await page.evaluate(() => { const p = window.asked.find((a) => a[0] === 'push')[1]; return Math.hypot(p.x, p.y) / legctl.app.pushSpeed(); });
    must(Math.abs(v - 0.2) < 0.02, `pushed with ${v}`);
    await range(page, 'strength', 1);
  },
  'control is taken and given back': (page, { beside }) => beside({}, async (other) => {
    await tab(other, 'drive');
    await other.click('#lease');
    await until(page, 'somebody else to hold control', (l) => /has control/.test(document.getElementById('holder').textContent));
    const r = await page.evaluate(() => legctl.app.order('gait', { gait: 'tripod' }));
    must(!r.accepted && /lease/.test(r.reason), `not refused: ${JSON.stringify(r)}`);
    const mine = await other.evaluate(() => legctl.app.order('gait', { gait: 'walk' }));
    must(mine.accepted, `the holder is refused: ${mine.reason}`);
    await other.click('#lease');
    await until(page, 'control to be free', () => /Everybody/.test(document.getElementById('holder').textContent));
  }),
  'a refusal is shown with its reason': async (page) => {
    await page.evaluate(() => legctl.app.order('height', { height: 77 }));
    await until(page, 'a toast', () => /out of range|bound/.test(document.getElementById('toast').textContent));
  },
};
