'use strict';
// The page of a trace: a lane for each thread, drawn into a canvas; what is chosen stands below in words.
(() => {
const get = id => document.getElementById(id);
const data = JSON.parse(get('data').textContent), {words, kinds, texts, objects, threads} = data;
const make = (name, given = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(given))
    if (value !== undefined && value !== null) element.setAttribute(key, value);
  element.append(...children.filter(child => child !== null && child !== ''));
  return element;
};
const fill = (id, ...children) => get(id).replaceChildren(...children);

// MARK: Events. Columns; ids and times come as differences.
const sums = list => { let sum = 0; return Float64Array.from(list, one => sum += one); };
const {thread, kind, object, key, place, value, old, depth, registration} = data.events;
const id = sums(data.events.id), time = sums(data.events.time), span = data.events.span;
const count = id.length;
const cause = id.map((own, at) => data.events.cause[at] ? own - data.events.cause[at] : 0);
const numberOf = new Map(Array.from(id, (own, at) => [own, at]));
const effects = new Map();
cause.forEach((number, at) => {
  if (!number) return;
  if (effects.has(number)) effects.get(number).push(at); else effects.set(number, [at]);
});
const ofObject = new Map();
object.forEach((number, at) => {
  if (number < 0) return;
  if (ofObject.has(number)) ofObject.get(number).push(at); else ofObject.set(number, [at]);
});
const kindOf = at => kinds[kind[at]];
const isSpan = at => span[at] >= 0;
const text = number => number < 0 ? '' : texts[number];

// MARK: Words
const phrase = (said, ...values) => said.replace(/\{(\d)\}/g, (_, at) => values[at]);
const moment = nanoseconds => phrase(words.milliseconds, (nanoseconds / 1e6).toFixed(3));
const long = nanoseconds => nanoseconds >= 1e9 ? phrase(words.seconds, (nanoseconds / 1e9).toFixed(2))
  : nanoseconds >= 1e6 ? phrase(words.milliseconds, (nanoseconds / 1e6).toFixed(2))
    : phrase(words.microseconds, (nanoseconds / 1e3).toFixed(1));
const subject = at => object[at] < 0 ? text(key[at])
  : objects[object[at]].name + (key[at] < 0 ? '' : '.' + text(key[at]));
const change = at => value[at] < 0 ? ''
  : (old[at] < 0 ? '' : text(old[at]) + ' → ') + text(value[at]);
// A sentence about an event, its subject in bold.
const sentence = at => {
  const said = words['kind-' + kindOf(at)] ?? kindOf(at) + ' {0}', [before, after] = said.split('{0}');
  const parts = [before, make('b', {}, make('bdi', {}, subject(at))), after ?? ''];
  if (isSpan(at) && span[at] > 0) parts.push(make('span', {class: 'quiet'}, ' ' + long(span[at])));
  if (change(at)) parts.push(make('code', {class: 'value'}, ' ' + change(at)));
  return parts;
};
const button = at => {
  const made = make('button', {type: 'button', class: 'event'}, '#' + id[at]);
  made.addEventListener('click', () => choose(at, true));
  return made;
};

// MARK: Lanes
const canvas = get('lanes'), pen = canvas.getContext('2d');
const rowHeight = 14, tickHeight = 9, gap = 16;
// Of each thread its events in the order of time, and how deep they lie within one another.
const lanes = threads.map((name, number) => {
  const events = [];
  for (let at = 0; at < count; at++) if (thread[at] === number) events.push(at);
  const rows = events.reduce((most, at) => isSpan(at) ? Math.max(most, depth[at] + 1) : most, 1);
  return {name, events, rows: Math.min(rows, 12)};
});
let top = 22;
for (const lane of lanes) {
  lane.top = top;
  top += lane.rows * rowHeight + tickHeight + gap;
}
const height = Math.min(top + 4, 5000), margin = 116;
const last = count ? Math.max(time[count - 1], ...lanes.map(({events}) =>
  events.reduce((most, at) => Math.max(most, time[at] + Math.max(0, span[at])), 0))) : 1;
const first = count ? time[0] : 0;
let view = {from: first, to: Math.max(last, first + 1000)}, chosen = -1, found = null, drawing = 0;
const whole = {...view};
const styles = () => getComputedStyle(document.documentElement);
const colour = (style, name) => style.getPropertyValue('--' + name).trim();
const inks = {set: 'observes', notification: 'swapped', 'handler-arrived': 'swapped', span: 'refers',
  transaction: 'quiet', 'observer-added': 'refers', 'observer-removed': 'quiet', refused: 'swapped',
  misuse: 'swapped', held: 'observes', muted: 'quiet'};
const width = () => canvas.clientWidth;
const xOf = moment => margin + (moment - view.from) / (view.to - view.from) * (width() - margin - 8);
const timeOf = x => view.from + (x - margin) / (width() - margin - 8) * (view.to - view.from);

const draw = () => {
  drawing = 0;
  const scale = devicePixelRatio || 1, style = styles();
  canvas.style.height = height + 'px';
  if (canvas.width !== Math.round(width() * scale) || canvas.height !== Math.round(height * scale)) {
    canvas.width = Math.round(width() * scale);
    canvas.height = Math.round(height * scale);
  }
  pen.setTransform(scale, 0, 0, scale, 0, 0);
  pen.clearRect(0, 0, width(), height);
  pen.font = '11px ' + getComputedStyle(document.body).fontFamily;
  pen.textBaseline = 'middle';
  drawGrid(style);
  for (const lane of lanes) drawLane(lane, style);
};
const later = () => { drawing ||= requestAnimationFrame(draw); };

// A line at each round moment.
const drawGrid = style => {
  const length = view.to - view.from, rough = length / Math.max(2, (width() - margin) / 110);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map(one => one * power).find(one => one >= rough);
  pen.strokeStyle = colour(style, 'fill');
  pen.fillStyle = colour(style, 'quiet');
  for (let at = Math.ceil((view.from - first) / step) * step; at + first <= view.to; at += step) {
    const x = Math.round(xOf(at + first)) + .5;
    pen.beginPath();
    pen.moveTo(x, 0);
    pen.lineTo(x, height);
    pen.stroke();
    pen.fillText(step >= 1e6 ? phrase(words.milliseconds, (at / 1e6).toFixed(0)) : long(at), x + 3, 9);
  }
};
const drawLane = (lane, style) => {
  pen.fillStyle = colour(style, 'ink');
  pen.fillText(lane.name, 8, lane.top + rowHeight / 2, margin - 14);
  pen.strokeStyle = colour(style, 'fill');
  pen.beginPath();
  pen.moveTo(0, lane.top - gap / 2 + .5);
  pen.lineTo(width(), lane.top - gap / 2 + .5);
  pen.stroke();
  pen.save();
  pen.beginPath();
  pen.rect(margin, lane.top - 3, width() - margin, lane.rows * rowHeight + tickHeight + 6);
  pen.clip();
  // What would stand on the same pixel of a row is drawn once.
  const taken = Array(lane.rows + 1).fill(-1);
  for (const at of lane.events) {
    if (time[at] > view.to) break;
    const end = time[at] + Math.max(0, span[at]);
    if (end < view.from) continue;
    drawEvent(lane, at, end, taken, style);
  }
  pen.restore();
};
const rowOf = (lane, at) => isSpan(at) ? Math.min(depth[at], lane.rows - 1) : lane.rows;
const boxOf = (lane, at) => {
  const row = rowOf(lane, at), left = Math.max(xOf(time[at]), margin - 2);
  const right = Math.min(xOf(time[at] + Math.max(0, span[at])), width() + 2);
  return {x: left, y: lane.top + row * rowHeight + (isSpan(at) ? 0 : 2),
    width: Math.max(isSpan(at) ? 1.5 : 1.5, right - left), height: isSpan(at) ? rowHeight - 2 : tickHeight - 2};
};
const drawEvent = (lane, at, end, taken, style) => {
  const box = boxOf(lane, at), row = rowOf(lane, at), isMine = at === chosen, isFound = !found || found.has(at);
  const pixel = Math.round(box.x * 2 + box.width * 2);
  if (box.width < 2 && taken[row] === pixel && !isMine) return;
  taken[row] = pixel;
  pen.globalAlpha = isFound ? 1 : .13;
  pen.fillStyle = colour(style, inks[kindOf(at)] ?? 'quiet');
  pen.fillRect(box.x, box.y, box.width, box.height);
  if (box.width > 46) {
    pen.save();
    pen.beginPath();
    pen.rect(box.x, box.y, box.width - 3, box.height);
    pen.clip();
    pen.fillStyle = colour(style, 'paper');
    pen.fillText(subject(at) + (place[at] < 0 ? '' : '  ' + text(place[at])), box.x + 4, box.y + box.height / 2 + .5);
    pen.restore();
  }
  pen.globalAlpha = 1;
  if (!isMine) return;
  pen.strokeStyle = colour(style, 'ink');
  pen.lineWidth = 2;
  pen.strokeRect(box.x - 1, box.y - 1, box.width + 2, box.height + 2);
  pen.lineWidth = 1;
};

// MARK: Zoom
const look = (from, to) => {
  const length = Math.min(Math.max(to - from, 1000), whole.to - whole.from);
  const start = Math.min(Math.max(from, whole.from), whole.to - length);
  view = {from: start, to: start + length};
  later();
};
const zoom = (factor, at = (view.from + view.to) / 2) =>
  look(at - (at - view.from) * factor, at + (view.to - at) * factor);
const pan = part => {
  const by = (view.to - view.from) * part;
  look(view.from + by, view.to + by);
};
canvas.addEventListener('wheel', event => {
  if (event.ctrlKey || !event.shiftKey && Math.abs(event.deltaY) > Math.abs(event.deltaX)) {
    event.preventDefault();
    zoom(Math.exp(event.deltaY * .0022), timeOf(event.offsetX));
  } else {
    event.preventDefault();
    pan((event.deltaX || event.deltaY) / width());
  }
}, {passive: false});
const fingers = new Map();
let moved = 0;
canvas.addEventListener('pointerdown', event => {
  canvas.setPointerCapture(event.pointerId);
  fingers.set(event.pointerId, event.offsetX);
  moved = 0;
});
canvas.addEventListener('pointermove', event => {
  if (!fingers.has(event.pointerId)) return hover(event);
  const before = [...fingers.values()];
  moved += Math.abs(event.offsetX - fingers.get(event.pointerId));
  fingers.set(event.pointerId, event.offsetX);
  const after = [...fingers.values()];
  if (after.length === 1) return pan((before[0] - after[0]) / (width() - margin));
  const apart = list => Math.max(8, Math.abs(list[0] - list[1]));
  zoom(apart(before) / apart(after), timeOf((after[0] + after[1]) / 2));
});
for (const name of ['pointerup', 'pointercancel'])
  canvas.addEventListener(name, event => {
    fingers.delete(event.pointerId);
    if (name === 'pointerup' && moved < 5) {
      const at = eventAt(event.offsetX, event.offsetY);
      if (at >= 0) choose(at);
    }
  });
// The event at a place: the deepest one there, or the nearest tick.
const eventAt = (x, y) => {
  const lane = lanes.find(one => y >= one.top - 4 && y < one.top + one.rows * rowHeight + tickHeight + 6);
  if (!lane) return -1;
  let best = -1, distance = 5;
  for (const at of lane.events) {
    if (time[at] > view.to) break;
    const box = boxOf(lane, at);
    if (y < box.y - 1 || y > box.y + box.height + 2) continue;
    const away = x < box.x ? box.x - x : x > box.x + box.width ? x - box.x - box.width : 0;
    if (away < distance || away === 0 && distance === 0) [best, distance] = [at, away];
  }
  return best;
};
const hover = event => {
  const at = eventAt(event.offsetX, event.offsetY), tip = get('tip');
  tip.hidden = at < 0;
  if (at < 0) return;
  tip.replaceChildren(...sentence(at), make('br'), make('small', {}, text(place[at])));
  tip.style.left = Math.min(event.offsetX + 12, width() - tip.offsetWidth - 4) + 'px';
  tip.style.top = event.offsetY + 16 + 'px';
};
canvas.addEventListener('pointerleave', () => { get('tip').hidden = true; });

// MARK: What is chosen
const choose = (at, isShown = false) => {
  chosen = at;
  if (isShown) {
    const length = Math.min(view.to - view.from, Math.max(span[at] * 8, (whole.to - whole.from) / 20, 20000));
    if (time[at] < view.from || time[at] > view.to) look(time[at] - length / 2, time[at] + length / 2);
  }
  history.replaceState(null, '', '#event=' + id[at]);
  showWhy(at);
  showHistory(at);
  later();
};
const showWhy = at => {
  const chain = [at];
  for (let cursor = at; cause[cursor] && numberOf.has(cause[cursor]); cursor = chain[chain.length - 1])
    chain.push(numberOf.get(cause[cursor]));
  const lost = cause[chain[chain.length - 1]];
  const items = chain.map(one => {
    const at = text(place[one]), made = data.registrations[registration[one]];
    return make('li', {class: kindOf(one)}, button(one), ' ', make('span', {class: 'quiet'}, moment(time[one] - first)), ' ',
      ...sentence(one), ...(at ? [make('br'), make('code', {class: 'place'}, at)] : []),
      ...(made ? [make('br'), make('code', {class: 'place'}, phrase(words.registered, made))] : []));
  });
  if (lost) items.push(make('li', {class: 'quiet'}, phrase(words.lost, lost)));
  const then = (effects.get(id[at]) ?? []).slice(0, 50);
  fill('why', make('h2', {}, phrase(words.why, id[at])), make('ol', {class: 'chain'}, ...items),
    ...(then.length ? [make('h3', {}, words.then), make('ol', {class: 'then'}, ...then.map(one =>
      make('li', {}, button(one), ' ', ...sentence(one))))] : []));
};
const page = 120;
const showHistory = (at, from = null) => {
  const own = ofObject.get(object[at]);
  if (!own) return fill('history');
  const middle = own.indexOf(at), begin = from ?? Math.max(0, middle - page / 2);
  const rows = own.slice(begin, begin + page).map(one => {
    const row = make('tr', one === at ? {class: 'now'} : {}, make('td', {class: 'quiet'}, moment(time[one] - first)),
      make('td', {}, ...sentence(one), ' ', make('code', {class: 'place'}, text(place[one]))),
      make('td', {}, threads[thread[one]], ' ', button(one)));
    return row;
  });
  const about = objects[object[at]];
  const more = (to, said) => {
    const made = make('button', {type: 'button'}, said);
    made.addEventListener('click', () => showHistory(at, to));
    return made;
  };
  fill('history', make('h2', {}, phrase(about.died === null ? words.history : words['history-gone'], about.name, own.length,
    about.died === null ? '' : moment(about.died - first))),
  ...(begin > 0 ? [more(Math.max(0, begin - page), words.earlier)] : []),
  make('div', {class: 'scroll'}, make('table', {}, make('tbody', {}, ...rows))),
  ...(begin + page < own.length ? [more(begin + page, words.later)] : []));
};

// MARK: Search
const search = get('search');
const matches = () => {
  const wanted = search.value.trim().toLowerCase();
  if (!wanted) return null;
  const number = /^#(\d+)$/.exec(wanted);
  if (number) return new Set(numberOf.has(Number(number[1])) ? [numberOf.get(Number(number[1]))] : []);
  const inTexts = new Set(texts.flatMap((one, at) => one.toLowerCase().includes(wanted) ? [at] : []));
  const inObjects = new Set(objects.flatMap((one, at) => one.name.toLowerCase().includes(wanted) ? [at] : []));
  const inThreads = new Set(threads.flatMap((one, at) => one.toLowerCase().includes(wanted) ? [at] : []));
  const isWanted = at => inTexts.has(key[at]) || inTexts.has(place[at]) || inObjects.has(object[at])
    || inThreads.has(thread[at]) || inTexts.has(value[at]) || kindOf(at).includes(wanted)
    || subject(at).toLowerCase().includes(wanted)
    || (data.registrations[registration[at]] ?? '').toLowerCase().includes(wanted);
  const all = new Set();
  for (let at = 0; at < count; at++) if (isWanted(at)) all.add(at);
  return all;
};
search.addEventListener('input', () => {
  found = matches();
  get('matches').textContent = found ? phrase(words.matches, found.size) : '';
  later();
});
search.addEventListener('keydown', event => {
  if (event.key !== 'Enter' || !found?.size) return;
  const all = [...found].sort((one, other) => one - other);
  choose(event.shiftKey ? all.findLast(at => at < chosen) ?? all[all.length - 1] : all.find(at => at > chosen) ?? all[0], true);
});

// MARK: Findings
fill('findings', ...data.findings.map(({kind, text: said, place, event}) => {
  const parts = [make('span', {}, said), ...(place ? [make('code', {class: 'place'}, place)] : [])];
  const at = numberOf.get(event);
  if (at === undefined) return make('li', {class: kind}, make('p', {}, ...parts));
  const made = make('button', {type: 'button'}, ...parts);
  made.addEventListener('click', () => {
    choose(at, true);
    canvas.scrollIntoView({block: 'nearest'});
  });
  return make('li', {class: kind}, made);
}));

// MARK: Keys, and the address
const nextOf = (at, by) => {
  const own = lanes[thread[Math.max(at, 0)]]?.events ?? [], next = own[own.indexOf(at) + by];
  if (next !== undefined) choose(next, true);
};
const acts = {
  '+': () => zoom(.6), '=': () => zoom(.6), w: () => zoom(.6), '-': () => zoom(1 / .6), s: () => zoom(1 / .6),
  a: () => pan(-.2), d: () => pan(.2), 0: () => look(whole.from, whole.to),
  ArrowRight: () => chosen < 0 ? choose(0, true) : nextOf(chosen, 1),
  ArrowLeft: () => nextOf(chosen, -1),
  ArrowUp: () => { const at = numberOf.get(cause[chosen]); if (at !== undefined) choose(at, true); },
  ArrowDown: () => { const at = effects.get(id[chosen])?.[0]; if (at !== undefined) choose(at, true); },
};
addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest?.('input')) return;
  if (event.key === '/') { event.preventDefault(); search.focus(); return; }
  if (!(event.key in acts)) return;
  event.preventDefault();
  acts[event.key]();
});
for (const [name, act] of [['closer', () => zoom(.6)], ['farther', () => zoom(1 / .6)],
  ['earlier', () => pan(-.4)], ['later', () => pan(.4)], ['all', () => look(whole.from, whole.to)]])
  get(name).addEventListener('click', act);
get('theme').addEventListener('click', later);
new ResizeObserver(later).observe(canvas);
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', later);
const linked = () => {
  const number = /^#event=(\d+)$/.exec(location.hash), at = number && numberOf.get(Number(number[1]));
  if (at !== null && at !== undefined) choose(at, true);
};
addEventListener('hashchange', linked);
draw();
linked();
// For those who drive the page.
window.isalab = {choose, look, eventAt, view: () => view, chosen: () => chosen, lanes, boxOf, found: () => found};
})();
