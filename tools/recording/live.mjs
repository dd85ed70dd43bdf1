// Connects to a live view with the protocol's own JavaScript client, subscribes
// to every channel, and prints how many messages of each came and what did not
// fit: node live.mjs ws://127.0.0.1:8765 COUNT
import protocol from "@foxglove/ws-protocol";
import { WebSocket } from "ws";

const { FoxgloveClient } = protocol;
const [url, count] = process.argv.slice(2);
const client = new FoxgloveClient({ ws: new WebSocket(url, [FoxgloveClient.SUPPORTED_SUBPROTOCOL]) });
const topics = {};
const wrong = [];
const bySubscription = new Map();
let info = null;
let clock = 0n;
let total = 0;

function end() {
  client.close();
  console.log(JSON.stringify({ info, topics, wrong, clock: Number(clock) }));
  process.exit(0);
}

client.on("error", (e) => {
  wrong.push(String(e));
  end();
});
client.on("serverInfo", (m) => (info = m));
client.on("status", (m) => wrong.push(m.message));
client.on("time", ({ timestamp }) => (clock = timestamp));
client.on("advertise", (channels) => {
  for (const c of channels) bySubscription.set(client.subscribe(c.id), c);
});
client.on("message", ({ subscriptionId, timestamp, data }) => {
  const { topic } = bySubscription.get(subscriptionId);
  topics[topic] = (topics[topic] ?? 0) + 1;
  if (timestamp > clock) wrong.push(`${topic} at ${timestamp}, the clock says ${clock}`);
  JSON.parse(new TextDecoder().decode(data));
  if (++total >= Number(count)) end();
});
setTimeout(() => {
  wrong.push("timeout");
  end();
}, 30000);
