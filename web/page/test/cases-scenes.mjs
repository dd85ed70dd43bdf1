// Other rigs and grounds, blocks, the phone, a lost connection.
import { must, until, state, stand, tab, scene, ask } from './kit.mjs';

export const scenes = {
  'another ground by the switcher': async (page) => {
    await stand(page);
    await tab(page, 'stage');
    const was = (await state(page)).scene;
    await page.selectOption('#stage-terrain', 'blocks');
    await page.click('#stage-go');
    await until(page, 'blocks', (l, n) => l.model.hello.scene !== n && l.model.frame && l.model.hello.ground.kind === 'blocks', [was], 40000);
  },
  'take a block away by number': async (page) => {
    await tab(page, 'stage');
    await page.fill('#block', '3');
    await page.click('#block-go');
    await until(page, 'the block to go', (l) => l.app.last?.topic === 'block' && l.app.last.accepted && l.view.ground.blocks.get(3).visible === false);
    await page.click('#block-go');
    await until(page, 'a refusal', () => /removed already/.test(document.getElementById('toast').textContent));
  },
  'take the block ahead away': async (page) => {
    const before = await page.evaluate(() => [...legctl.view.ground.blocks.values()].filter((m) => m.visible).length);
    await page.click('#block-under');
    await until(page, 'one fewer', (l, n) => [...l.view.ground.blocks.values()].filter((m) => m.visible).length === n - 1, [before]);
  },
  'click a block away': async (page) => {
    await page.click('#camera-top');
    await until(page, 'straight down', (l) => { const c = l.view.camera.position, t = l.view.target; return Math.hypot(c.x - t.x, c.y - t.y) < 0.01 * (c.z - t.z); });
    const before = await page.evaluate(() => [...legctl.view.ground.blocks.values()].filter((m) => m.visible).length);
    await page.$eval('#pick-block', (e) => e.click());
    // Where the middle of a block at the edge is on the screen.
    const [block, x, y] = await page.evaluate(() => {
      const [n, m] = [...legctl.view.ground.blocks].findLast(([, m]) => m.visible), b = document.getElementById('picture').getBoundingClientRect();
      m.geometry.computeBoundingBox();
      const at = m.geometry.boundingBox.getCenter(legctl.view.target.clone()).setZ(m.geometry.boundingBox.max.z).project(legctl.view.camera);
      return [n, b.x + b.width * (1 + at.x) / 2, b.y + b.height * (1 - at.y) / 2];
    });
    await page.mouse.click(x, y);
    await until(page, 'that block to go', (l, n, k) => !l.view.ground.blocks.get(k).visible && [...l.view.ground.blocks.values()].filter((m) => m.visible).length === n - 1, [before, block]);
    await page.$eval('#pick-block', (e) => e.click());
    await page.click('#camera-follow');
  },
  'a page that comes later sees the holes': (page, { beside }) => beside({}, async (other) => {
    must(await other.evaluate(() => legctl.view.ground.blocks.get(3).visible === false), 'the block is back');
  }),
  'another rig by the switcher': async (page) => {
    await tab(page, 'stage');
    const was = (await state(page)).scene;
    await page.selectOption('#stage-rig', 'a1');
    await page.selectOption('#stage-terrain', 'flat');
    await page.click('#stage-go');
    await until(page, 'a1 on flat', (l, n) => l.model.hello.scene !== n && l.model.frame && l.model.hello.rig.name === 'a1' && l.model.hello.ground.kind === 'flat', [was], 40000);
    must(await page.locator('.leg').count() === 4, 'not four legs');
    must(await page.textContent('#rig') === 'a1', 'another name');
  },
  'a path is no rig': async (page) => {
    const r = await ask(page, 'restart', { rig: '../../../etc/passwd' });
    must(!r.accepted && /path/.test(r.reason), JSON.stringify(r));
    must((await state(page)).rig === 'a1', 'the scene changed');
  },
  'the new rig walks': async (page) => {
    await stand(page);
    await page.focus('#picture');
    await page.keyboard.down('KeyW');
    await until(page, 'walk', (l) => l.model.name('modes', l.model.frame.mode) === 'walk' && l.model.frame.wish[0] > 0);
    await page.keyboard.up('KeyW');
  },
  'tiles of a height field come': async (page) => {
    await scene(page, 'phantomx', 'rough');
    await until(page, 'tiles', (l) => [...l.view.ground.tiles.values()].filter((t) => t.mesh).length >= 4);
  },
  'phone: fits, steers by touch, zooms by two fingers': (page, { beside }) => beside({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }, async (phone) => {
    must(await phone.evaluate(() => document.documentElement.scrollWidth <= innerWidth), 'wider than the screen');
    for (const key of ['pose', 'style', 'legs', 'charts', 'tune', 'stage', 'solve', 'drive']) {
      await phone.tap('#tab-' + key);
      const el = key === 'charts' ? '#dock' : '#panel-' + key;
      must(await phone.locator(el).isVisible(), `${key} is not to be seen`);
      const b = await phone.locator(el).boundingBox();
      must(b.x >= 0 && b.x + b.width <= 391, `${key} is from ${b.x} to ${b.x + b.width}`);
    }
    const cdp = await phone.context().newCDPSession(phone);
    const touch = (type, touchPoints = []) => cdp.send('Input.dispatchTouchEvent', { type, touchPoints });
    const middle = async (id) => { const b = await phone.locator(id).boundingBox(); return [b.x + b.width / 2, b.y + b.height / 2]; };
    const [x, y] = await middle('#stick');
    await touch('touchStart', [{ x, y }]);
    await touch('touchMove', [{ x, y: y - 60 }]);
    await until(phone, 'walk by touch', (l) => l.model.frame.wish[0] > 0);
    await touch('touchEnd');
    await until(phone, 'rest', (l) => l.model.frame.wish.every((v) => v === 0));
    const small = await phone.evaluate(() => [...document.querySelectorAll('#panel-drive button, .tab, .top button')].filter((e) => e.offsetParent && e.getBoundingClientRect().height < 36).map((e) => e.id));
    must(small.length === 0, `too small for a finger: ${small}`);
    const [px, py] = await middle('#picture'), d = await phone.evaluate(() => legctl.view.distance);
    const pair = (r) => [{ x: px - r, y: py, id: 1 }, { x: px + r, y: py, id: 2 }];
    await touch('touchStart', pair(30));
    for (const r of [40, 60, 90]) await touch('touchMove', pair(r));
    await touch('touchEnd');
    await until(phone, 'to be nearer', (l, was) => l.view.distance < was * 0.8, [d]);
  }),
  'a lost connection comes back': async (page) => {
    await page.evaluate(() => {
      window.gone = '';
      legctl.link.addEventListener('up', (e) => { if (!e.detail) window.gone = document.getElementById('lamp').textContent; });
      legctl.link.ws.close();
    });
    await until(page, 'to be gone, and to say so', () => window.gone === 'no connection');
    await until(page, 'to be back', (l) => l.link.up && document.getElementById('lamp').dataset.on === 'true' && performance.now() - l.model.arrived < 1000);
  },
};
