// Runs one MuJoCo model for a test, over stdin and stdout, one line each way.
//
//   in    {"xml": "...", "key": "rest"}      the model, and the key frame to start from
//   out   {"joints": 18, "drives": 18, "touches": 6, "mass": 2.6}
//   in    n c1 c2 ...                        n steps with these controls
//   out   t x y z qw qx qy qz vx vy vz gx gy gz ax ay az touch1.. q1..
//
// One model after the other may be opened. Or, to see whether models load and where their feet are with joints at q,
//
//   in    {"check": [{"xml": "...", "q": [..]}, ...]}
//   out   [{"joints": 18, "feet": [[x, y, z], ..]} or {"error": "..."}, ...]
//
// It ends when stdin does. Nothing else is read, written or listened to.
import fs from 'node:fs';
import loadMujoco from 'mujoco-js';

const input = Buffer.alloc(1 << 16);
let pending = '';

// line returns the next line, or null at the end.
function line() {
  for (;;) {
    const end = pending.indexOf('\n');
    if (end >= 0) {
      const s = pending.slice(0, end);
      pending = pending.slice(end + 1);
      return s;
    }
    const n = fs.readSync(0, input, 0, input.length, null);
    if (n === 0) return null;
    pending += input.toString('latin1', 0, n);
  }
}

function say(s) {
  fs.writeSync(1, s + '\n');
}

function load(mujoco, xml) {
  mujoco.FS.writeFile('/model.xml', xml);
  const model = mujoco.MjModel.loadFromXML('/model.xml');
  if (!model) throw new Error('the model does not load');
  return [model, new mujoco.MjData(model)];
}

// check loads one model and places it; the first site is the IMU.
function check(mujoco, { xml, q }) {
  let model, data;
  try {
    [model, data] = load(mujoco, xml);
    mujoco.mj_resetDataKeyframe(model, data, 0);
    const qpos = data.qpos;
    q.forEach((v, i) => { qpos[7 + i] = v; });
    mujoco.mj_forward(model, data);
    const x = Array.from(data.site_xpos);
    const feet = [];
    for (let i = 3; i < x.length; i += 3) feet.push(x.slice(i, i + 3));
    return { joints: model.nq - 7, feet };
  } catch (e) {
    return { error: String(e.message ?? e) };
  } finally {
    data?.delete();
    model?.delete();
  }
}

function open(mujoco, hello) {
  const [model, data] = load(mujoco, hello.xml);
  mujoco.mj_resetDataKeyframe(model, data, 0);
  mujoco.mj_forward(model, data);
  let mass = 0;
  for (const m of model.body_mass) mass += m;
  say(JSON.stringify({ joints: model.nq - 7, drives: model.nu, touches: model.nsensordata - 6, mass }));
  return [model, data];
}

function state(d) {
  const q = d.qpos, s = d.sensordata;
  return [d.time, ...q.slice(0, 7), ...d.qvel.slice(0, 3), ...s, ...q.slice(7)].join(' ');
}

// run does one line: another model, models to check, or steps.
function run(mujoco, world, s) {
  if (s[0] !== '{') {
    const v = s.split(' ');
    const { model, data } = world;
    const ctrl = data.ctrl;
    for (let i = 0; i < model.nu; i++) ctrl[i] = Number(v[i + 1]);
    for (let n = Number(v[0]); n > 0; n--) mujoco.mj_step(model, data);
    say(state(data));
    return;
  }
  const hello = JSON.parse(Buffer.from(s, 'latin1').toString('utf8'));
  if (hello.check) {
    say(JSON.stringify(hello.check.map((c) => check(mujoco, c))));
    return;
  }
  world.data?.delete();
  world.model?.delete();
  try {
    [world.model, world.data] = open(mujoco, hello);
  } catch (e) {
    [world.model, world.data] = [];
    say(JSON.stringify({ error: String(e.message ?? e) }));
  }
}

const first = line();
if (first !== null) {
  const mujoco = await loadMujoco({ print: () => {}, printErr: (s) => fs.writeSync(2, s + '\n') });
  const world = {};
  for (let s = first; s !== null; s = line()) run(mujoco, world, s);
}
