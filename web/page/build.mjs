// Bundles src/ into ../dist, which go:embed puts into legctl. Files carry a hash
// in their names; scripts and styles are stored compressed.
//   node build.mjs [--report]
import { build } from 'esbuild';
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

const here = dirname(fileURLToPath(import.meta.url));
const dist = join(here, '..', 'dist');

const result = await build({
  absWorkingDir: here, entryPoints: ['src/main.js', 'src/style.css'], outdir: 'out', write: false,
  bundle: true, minify: true, format: 'esm', target: ['es2022'], legalComments: 'none', metafile: true, logLevel: 'warning',
});

mkdirSync(dist, { recursive: true });
for (const f of readdirSync(dist)) if (f !== '.gitignore') rmSync(join(dist, f));

// main.css is what modules import (uPlot's own), style.css is ours.
const css = result.outputFiles.filter((f) => f.path.endsWith('.css')).map((f) => f.text).sort().join('');
const js = result.outputFiles.find((f) => f.path.endsWith('.js')).text;
let total = 0;
const put = (name, ext, text) => {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 10);
  const file = `${name}-${hash}${ext}`;
  const zip = gzipSync(text, { level: 9 });
  zip[9] = 0xff; // the byte that names the system: the same everywhere
  writeFileSync(join(dist, file + '.gz'), zip);
  total += zip.length;
  return file;
};
const names = { js: put('app', '.js', js), css: put('app', '.css', css) };
const html = readFileSync(join(here, 'src/index.html'), 'utf8').replace('app.js', names.js).replace('app.css', names.css);
writeFileSync(join(dist, 'index.html'), html);
for (const f of ['icon.svg', 'app.webmanifest']) writeFileSync(join(dist, f), readFileSync(join(here, 'src', f)));
console.log(`page: ${(total / 1024).toFixed(1)} kB compressed`);

if (process.argv.includes('--report')) {
  const out = Object.values(result.metafile.outputs).flatMap((o) => Object.entries(o.inputs));
  for (const [f, i] of out.sort((a, b) => b[1].bytesInOutput - a[1].bytesInOutput).slice(0, 15)) {
    console.log(String(i.bytesInOutput).padStart(8), f);
  }
}
