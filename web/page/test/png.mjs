// Writes a picture of at most 256 colours as a small PNG file.
import { crc32, deflateSync } from 'node:zlib';

function chunk(type, data) {
  const b = Buffer.concat([Buffer.from(type), data]), out = Buffer.alloc(b.length + 8);
  out.writeUInt32BE(data.length, 0);
  b.copy(out, 4);
  out.writeUInt32BE(crc(b), b.length + 4);
  return out;
}

// crc is zlib's, where this node has it.
const table = Array.from({ length: 256 }, (_, n) => { let c = n; for (let k = 0; k < 8; k++) c = c & 1 ? 0xedb88320 ^ (c >>> 1) : c >>> 1; return c >>> 0; });
function crc(b) {
  if (crc32) return crc32(b);
  let c = 0xffffffff;
  for (const x of b) c = table[(c ^ x) & 255] ^ (c >>> 8);
  return (c ^ 0xffffffff) >>> 0;
}

// boxes splits the colours by median cut into at most n.
function boxes(colours, n) {
  let list = [colours];
  while (list.length < n) {
    let best = -1, most = 0, axis = 0;
    list.forEach((b, i) => {
      if (b.length < 2) return;
      for (let k = 0; k < 3; k++) {
        let lo = 255, hi = 0, weight = 0;
        for (const c of b) { lo = Math.min(lo, c[k]); hi = Math.max(hi, c[k]); weight += c[3]; }
        const score = (hi - lo) * Math.sqrt(weight);
        if (score > most) { most = score; best = i; axis = k; }
      }
    });
    if (best < 0) break;
    const b = list[best].sort((x, y) => x[axis] - y[axis]), half = b.reduce((s, c) => s + c[3], 0) / 2;
    let sum = 0, at = 0;
    while (at < b.length - 1 && sum + b[at][3] <= half) sum += b[at++][3];
    at = Math.max(1, at);
    list.splice(best, 1, b.slice(0, at), b.slice(at));
  }
  return list;
}

// indexed returns a PNG file of RGBA pixels.
export function indexed(px, w, h) {
  const count = new Map(), key = (i) => (px[i] >> 2 << 12) | (px[i + 1] >> 2 << 6) | px[i + 2] >> 2;
  for (let i = 0; i < px.length; i += 4) { const k = key(i); const c = count.get(k); if (c) c[3]++; else count.set(k, [px[i], px[i + 1], px[i + 2], 1, k]); }
  const at = new Map(), palette = Buffer.alloc(768);
  boxes([...count.values()], 256).forEach((b, n) => {
    const sum = [0, 0, 0, 0];
    for (const c of b) { for (let k = 0; k < 3; k++) sum[k] += c[k] * c[3]; sum[3] += c[3]; at.set(c[4], n); }
    for (let k = 0; k < 3; k++) palette[3 * n + k] = Math.round(sum[k] / sum[3]);
  });
  const rows = Buffer.alloc((w + 1) * h);
  for (let y = 0; y < h; y++) for (let x = 0; x < w; x++) rows[y * (w + 1) + 1 + x] = at.get(key(4 * (y * w + x)));
  const head = Buffer.alloc(13);
  head.writeUInt32BE(w, 0);
  head.writeUInt32BE(h, 4);
  head[8] = 8;
  head[9] = 3;
  return Buffer.concat([Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]), chunk('IHDR', head), chunk('PLTE', palette), chunk('IDAT', deflateSync(rows, { level: 9 })), chunk('IEND', Buffer.alloc(0))]);
}
