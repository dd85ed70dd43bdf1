// Compares Foxglove's types as a recording describes them with those Foxglove
// publishes, field by field, and prints what differs as a JSON object: by name of
// the type, a list.
import { readFile } from "node:fs/promises";
import mcap from "@mcap/core";
import zstd from "@foxglove/wasm-zstd";
import published from "@foxglove/schemas/jsonschema.js";

await zstd.isLoaded;
const decompressHandlers = { zstd: (buffer, size) => zstd.decompress(buffer, Number(size)) };

function compare(path, ours, theirs, out) {
  const choice = theirs.oneOf ?? theirs.enum; // of integers
  if (choice ? ours.type !== "integer" : ours.type !== theirs.type) out.push(`${path}: ${ours.type}, published as ${theirs.type}`);
  const [a, b] = [ours.properties ?? {}, theirs.properties ?? {}];
  for (const k of new Set([...Object.keys(a), ...Object.keys(b)])) {
    if (!a[k]) out.push(`${path}.${k} is missing`);
    else if (!b[k]) out.push(`${path}.${k} is not published`);
    else compare(`${path}.${k}`, a[k], b[k], out);
  }
  if (ours.items && theirs.items) compare(`${path}[]`, ours.items, theirs.items, out);
}

const reader = new mcap.McapStreamReader({ decompressHandlers });
reader.append(await readFile(process.argv[2]));
const found = {};
for (let r; (r = reader.nextRecord()); ) {
  if (r.type !== "Schema" || !r.name.startsWith("foxglove.")) continue;
  const name = r.name.slice("foxglove.".length);
  found[name] = [];
  if (published[name]) compare(name, JSON.parse(new TextDecoder().decode(r.data)), published[name], found[name]);
  else found[name].push(`there is no type ${name}`);
}
console.log(JSON.stringify(found));
