// The rig: a trunk with rounded edges and legs of tapered limbs, moved by joint
// angles through forward kinematics.
import * as THREE from 'three';
import { points } from './kinematics.js';

const up = new THREE.Vector3(0, 1, 0);

export class Rig {
  constructor(theme) {
    this.theme = theme;
    this.group = new THREE.Group(); // B
    this.parts = [];
  }

  begin(rig) {
    this.group.traverse((o) => { o.geometry?.dispose(); });
    this.group.clear();
    this.rig = rig;
    const t = this.theme;
    const std = (color, roughness = 0.5, metalness = 0.25) => new THREE.MeshStandardMaterial({ color, roughness, metalness });
    // The rig's own colour, as far as it stands out from the ground.
    const shell = new THREE.Color(t.shell);
    if (rig.tint) shell.lerp(new THREE.Color(rig.tint), 0.3);
    this.shell = std(shell, 0.38, 0.12);
    this.limb = std(t.limb, 0.45, 0.1);
    this.joint = std(t.joint, 0.35, 0.6);
    this.rubber = std(t.rubber, 0.9, 0);
    this.accent = new THREE.MeshStandardMaterial({ color: t.accent, emissive: t.accent, emissiveIntensity: 0.55, roughness: 0.4 });
    this.trunk(rig);
    this.legs = rig.legs.map((l) => this.leg(l, rig));
  }

  trunk(rig) {
    const b = rig.box, L = rig.length;
    const x = Math.max(b[0], 0.13 * L), y = Math.max(b[1], 0.09 * L), z = Math.max(b[2], 0.045 * L);
    const r = Math.min(x, y) * 0.45, bevel = Math.min(z * 0.45, r * 0.5);
    const s = new THREE.Shape();
    const w = x - bevel, d = y - bevel, c = Math.max(r - bevel, 1e-6);
    s.moveTo(-w + c, -d);
    s.lineTo(w - c, -d); s.quadraticCurveTo(w, -d, w, -d + c);
    s.lineTo(w, d - c); s.quadraticCurveTo(w, d, w - c, d);
    s.lineTo(-w + c, d); s.quadraticCurveTo(-w, d, -w, d - c);
    s.lineTo(-w, -d + c); s.quadraticCurveTo(-w, -d, -w + c, -d);
    const g = new THREE.ExtrudeGeometry(s, { depth: 2 * (z - bevel), bevelEnabled: true, bevelThickness: bevel, bevelSize: bevel, bevelSegments: 4, curveSegments: 8 });
    g.translate(rig.mid[0], rig.mid[1], rig.mid[2] - z + bevel);
    const hull = new THREE.Mesh(g, this.shell);
    hull.castShadow = hull.receiveShadow = true;
    this.group.add(hull);
    // A spine, a lamp and two eyes say which way is forward.
    const spine = new THREE.Mesh(new THREE.CapsuleGeometry(y * 0.2, x * 0.9, 6, 18), this.joint);
    spine.rotation.z = Math.PI / 2;
    spine.scale.set(1, 1, 0.35);
    spine.position.set(rig.mid[0] - x * 0.12, rig.mid[1], rig.mid[2] + z);
    const dome = new THREE.Mesh(new THREE.SphereGeometry(Math.min(x, y) * 0.26, 24, 14), this.accent);
    dome.scale.set(1, 1, 0.5);
    dome.position.set(rig.mid[0] + x * 0.5, rig.mid[1], rig.mid[2] + z);
    spine.castShadow = true;
    this.group.add(spine, dome);
    for (const side of [-1, 1]) {
      const eye = new THREE.Mesh(new THREE.SphereGeometry(Math.min(y, z) * 0.26, 16, 12), this.accent);
      eye.position.set(rig.mid[0] + x * 0.97, rig.mid[1] + side * y * 0.42, rig.mid[2] + z * 0.15);
      eye.scale.set(0.6, 1, 0.8);
      this.group.add(eye);
    }
  }

  // leg makes the meshes of one leg; limbs are unit-long along y.
  leg(l, rig) {
    const n = l.joints.length, parts = [];
    const thick = (i) => l.joints[i]?.radius || rig.length * (0.042 - 0.018 * (i / Math.max(1, n - 1)));
    for (let i = 0; i < n; i++) {
      const r0 = thick(i) * 1.12, r1 = i === n - 1 ? Math.max(l.radius * 0.9, thick(i) * 0.45) : thick(i) * 0.86;
      const limb = new THREE.Mesh(new THREE.CylinderGeometry(r1, r0, 1, 14, 1), this.limb);
      const ball = new THREE.Mesh(new THREE.SphereGeometry(r0 * 1.22, 18, 12), this.joint);
      for (const m of [limb, ball]) { m.castShadow = true; this.group.add(m); }
      parts.push({ limb, ball });
    }
    const tip = new THREE.Mesh(new THREE.SphereGeometry(Math.max(l.radius, rig.length * 0.02), 16, 12), this.rubber);
    tip.castShadow = true;
    this.group.add(tip);
    return { parts, tip };
  }

  // show moves the rig to a pose.
  show(f) {
    const [w, x, y, z] = f.q;
    this.group.position.set(...f.p);
    this.group.quaternion.set(x, y, z, w);
    const a = new THREE.Vector3(), b = new THREE.Vector3(), d = new THREE.Vector3();
    this.feet = [];
    this.rig.legs.forEach((l, i) => {
      const p = points(l, f.angles, l.first), leg = this.legs[i];
      leg.parts.forEach((part, j) => {
        a.set(...p[j]);
        b.set(...p[j + 1]);
        d.subVectors(b, a);
        const len = Math.max(d.length(), 1e-9);
        part.ball.position.copy(a);
        part.limb.position.addVectors(a, b).multiplyScalar(0.5);
        part.limb.quaternion.setFromUnitVectors(up, d.divideScalar(len));
        part.limb.scale.set(1, len, 1);
      });
      leg.tip.position.set(...p[p.length - 1]);
      const off = f.legs[i]?.off;
      if (leg.off !== off) {
        leg.off = off;
        for (const part of leg.parts) part.limb.material = off ? this.rubber : this.limb;
      }
      this.feet.push(p[p.length - 1]);
    });
  }
}
