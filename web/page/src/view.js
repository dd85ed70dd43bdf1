// The picture: renderer, light, the three cameras, and what a pointer hits.
import * as THREE from 'three';
import { Ground } from './ground3d.js';
import { Rig } from './rig3d.js';
import { Overlays } from './overlays.js';
import { yawOf } from './kinematics.js';
import { palette } from './theme.js';

const up = new THREE.Vector3(0, 0, 1);

export class View {
  constructor(canvas, model, theme) {
    this.model = model;
    this.canvas = canvas;
    this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, powerPreference: 'high-performance', preserveDrawingBuffer: navigator.webdriver });
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = THREE.PCFShadowMap;
    this.renderer.toneMapping = THREE.ACESFilmicToneMapping;
    this.scene = new THREE.Scene();
    this.camera = new THREE.PerspectiveCamera(38, 1, 0.01, 1000);
    this.camera.up.copy(up);
    this.target = new THREE.Vector3();
    this.mode = 'follow';
    this.azimuth = -2.45; // about the vertical, from the heading with follow
    this.elevation = 0.42;
    this.distance = 5.6; // legs' lengths
    this.overlays = new Overlays();
    this.extra = new THREE.Group(); // markers and the solver's chain
    this.scene.add(this.overlays.group, this.extra);
    this.lights();
    const asked = ['high', 'medium', 'low'].indexOf(new URLSearchParams(location.search).get('quality'));
    this.gap = 1000 / +new URLSearchParams(location.search).get('fps') % 1e5 || 0; // fps: at most so many pictures a second
    this.locked = asked >= 0;
    this.setQuality(Math.max(0, asked));
    this.theme(theme);
    model.addEventListener('hello', (e) => this.begin(e.detail));
    this.pointers = new Map();
    this.input();
  }

  // quality 0 is the best; pictures that take too long lower it by themselves.
  setQuality(level) {
    this.quality = level;
    this.pace = null;
    const size = [2048, 1024, 0][level];
    this.renderer.shadowMap.enabled = size > 0;
    this.sun.castShadow = size > 0;
    if (size && this.sun.shadow.mapSize.x !== size) {
      this.sun.shadow.mapSize.set(size, size);
      this.sun.shadow.map?.dispose();
      this.sun.shadow.map = null;
    }
    this.w = 0;
  }

  // watch lowers the quality when a second of pictures came at under 20 a second.
  watch(now) {
    if (this.locked || document.hidden || this.quality === 2) return;
    const p = (this.pace ||= { since: now, n: 0 });
    if (++p.n < 2 || now - p.since < 1500) return;
    if ((now - p.since) / (p.n - 1) > 50) this.setQuality(this.quality + 1);
    this.pace = null;
  }

  lights() {
    this.hemi = new THREE.HemisphereLight(0xffffff, 0x554433, 1);
    this.sun = new THREE.DirectionalLight(0xffffff, 2.6);
    this.sun.castShadow = true;
    this.sun.shadow.mapSize.set(2048, 2048);
    this.sun.shadow.radius = 3;
    this.rim = new THREE.DirectionalLight(0x88bbff, 0.7);
    this.scene.add(this.hemi, this.sun, this.sun.target, this.rim, this.rim.target);
  }

  theme(name) {
    const t = palette[name];
    this.look = t;
    this.scene.background = new THREE.Color(t.sky);
    this.scene.fog = new THREE.Fog(t.sky, 1, 2);
    this.hemi.color.set(t.hemiSky);
    this.hemi.groundColor.set(t.hemiGround);
    this.hemi.intensity = t.hemi;
    this.sun.intensity = t.sun;
    this.sun.color.set(t.sunTint);
    this.rim.intensity = t.rim;
    this.renderer.toneMappingExposure = t.exposure;
    for (const part of [this.ground, this.rig]) if (part) this.scene.remove(part.group);
    this.ground?.clear();
    this.ground = new Ground(t);
    this.rig = new Rig(t);
    this.scene.add(this.ground.group, this.rig.group);
    if (this.model.hello) this.begin(this.model.hello, true);
  }

  begin(hello, same) {
    this.size = hello.rig.length;
    // What has to fit into the picture: the feet in neutral stance.
    this.span = Math.max(0.4 * this.size, ...hello.rig.legs.map((l) => Math.hypot(l.neutral[0], l.neutral[1])));
    this.unit = hello.unit;
    this.ground.begin(hello.ground, this.size);
    this.rig.begin(hello.rig);
    const L = this.size, s = this.sun.shadow.camera;
    const w = 2.6 * this.span;
    Object.assign(s, { left: -w, right: w, top: w, bottom: -w, near: 0.1 * L, far: 30 * L });
    s.updateProjectionMatrix();
    this.sun.shadow.bias = -0.0006;
    this.sun.shadow.normalBias = 0.006 * L;
    this.camera.near = 0.03 * L;
    this.camera.far = 300 * L;
    this.scene.fog.near = 9 * L;
    this.scene.fog.far = 48 * L;
    this.camera.updateProjectionMatrix();
    if (!same) { this.extra.clear(); this.placed = false; }
  }

  setMode(mode) {
    if (mode === this.mode) return;
    if (mode === 'orbit' && this.shown) this.azimuth += this.yaw;
    else if (this.mode === 'orbit' && this.shown) this.azimuth -= this.yaw;
    this.mode = mode;
    this.placed = false;
    this.canvas.dispatchEvent(new CustomEvent('camera', { detail: mode }));
  }

  resize() {
    const r = this.canvas.parentElement.getBoundingClientRect(), w = Math.max(1, Math.round(r.width)), h = Math.max(1, Math.round(r.height));
    const ratio = Math.min([2, 1, 0.6][this.quality], window.devicePixelRatio || 1);
    if (this.w === w && this.h === h && this.ratio === ratio) return;
    Object.assign(this, { w, h, ratio });
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(w, h, false);
    this.camera.aspect = w / h;
    this.camera.fov = w < h ? 50 : 38;
    this.camera.updateProjectionMatrix();
  }

  // draw draws one picture; now is the browser's time, ms.
  draw(now) {
    // A weak machine gets twenty pictures a second, no more than there are frames.
    if (now - (this.began || 0) < (this.gap || (this.quality === 2 ? 45 : 0))) return;
    this.began = now;
    this.watch(now);
    this.resize();
    const f = this.model.at(now);
    if (f) {
      this.shown = f;
      this.rig.show(f);
      this.ground.near(f.p);
      this.overlays.show(f, this.unit, this.model.gait()?.name.includes('gallop'));
      this.aim(f, now);
    }
    this.renderer.render(this.scene, this.camera);
    this.drawn = (this.drawn || 0) + 1;
  }

  // aim moves camera and lights.
  aim(f, now) {
    const L = this.size, at = new THREE.Vector3(f.p[0], f.p[1], f.p[2] - 0.12 * L);
    const dt = Math.min(0.1, (now - (this.last || now)) / 1000);
    this.last = now;
    const yaw = yawOf(f.q);
    const ease = (t) => (this.placed ? 1 - Math.exp(-dt / t) : 1);
    if (this.mode !== 'orbit' || !this.placed) {
      this.target.lerp(at, ease(0.12));
      const d = Math.atan2(Math.sin(yaw - (this.yaw ?? yaw)), Math.cos(yaw - (this.yaw ?? yaw)));
      this.yaw = (this.yaw ?? yaw) + d * ease(0.8);
    }
    const az = this.azimuth + (this.mode === 'orbit' ? 0 : this.mode === 'top' ? -this.azimuth + Math.PI : this.yaw);
    const el = this.mode === 'top' ? Math.PI / 2 - 0.001 : this.elevation, d = this.distance * this.span * (this.mode === 'top' ? 1.15 : 1);
    const turn = this.mode === 'top' ? Math.PI : az;
    this.camera.position.set(
      this.target.x + d * Math.cos(el) * Math.cos(turn), this.target.y + d * Math.cos(el) * Math.sin(turn), this.target.z + d * Math.sin(el));
    this.camera.lookAt(this.target);
    this.sun.position.set(this.target.x - 4 * L, this.target.y + 3.2 * L, this.target.z + 9 * L);
    this.sun.target.position.copy(this.target);
    this.rim.position.set(this.target.x + 5 * L, this.target.y - 6 * L, this.target.z + 3 * L);
    this.rim.target.position.copy(this.target);
    this.placed = true;
  }

  // hit returns where a pointer meets the ground, W, and the block there.
  hit(x, y) {
    const r = this.canvas.getBoundingClientRect();
    const ray = new THREE.Raycaster();
    ray.setFromCamera(new THREE.Vector2(((x - r.left) / r.width) * 2 - 1, 1 - ((y - r.top) / r.height) * 2), this.camera);
    const h = ray.intersectObjects(this.ground.group.children, false).find((i) => i.object.visible && i.object.isMesh);
    return h ? { at: h.point.toArray(), block: h.object.userData.block ?? -1 } : null;
  }

  input() {
    const c = this.canvas, ps = this.pointers;
    c.addEventListener('contextmenu', (e) => e.preventDefault());
    c.addEventListener('pointerdown', (e) => {
      try { c.setPointerCapture(e.pointerId); } catch { /* a made-up pointer */ }
      ps.set(e.pointerId, { x: e.clientX, y: e.clientY, moved: 0, button: e.button });
    });
    c.addEventListener('pointermove', (e) => {
      const p = ps.get(e.pointerId);
      if (!p) return;
      const dx = e.clientX - p.x, dy = e.clientY - p.y;
      if (ps.size === 2) this.pinch(e, p);
      else if (p.button === 2 || e.shiftKey) this.pan(dx, dy);
      else this.turn(dx, dy);
      p.moved += Math.abs(dx) + Math.abs(dy);
      p.x = e.clientX; p.y = e.clientY;
    });
    const end = (e) => {
      const p = ps.get(e.pointerId);
      ps.delete(e.pointerId);
      if (p && p.moved < 6 && e.type === 'pointerup' && p.button === 0) c.dispatchEvent(new CustomEvent('tap', { detail: { x: e.clientX, y: e.clientY } }));
    };
    c.addEventListener('pointerup', end);
    c.addEventListener('pointercancel', end);
    c.addEventListener('wheel', (e) => { e.preventDefault(); this.zoom(Math.exp(e.deltaY * 0.0012)); }, { passive: false });
  }

  turn(dx, dy) {
    this.azimuth -= dx * 0.008;
    this.elevation = Math.max(0.03, Math.min(1.5, this.elevation + dy * 0.006));
  }

  zoom(by) { this.distance = Math.max(1.6, Math.min(60, this.distance * by)); }

  pan(dx, dy) {
    if (this.mode !== 'orbit') this.setMode('orbit');
    const k = this.distance * this.span * 0.0012;
    const right = new THREE.Vector3().setFromMatrixColumn(this.camera.matrix, 0), ahead = new THREE.Vector3().crossVectors(up, right);
    this.target.addScaledVector(right, -dx * k).addScaledVector(ahead, dy * k);
    this.placed = true;
  }

  pinch(e, p) {
    const other = [...this.pointers.entries()].find(([id]) => id !== e.pointerId)[1];
    const was = Math.hypot(p.x - other.x, p.y - other.y), is = Math.hypot(e.clientX - other.x, e.clientY - other.y);
    if (is > 0) this.zoom(was / is);
  }
}
