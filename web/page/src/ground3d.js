// The terrain: boxes, wedges and tiles of the height field, in W, with a grid
// drawn into their material.
import * as THREE from 'three';

// gridded returns a material with lines every cell metres in W on faces that
// look up.
function gridded(color, cell, line, strength) {
  const m = new THREE.MeshStandardMaterial({ color, roughness: 0.95, metalness: 0, side: THREE.DoubleSide });
  m.onBeforeCompile = (s) => {
    Object.assign(s.uniforms, { gCell: { value: cell }, gLine: { value: new THREE.Color(line) }, gPower: { value: strength } });
    m.userData.uniforms = s.uniforms;
    s.vertexShader = 'varying vec3 gP; varying vec3 gN;\n' + s.vertexShader.replace('#include <worldpos_vertex>',
      '#include <worldpos_vertex>\n gP = (modelMatrix * vec4(transformed, 1.)).xyz; gN = normalize(mat3(modelMatrix) * objectNormal);');
    s.fragmentShader = 'uniform float gCell, gPower; uniform vec3 gLine; varying vec3 gP; varying vec3 gN;\n' + s.fragmentShader.replace('#include <color_fragment>', `#include <color_fragment>
      { float flat_ = smoothstep(.3, .8, abs(gN.z));
        vec2 a = gP.xy / gCell, w = fwidth(a);
        vec2 g = smoothstep(w * 1.4, vec2(0.), abs(fract(a - .5) - .5)) * (1. - smoothstep(.25, .6, w));
        vec2 b = a / 5., u = fwidth(b);
        vec2 k = smoothstep(u * 1.6, vec2(0.), abs(fract(b - .5) - .5)) * (1. - smoothstep(.25, .6, u));
        float l = max(max(g.x, g.y) * .4, max(k.x, k.y)) * flat_ * gPower;
        diffuseColor.rgb = mix(diffuseColor.rgb, gLine, l); }`);
  };
  return m;
}

// wedge cuts the top of a box to a plane [x, y, z, offset].
function boxGeometry(min, max, plane) {
  const top = (x, y) => {
    if (!plane || plane[2] <= 0) return max[2];
    return Math.max(min[2], Math.min(max[2], (plane[3] - plane[0] * x - plane[1] * y) / plane[2]));
  };
  const c = [[min[0], min[1]], [max[0], min[1]], [max[0], max[1]], [min[0], max[1]]];
  const up = c.map(([x, y]) => [x, y, top(x, y)]), low = c.map(([x, y]) => [x, y, min[2]]);
  const quads = [up, [low[3], low[2], low[1], low[0]]];
  for (let i = 0; i < 4; i++) quads.push([low[i], low[(i + 1) % 4], up[(i + 1) % 4], up[i]]);
  const pos = quads.flatMap((q) => [q[0], q[1], q[2], q[0], q[2], q[3]]).flat();
  const g = new THREE.BufferGeometry();
  g.setAttribute('position', new THREE.Float32BufferAttribute(pos, 3));
  g.computeVertexNormals();
  return { g, edge: up };
}

export class Ground {
  constructor(theme) {
    this.group = new THREE.Group();
    this.blocks = new Map();
    this.tiles = new Map();
    this.theme = theme;
  }

  clear() {
    this.group.traverse((o) => { o.geometry?.dispose(); o.material?.dispose?.(); });
    this.group.clear();
    this.blocks.clear();
    this.tiles.clear();
  }

  // begin builds the ground of a scene; size is a leg's length, metres.
  begin(ground, size) {
    this.clear();
    this.size = size;
    this.cell = ground?.cell || 0;
    this.tile = ground?.tile || 32;
    this.scene = (this.scene || 0) + 1;
    this.materials = new Map();
    if (!ground) ground = { floor: 0, boxes: [] };
    if (ground.floor !== null && ground.floor !== undefined) this.plane(ground.floor);
    for (const b of ground.boxes) this.box(b);
  }

  material(tint) {
    if (!this.materials.has(tint)) {
      const base = new THREE.Color(tint), t = this.theme;
      base.lerp(new THREE.Color(t.ground), t.wash);
      this.materials.set(tint, gridded(base, this.size, t.grid, t.power));
    }
    return this.materials.get(tint);
  }

  plane(z) {
    const far = 400 * this.size;
    const m = new THREE.Mesh(new THREE.PlaneGeometry(far, far), this.material('#76685a'));
    m.position.z = z;
    m.receiveShadow = true;
    this.floor = m;
    this.group.add(m);
  }

  box(b) {
    const max = b.max, min = b.min.slice();
    const far = 60 * this.size;
    min[2] = Math.max(min[2], Math.min(max[2], 0) - far);
    const { g, edge } = boxGeometry(min, max, b.plane);
    const mesh = new THREE.Mesh(g, this.material(b.tint));
    mesh.receiveShadow = true;
    mesh.castShadow = max[0] - min[0] < far;
    mesh.userData.block = b.block;
    const lines = new THREE.LineLoop(new THREE.BufferGeometry().setFromPoints(edge.map((p) => new THREE.Vector3(...p))),
      new THREE.LineBasicMaterial({ color: this.theme.edge, transparent: true, opacity: 0.7 }));
    mesh.add(lines);
    mesh.visible = !b.gone;
    this.group.add(mesh);
    if (b.block >= 0) this.blocks.set(b.block, mesh);
  }

  remove(block) {
    const m = this.blocks.get(block);
    if (m) m.visible = false;
  }

  // near loads the tiles round a point and forgets far ones.
  near(p) {
    if (!this.cell) return;
    const side = this.cell * this.tile, r = Math.min(4, Math.max(2, Math.ceil(24 * this.size / side)));
    const ci = Math.floor(p[0] / side), cj = Math.floor(p[1] / side);
    if (this.at === `${ci},${cj},${this.scene}`) return;
    this.at = `${ci},${cj},${this.scene}`;
    for (let i = ci - r; i <= ci + r; i++) for (let j = cj - r; j <= cj + r; j++) this.load(i, j);
    for (const [k, t] of this.tiles) {
      if (Math.max(Math.abs(t.i - ci), Math.abs(t.j - cj)) > r + 2) {
        if (t.mesh) { this.group.remove(t.mesh); t.mesh.geometry.dispose(); }
        this.tiles.delete(k);
      }
    }
  }

  async load(i, j) {
    const key = `${i},${j}`, scene = this.scene;
    if (this.tiles.has(key)) return;
    const t = { i, j };
    this.tiles.set(key, t);
    try {
      const r = await fetch(`api/terrain/tile?i=${i}&j=${j}`);
      if (!r.ok) throw new Error(r.statusText);
      const h = new Float32Array(await r.arrayBuffer());
      if (this.scene !== scene || !this.tiles.has(key)) return;
      t.mesh = this.field(i, j, h);
      this.group.add(t.mesh);
    } catch { this.tiles.delete(key); }
  }

  // field makes a tile: two facets a cell, sharing the diagonal from the lower
  // corner to the upper one, as the ground itself has them.
  field(i, j, h) {
    const n = this.tile, c = this.cell, w = n + 1;
    const pos = new Float32Array(n * n * 18);
    let k = 0;
    const put = (x, y) => { pos[k++] = (i * n + x) * c; pos[k++] = (j * n + y) * c; pos[k++] = h[y * w + x]; };
    for (let y = 0; y < n; y++) {
      for (let x = 0; x < n; x++) {
        put(x, y); put(x + 1, y); put(x + 1, y + 1);
        put(x, y); put(x + 1, y + 1); put(x, y + 1);
      }
    }
    const g = new THREE.BufferGeometry();
    g.setAttribute('position', new THREE.BufferAttribute(pos, 3));
    g.computeVertexNormals();
    const m = new THREE.Mesh(g, this.material('#76685a'));
    m.receiveShadow = true;
    return m;
  }
}
