// Reads recordings with the format's own JavaScript reader, by the index and as
// a stream, and prints what it finds as a JSON object a file.
import { open } from "node:fs/promises";
import mcap from "@mcap/core";
import zstd from "@foxglove/wasm-zstd";

const { McapIndexedReader, McapStreamReader } = mcap;
await zstd.isLoaded;
const decompressHandlers = { zstd: (buffer, size) => zstd.decompress(buffer, Number(size)) };

async function byIndex(file) {
  const { size } = await file.stat();
  const readable = {
    size: async () => BigInt(size),
    read: async (offset, length) => {
      const out = new Uint8Array(Number(length));
      const { bytesRead } = await file.read(out, 0, out.length, Number(offset));
      if (bytesRead !== out.length) throw new Error(`${bytesRead} bytes at ${offset}, want ${length}`);
      return out;
    },
  };
  const reader = await McapIndexedReader.Initialize({ readable, decompressHandlers });
  const topics = {};
  let last = -1n;
  for await (const m of reader.readMessages()) {
    const c = reader.channelsById.get(m.channelId);
    if (m.logTime < last) throw new Error(`time goes back to ${m.logTime}`);
    last = m.logTime;
    topics[c.topic] = (topics[c.topic] ?? 0) + 1;
    if (c.messageEncoding === "json") JSON.parse(new TextDecoder().decode(m.data));
  }
  return { topics, chunks: reader.chunkIndexes.length, last: Number(last) };
}

async function asStream(file) {
  const reader = new McapStreamReader({ decompressHandlers, validateCrcs: true });
  const { size } = await file.stat();
  const data = new Uint8Array(size);
  await file.read(data, 0, size, 0);
  reader.append(data);
  const channels = new Map();
  const topics = {};
  for (let r; (r = reader.nextRecord()); ) {
    if (r.type === "Channel") channels.set(r.id, r);
    if (r.type === "Message") {
      const { topic } = channels.get(r.channelId);
      topics[topic] = (topics[topic] ?? 0) + 1;
    }
  }
  if (!reader.done()) throw new Error("the stream does not end where the file does");
  return topics;
}

for (const path of process.argv.slice(2)) {
  const file = await open(path);
  const found = await byIndex(file);
  const stream = await asStream(file);
  await file.close();
  console.log(JSON.stringify({ ...found, stream }));
}
