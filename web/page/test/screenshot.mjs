// Makes one picture of the page and proves that it is not blank.
//   node screenshot.mjs URL CHROMIUM WHAT FILE
import { chromium } from 'playwright-core';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { until } from './kit.mjs';
import { indexed } from './png.mjs';

const [, , url, executablePath, what, file] = process.argv;
const desktop = { viewport: { width: 1200, height: 750 } };
// at: how far the rig has walked when the picture is made, in lengths of its legs.
const looks = {
  hexapod: { ...desktop, vx: 0.05, theme: 'dark', on: ['trigger', 'targets', 'polygon', 'com', 'scan'], tab: 'drive', at: 2.05, az: -2.15, el: 0.36, distance: 4.8 },
  quadruped: { ...desktop, vx: 0.25, theme: 'light', on: ['polygon', 'com', 'force', 'targets'], tab: 'tune', at: 2.5, az: -2.5, el: 0.3, distance: 6 },
  octopod: { ...desktop, vx: 0.7, theme: 'dark', on: ['polygon', 'force', 'com', 'feet', 'trigger'], tab: 'legs', at: 2.6, az: 2.5, el: 0.26, distance: 4.3 },
  phone: { viewport: { width: 390, height: 844 }, vx: 0.05, theme: 'dark', on: ['polygon', 'com'], tab: 'drive', at: 1.5, az: -2.4, el: 0.4, distance: 5.6, isMobile: true, hasTouch: true, deviceScaleFactor: 1 },
};
const look = looks[what];
const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--disable-dev-shm-usage'] });
try {
  const context = await browser.newContext({ ...look, colorScheme: look.theme });
  const page = await context.newPage();
  await page.goto(`${url}?quality=low&fps=4&theme=${look.theme}`, { timeout: 60000 });
  await until(page, 'the first view', () => window.legctl?.view.drawn > 0, [], 60000);
  await page.evaluate((l) => {
    for (const k of [...legctl.view.overlays.on]) legctl.setOverlay(k, false);
    for (const k of l.on) legctl.setOverlay(k, true);
    Object.assign(legctl.view, { azimuth: l.az, elevation: l.el, distance: l.distance });
    legctl.open(l.tab);
  }, look);
  // Time stands still but for single steps, so that every machine makes the same picture.
  await page.evaluate(() => legctl.app.setRate(0));
  await page.evaluate((vx) => { legctl.link.ask('twist', { vx, ttl: 60 }); }, look.vx); // answered by the first step
  const far = () => page.evaluate(() => Math.hypot(legctl.model.frame.p[0], legctl.model.frame.p[1]) / legctl.model.hello.rig.length);
  // Few ticks at a time where the charts show it, so that they miss no frame.
  const seen = look.at - await page.evaluate((vx) => (15 * vx) / legctl.model.hello.rig.length, look.vx);
  for (let i = 0, at = 0; (at = await far()) < look.at; i++) {
    if (i > 3000) throw new Error(`the rig came only ${at} lengths far`);
    const was = await page.evaluate(() => legctl.model.frame.tick), ticks = at < seen ? 100 : 10;
    await page.evaluate((n) => legctl.link.ask('step', { ticks: n }), ticks);
    await until(page, 'the ticks', (l, t) => l.model.frame.tick >= t, [was + ticks], 60000);
  }
  // The picture itself in full quality: three drawings with everything loaded.
  await page.evaluate(() => { legctl.view.gap = 0; legctl.view.setQuality(0); });
  const n = await page.evaluate(() => legctl.view.drawn);
  await until(page, 'the picture', (l, n) => l.view.drawn > n + 2 && ![...l.view.ground.tiles.values()].some((t) => !t.mesh), [n], 120000);
  await page.evaluate(() => { const m = legctl.model; m.figures.rate = 1; legctl.app.toast(''); });
  await page.waitForTimeout(400);
  const raw = await page.screenshot({ animations: 'disabled', timeout: 120000 });
  const ink = await page.evaluate(async (b64) => {
    const img = new Image();
    img.src = 'data:image/png;base64,' + b64;
    await img.decode();
    const c = document.createElement('canvas');
    c.width = 200; c.height = 120;
    const g = c.getContext('2d');
    g.drawImage(img, 0, 0, 200, 120);
    const d = g.getImageData(0, 0, 200, 120).data, seen = new Set();
    for (let i = 0; i < d.length; i += 4) seen.add((d[i] >> 3 << 10) | (d[i + 1] >> 3 << 5) | d[i + 2] >> 3);
    c.width = img.width; c.height = img.height;
    g.drawImage(img, 0, 0);
    const all = g.getImageData(0, 0, img.width, img.height).data;
    let text = '';
    for (let i = 0; i < all.length; i += 32768) text += String.fromCharCode(...all.subarray(i, i + 32768));
    return { seen: seen.size, w: img.width, h: img.height, pixels: btoa(text) };
  }, raw.toString('base64'));
  writeFileSync(file, indexed(Buffer.from(ink.pixels, 'base64'), ink.w, ink.h));
  if (ink.seen < 60) throw new Error(`${file} is as good as blank: ${ink.seen} colours`);
  console.log(`${file}: ${(statSync(file).size / 1024).toFixed(0)} kB, ${ink.seen} colours`);
} finally {
  await browser.close();
}
