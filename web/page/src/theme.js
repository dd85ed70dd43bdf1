// Dark and light: the colours of the picture; those of the page are in style.css.

export const palette = {
  dark: {
    sky: '#121b22', hemiSky: '#b9d3e6', hemiGround: '#2a241d', hemi: 0.9, sun: 2.7, sunTint: '#fff1dc', rim: 0.5, exposure: 1.12,
    ground: '#33424d', wash: 0.62, grid: '#7fa6b8', power: 0.34, edge: '#9fc3d2',
    shell: '#e8eef0', limb: '#c9d4d9', joint: '#2b353c', rubber: '#1a2025', accent: '#2fe0c0',
  },
  light: {
    sky: '#e4ecf1', hemiSky: '#ffffff', hemiGround: '#cbbfae', hemi: 1.35, sun: 2.5, sunTint: '#fff6e6', rim: 0.4, exposure: 1.0,
    ground: '#dfe4e2', wash: 0.58, grid: '#6d8794', power: 0.42, edge: '#5d7683',
    shell: '#26343c', limb: '#5b6b74', joint: '#141c21', rubber: '#0d1215', accent: '#00a48a',
  },
};

const key = 'legctl.theme';

export function preferred() {
  const asked = new URLSearchParams(location.search).get('theme');
  if (palette[asked]) return asked;
  const kept = localStorage.getItem(key);
  if (palette[kept]) return kept;
  return matchMedia('(prefers-color-scheme: light)').matches ? 'light' : 'dark';
}

export function keep(name) { localStorage.setItem(key, name); }
