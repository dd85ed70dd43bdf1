// Loads an animation with three.js and prints where nodes are at some times:
// node animate.mjs FILE 0,0.5,1 base lf_tibia ...
import { readFile } from "node:fs/promises";
import { AnimationMixer, Vector3 } from "three";
import { GLTFLoader } from "three/examples/jsm/loaders/GLTFLoader.js";

globalThis.self ??= globalThis;
const [path, times, ...names] = process.argv.slice(2);
const bytes = await readFile(path);
const data = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
const gltf = await new Promise((done, fail) => new GLTFLoader().parse(data, "", done, fail));
const mixer = new AnimationMixer(gltf.scene);
for (const clip of gltf.animations) mixer.clipAction(clip).play();

let triangles = 0;
gltf.scene.traverse((o) => {
  if (o.isMesh) triangles += (o.geometry.index?.count ?? o.geometry.attributes.position.count) / 3;
});
const places = times.split(",").map((t) => {
  mixer.setTime(Number(t));
  gltf.scene.updateMatrixWorld(true);
  return Object.fromEntries(names.map((n) => [n, gltf.scene.getObjectByName(n).getWorldPosition(new Vector3()).toArray()]));
});
console.log(JSON.stringify({ seconds: gltf.animations[0].duration, triangles, places }));
