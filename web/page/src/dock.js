// The charts at the bottom, and the event log.
import { h, choice } from './dom.js';

function card(id, title, extra, inner) {
  return h('section.chart', { id: 'card-' + id, 'aria-label': title }, h('div.chart-head', h('h3', title), extra), inner);
}

const legend = (...names) => h('span.legend', names.map((n, i) => h('span', h('i', { style: { background: `var(--series-${i + 1})` } }), n)));

export function dock() {
  const gait = h('canvas', { id: 'diagram', role: 'img', 'aria-label': 'Gait diagram: a bar while a leg stands' });
  const plot = (id, what) => h('div.plot', { id: 'plot-' + id, role: 'img', 'aria-label': 'Plot of ' + what });
  const margin = plot('margin', 'the stability margin'), speed = plot('speed', 'speed asked, allowed and real'), joints = plot('joints', 'the joints of a leg'), late = plot('late', 'how late ticks are');
  const bind = h('b.now', { id: 'binding' }), marginNow = h('b.now', { id: 'margin-now' }), lateNow = h('b.now', { id: 'late-now' });
  const leg = choice({ id: 'joint-leg', label: 'Leg' });
  const quantity = choice({ id: 'joint-what', label: 'What', options: [['angles', 'angles, °'], ['speeds', 'speeds, rad/s'], ['torque', 'torque, %']] });
  const log = h('ol.log', { id: 'log', 'aria-live': 'polite', tabIndex: 0, 'aria-label': 'Events, newest first' });
  const el = h('section.dock', { id: 'dock', 'aria-label': 'Charts and events' },
    card('gait', 'Gait diagram', h('span.legend', h('span', h('i', { style: { background: 'var(--series-1)' } }), 'left'), h('span', h('i', { style: { background: 'var(--series-2)' } }), 'right')), gait),
    card('speed', 'Speed, m/s', [legend('asked', 'allowed', 'real'), bind], speed),
    card('margin', 'Stability margin, mm', marginNow, margin),
    card('joints', 'Joints', h('span.pick', leg.el, quantity.el), joints),
    card('late', 'Lateness, ms', [legend('p50', 'p99', 'work'), lateNow], late),
    card('log', 'Events', null, log));
  return {
    el, gait, margin, speed, joints, late, leg, quantity, bind, marginNow,
    log(e) {
      const about = e.event === 'mode_changed' ? e.mode : [...(e.alarms || []).map((a) => a.replaceAll('_', ' ')), ...e.joints || e.legs || []].join(' ');
      log.prepend(h('li', h('time', e.time.toFixed(2)), h('span', e.event.replaceAll('_', ' ')), h('small', about + (e.advice ? ': ' + e.advice : ''))));
      while (log.children.length > 200) log.lastChild.remove();
    },
    lateness(f) { lateNow.textContent = `${f.late} late`; },
  };
}
