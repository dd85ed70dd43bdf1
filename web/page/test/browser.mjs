// Drives every control of the page and reads the rig's answer back through the
// page's own state. One JSON line a case on standard output.
//   node browser.mjs URL CHROMIUM [pattern]
import { chromium } from 'playwright-core';
import * as cases from './cases.mjs';
import { until } from './kit.mjs';

const [, , url, executablePath, pattern = ''] = process.argv;
const args = ['--no-sandbox', '--use-angle=swiftshader', '--enable-unsafe-swiftshader', '--ignore-gpu-blocklist', '--disable-dev-shm-usage', '--mute-audio'];
const browser = await chromium.launch({ executablePath, args });
const line = (o) => process.stdout.write(JSON.stringify(o) + '\n');
let failed = 0;

async function open(options = {}) {
  const context = await browser.newContext({ viewport: { width: 860, height: 640 }, colorScheme: 'dark', ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(90000);
  page.errors = [];
  page.on('pageerror', (e) => page.errors.push(e.message));
  page.on('console', (m) => { if (m.type() === 'error' && !/Failed to load resource/.test(m.text())) page.errors.push(m.text()); });
  await page.addInitScript(() => {
    window.pads = [];
    Object.defineProperty(navigator, 'getGamepads', { value: () => window.pads });
  });
  await page.goto(url + '?quality=low&fps=8', { timeout: 120000 });
  await until(page, 'the first view', () => window.legctl?.model.frame && window.legctl.view.drawn > 0, [], 120000);
  return page;
}

// beside opens a second page and hands it to f; the first draws next to nothing
// meanwhile, or both would be slow where pictures are made in software.
const beside = (page) => async (options, f) => {
  const pace = (ms) => page.evaluate((g) => { legctl.view.gap = g; }, ms);
  await pace(3000);
  const other = await open(options);
  try { await f(other); } finally { await other.context().close(); await pace(125); }
};

try {
  const page = await open();
  for (const [name, run] of Object.entries(cases.list)) {
    if (!new RegExp(pattern).test(name)) continue;
    const since = Date.now();
    try {
      const note = await run(page, { beside: beside(page) });
      if (page.errors.length) throw new Error('errors on the page: ' + page.errors.splice(0).join('; '));
      line({ name, ok: true, ms: Date.now() - since, note });
    } catch (e) {
      failed++;
      line({ name, ok: false, ms: Date.now() - since, why: String(e.message || e).slice(0, 600) });
      await page.evaluate(() => { legctl.drive.stick = null; legctl.drive.keys.clear(); window.pads.length = 0; }).catch(() => {});
    }
  }
} finally {
  await browser.close();
}
process.exitCode = failed ? 1 : 0;
