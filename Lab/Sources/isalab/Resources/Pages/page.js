'use strict';
(() => {
const get = id => document.getElementById(id);
const {words, classes, steps, moments} = unpack(JSON.parse(get('data').textContent));
const calm = matchMedia('(prefers-reduced-motion: reduce)');
let shown = -1, station = null, present = -1;

// An element: never from markup, so that a scenario's text stays text.
const make = (name, given = {}, ...children) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(given))
    if (value !== undefined && value !== null) element.setAttribute(key, value);
  element.append(...children);
  return element;
};
const code = text => make('code', {dir: 'ltr'}, text);
const fill = (id, ...children) => get(id).replaceChildren(...children);

// The stops of the slider: each step, behind the stations of its way.
const stops = steps.flatMap(({lane}, step) => [...lane.map((_, at) => [step, at]), [step, null]]);
// How all stands at a stop, and what that is compared with: the moment before, of a whole step the one
// before it.
const momentAt = (step, at) => at === null ? steps[step].end : steps[step].lane[at].moment;
const momentBefore = (step, at) =>
  at === null ? steps[Math.max(0, step - 1)].end : Math.max(0, momentAt(step, at) - 1);

const {last, linked, play, go, phrase, tell} = player({stops, words, show: (...stop) => show(...stop),
  shown: () => [shown, station],
  acts: {i: () => into(), s: () => into(), n: () => over(), u: () => back(), o: () => out()}});
// For those who drive the page; where it stands among others, `lead` shows a stop in all.
window.isalab = {steps, moments, show: (...stop) => show(...stop), zoom: () => zoom};

// Shows a step: whole, or with the message at a station of its way.
const show = (step, at = null) => {
  step = Math.min(last, Math.max(0, step));
  // A link from elsewhere is followed; past the question one goes once it is answered.
  if (shown >= 0 && shown <= quiz.limit() && step > quiz.limit()) {
    const goal = [step, at];
    play(false);
    quiz.ask(() => show(...goal));
    [step, at] = [quiz.limit(), null];
  }
  if (!steps[step].lane[at]) at = null;
  if (step !== shown || at !== station) {
    station = at;
    if (step !== shown) showStep(step);
    const place = momentAt(step, at), moment = moments[place];
    const before = moments[momentBefore(step, at)];
    showMoment(place, moment, before);
    showStation(steps[step], moment, before, at);
  }
  tell(step, at, at === null ? steps[step].text : steps[step].lane[at].text);
};

const showStep = step => {
  document.documentElement.classList.toggle('begun', step > 0);
  const row = steps[step];
  const place = phrase(words.step, step, last);
  fill('number', place);
  fill('statement', row.text);
  fill('told', ...told(row));
  fill('events', ...eventTree(row.events));
  fill('why');
  mark(step);
  get('status').textContent = [place, row.text, ...row.told].join('. ');
  shown = step;
  fill('lane', ...laneItems(row.lane, make, at => go(shown, at)));
};

// The drawing and the tables, as all stands at a moment.
const showMoment = (place, moment, before) => {
  if (place === present) return;
  draw(moment, before);
  fill('objects', objects(moment, before));
  fill('observations', observations(moment, before));
  fill('methods', ...methods(moment, before));
  present = place;
};

// Lights the station, the parts of the drawing that it is about, and its event.
const showStation = (step, moment, before, at) => {
  const boxes = [...get('lane').querySelectorAll('.station')], row = step.lane[at];
  boxes.forEach((box, place) => {
    box.classList.toggle('now', place === at);
    box.classList.toggle('ahead', at !== null && place > at);
    if (place === at) box.firstChild.setAttribute('aria-current', 'step');
    else box.firstChild.removeAttribute('aria-current');
  });
  for (const part of [...parts, ...rows])
    part.classList.toggle('lit', !!row?.parts.includes(part.dataset.id));
  for (const [id, item] of eventItems) item.button.classList.toggle('present', id === row?.event);
  document.documentElement.classList.toggle('inside', at !== null);
  fill('said', row ? row.text : step.lane.length ? words.outside : words.silent);
  get('into').disabled = !step.lane.length;
  get('over').disabled = shown === last && at === null;
  get('back').disabled = shown === 0 && at === null;
  get('out').disabled = at === null;
  bringIntoSight();
  zoom.show(matter(moment, before, row));
  get('whole').hidden = !zoom.isLarge();
};

// Scrolls each list to what belongs to the present place, in a window of another size once more.
const bringIntoSight = () => {
  reveal(get('source'), get('source').querySelector('.now'));
  reveal(get('lane'), get('lane').querySelector('.now'));
  reveal(get('events'), get('events').querySelector('.present'));
};
addEventListener('resize', bringIntoSight);

// The parts to be seen of a drawing that is larger than its place, the most important first: those that
// the station is about, those that the step has changed, those that it touches.
const matter = (moment, before, row) => {
  const {nodes, edges, touched} = moment.drawing;
  const differs = ([id, edge]) => {
    const was = before.drawing.edges[id];
    return !was || was.isSwapped !== edge.isSwapped || was.to !== edge.to || was.label !== edge.label;
  };
  const changed = Object.entries(edges).filter(differs).map(([id]) => id);
  const fresh = Object.keys(nodes).filter(id => !(id in before.drawing.nodes));
  const ends = changed.flatMap(id => [byId.get(id)?.dataset.from, edges[id].to]);
  // A swap is seen from one end to the other.
  const swaps = changed.filter(id => edges[id].isSwapped)
    .flatMap(id => [byId.get(id)?.dataset.from, edges[id].to]);
  // Objects before observers before classes.
  const rank = id => 1 + ['object', 'observer'].findLastIndex(
    kind => byId.get(id)?.classList.contains(kind)) || 3;
  const ranked = list => [...list].sort((one, other) => rank(one) - rank(other));
  const ids = [...(row?.parts ?? []), ...swaps, ...ranked([...fresh, ...ends]), ...changed,
    ...ranked(touched)];
  const list = [...new Set(ids)].map(id => byId.get(id))
    .filter(part => part && !part.classList.contains('off'));
  return list.length ? list : parts.filter(part => part.matches('.node:not(.off)'));
};

// As debuggers do it: into the step on show, and there from station to station.
const into = () => go(shown, station === null ? 0 : station + 1);
const back = () => {
  const at = station ?? steps[shown].lane.length;
  if (at > 0) go(shown, at - 1); else if (shown > 0) go(shown - 1);
};
// The next station at most so many branches away from the line, or else the step's end.
const leave = depth => {
  const next = steps[shown].lane.findIndex((row, at) => at > station && row.depth <= depth);
  go(shown, next < 0 ? null : next);
};
const over = () => {
  if (station === null) return go(shown + 1);
  leave(steps[shown].lane[station].depth);
};
const out = () => { if (station !== null) leave(steps[shown].lane[station].depth - 1); };

// The scenario's lines of this step.
const mark = step => {
  const box = get('source');
  let isMarked = false;
  for (const line of box.children) {
    const isNow = step > 0 && Number(line.dataset.step) === step;
    line.classList.toggle('now', isNow);
    const link = line.querySelector('a');
    if (link && isNow && !isMarked) link.setAttribute('aria-current', 'step');
    else if (link) link.removeAttribute('aria-current');
    isMarked ||= isNow;
  }
};

// Shows each statement in another language as well, as the reader has chosen, on this page or before.
const languages = get('language');
const keptLanguage = () => {
  try { return localStorage.getItem('isalab-language') ?? ''; } catch { return ''; }
};
const translate = language => {
  for (const item of get('source').querySelectorAll('.translation')) {
    const lines = steps[item.parentNode.dataset.step].languages[language];
    item.hidden = !lines;
    item.textContent = (lines ?? []).join('\n');
  }
  if (shown >= 0) bringIntoSight();
};
languages.addEventListener('change', () => {
  try { localStorage.setItem('isalab-language', languages.value); } catch {}
  translate(languages.value);
});

const told = step => step.told.length
  ? step.told.map(line => make('li', /→/.test(line) ? {class: 'notable'} : {}, line))
  : [make('li', {class: 'empty'}, words.nothing)];
const svg = get('drawing'), figure = svg.closest('.drawing');
const parts = [...svg.querySelectorAll('[data-id]')];
const byId = new Map(parts.map(part => [part.dataset.id, part]));
// The rows of the boxes; each has its id while there is something in it.
const rows = [...svg.querySelectorAll('.row')];
const zoom = zoomer(figure, svg, calm), crowded = crowd(svg, parts);
// A crowd's moments have all a close-up.
let isClose = 'close' in moments[0].drawing;
const numbers = line => line.match(/-?[\d.]+/g).map(Number);
const moving = new Map();

const move = (path, line) => {
  cancelAnimationFrame(moving.get(path));
  const from = path.getAttribute('d'), ends = numbers(line), starts = numbers(from);
  if (from === line) return;
  if (calm.matches || document.hidden || starts.length !== ends.length)
    return path.setAttribute('d', line);
  const begin = performance.now();
  const frame = now => {
    const part = Math.min(1, Math.max(0, (now - begin) / 200));
    const eased = part * part * (3 - 2 * part);
    let at = 0;
    path.setAttribute('d', part === 1 ? line : line.replace(/-?[\d.]+/g, () => {
      const value = starts[at] + (ends[at] - starts[at]) * eased;
      at += 1;
      return value.toFixed(1);
    }));
    if (part < 1) moving.set(path, requestAnimationFrame(frame));
  };
  moving.set(path, requestAnimationFrame(frame));
};

const appear = (part, isThere) => {
  const wasOff = part.classList.contains('off');
  part.classList.toggle('off', !isThere);
  if (!isThere || !wasOff || calm.matches || shown < 0) return wasOff;
  part.classList.add('arriving');
  part.getBoundingClientRect();
  part.classList.remove('arriving');
  return wasOff;
};

// What a box has in it; rows that were other before, or are new, are marked.
const fillBox = (box, node, was) => {
  const known = new Map((was?.rows ?? []).map(([id, ...texts]) => [id, texts.join()]));
  [...box.querySelectorAll('.row')].forEach((row, at) => {
    const [id, text, detail] = node.rows[at] ?? ['', '', ''];
    row.dataset.id = id;
    row.querySelector('.text').textContent = text;
    row.querySelector('.detail').textContent = detail;
    row.classList.toggle('fresh', id !== '' && !!was && known.get(id) !== [text, detail].join());
  });
  const note = box.querySelector('.note');
  if (note) note.textContent = node.note;
};

const draw = (moment, before) => {
  const {nodes, edges} = moment.drawing, close = isClose ? moment.drawing.close : undefined;
  const isThere = id => crowded.isThere(close, id);
  crowded.arrange(close);
  for (const part of parts) {
    const id = part.dataset.id;
    if (part.classList.contains('node')) {
      appear(part, id in nodes && isThere(id));
      if (id in nodes) fillBox(part, nodes[id], before.drawing.nodes[id]);
      continue;
    }
    const edge = edges[id], wasOff = appear(part, edge !== undefined && isThere(id));
    if (edge) drawEdge(part, edge, wasOff, close?.lines[id]?.line ?? edge.line);
  }
  get('drawing-title').textContent = steps[shown].text;
  get('drawing-desc').textContent = Object.entries(edges)
    .filter(([id, edge]) => edge.words && isThere(id)).map(([, edge]) => edge.words).join(' ');
};

const drawEdge = (part, edge, wasOff, line) => {
  const path = part.querySelector('path');
  part.dataset.to = edge.to;
  part.classList.toggle('swapped', edge.isSwapped);
  part.classList.toggle('forwarded', edge.isForwarded);
  if (edge.line !== undefined) {
    path.setAttribute('marker-end', `url(#tip-${edge.isSwapped ? 'swapped' : 'isa'})`);
    if (wasOff) path.setAttribute('d', line); else move(path, line);
    part.querySelector('.swap-mark')
      ?.setAttribute('visibility', edge.isSwapped ? 'visible' : 'hidden');
  }
  if (edge.label !== undefined) {
    part.querySelector('.label').textContent = edge.label;
    part.querySelector('title').textContent = edge.full;
  }
};
// A table; what was not there a step before is marked.
const table = (name, heads, rows, known) => {
  const body = rows.map(({key, cells, kind}) => {
    const isNew = known !== undefined && !known.has(key);
    const row = make('tr', {class: [kind, isNew ? 'fresh' : ''].join(' ').trim() || null},
      ...cells.map(cell => make('td', {dir: 'ltr'}, ...[cell].flat())));
    if (isNew) row.firstChild.append(make('span', {class: 'tag'}, words.new));
    return row;
  });
  return make('div', {class: 'scroll'}, make('table', {'aria-label': name},
    make('thead', {}, make('tr', {}, ...heads.map(head => make('th', {scope: 'col'}, head)))),
    make('tbody', {}, ...body)));
};
const none = () => make('p', {class: 'empty'}, words.none);
const small = text => make('small', {}, ' ' + text);
const lines = texts => texts.flatMap((text, at) => at ? [make('br'), text] : [text]);

// The rows that are shown: of a crowd those that the step touches.
const near = (moment, rows) => isClose
  ? rows.filter(row => moment.drawing.touched.includes(row.id)) : rows;

const objects = (moment, before) => {
  const rows = near(moment, moment.objects);
  if (!rows.length) return none();
  const old = new Map(before.objects.map(row => [row.name, row]));
  // What the step changed of an object that was there before it.
  const noted = (text, isOld) => isOld ? text : make('mark', {}, text);
  const cells = (row, was) => [row.name, noted(row.isa, !was || was.isa === row.isa), row.says,
    noted(String(row.count), !was || was.count === row.count),
    lines(row.values.map(value => noted(value, !was || was.values.includes(value))))];
  return table(words.object, [words.object, words.isa, words.says, words.count, words.values],
    rows.map(row => ({key: row.name, cells: cells(row, old.get(row.name))})),
    new Set(old.keys()));
};

const observations = (moment, before) => {
  const rows = near(moment, moment.observations);
  if (!rows.length) return none();
  const key = row => [row.observer, row.what, row.options, row.serves].join('\n');
  return table(words.observer, [words.observer, words.what, words.options],
    rows.map(row => ({key: key(row), kind: row.serves ? 'inherited' : '',
      cells: [row.observer, row.serves ? [row.what, small(row.serves)] : row.what,
        row.options || '–']})),
    new Set(before.observations.map(key)));
};

const opened = new Map();
const methods = (moment, before) => {
  const old = new Map(before.classes.map(at => [classes[at].name, classes[at]]));
  const shown = moment.classes.map(at => classes[at]);
  const rank = cls => cls.kind === 'built-in' ? 1 : 0;
  return shown.sort((one, other) => rank(one) - rank(other)).map(cls => {
    const head = make('summary', {}, code(cls.name));
    if (cls.superclass) head.append(make('span', {class: 'quiet'}, ' : ', code(cls.superclass)));
    if (!old.has(cls.name)) head.append(make('span', {class: 'tag'}, words.new));
    const box = make('details', {}, head, methodTable(cls, old.get(cls.name)));
    box.open = opened.get(cls.name) ?? cls.kind !== 'built-in';
    box.addEventListener('toggle', () => opened.set(cls.name, box.open));
    return box;
  });
};

const methodTable = (cls, old) => cls.methods.length === 0
  ? make('p', {class: 'empty'}, words.noMethods)
  : table(cls.name, [words.selector, words.imp, words.owner],
    cls.methods.map((method, at) => ({
      key: method.selector + '\n' + method.implementation,
      kind: at < cls.own ? '' : 'inherited',
      cells: [[method.selector, small(method.types)],
        method.original
          ? [method.implementation, make('br'), small(words.around + ' ' + method.original)]
          : method.implementation,
        method.owner]})),
    old && new Set(old.methods.map(one => one.selector + '\n' + one.implementation)));
let eventItems = new Map();
const eventTree = rows => {
  const items = eventItems = new Map(), roots = [];
  if (!rows.length) return [make('li', {class: 'empty'}, words.noEvents)];
  for (const row of rows) {
    const button = make('button', {type: 'button', 'aria-pressed': 'false', dir: 'ltr'},
      make('span', {class: 'kind'}, row.kind), ' ', row.text,
      ...(row.thread > 1 ? [small(words.thread + ' ' + row.thread)] : []));
    const item = {row, button, element: make('li', {}, button)};
    button.addEventListener('click', () => choose(items, row.id));
    items.set(row.id, item);
    const cause = items.get(row.cause);
    if (!cause) { roots.push(item.element); continue; }
    if (!cause.list) cause.element.append(cause.list = make('ul'));
    cause.list.append(item.element);
  }
  return roots;
};

// Shows an event's chain of causes; chosen once more, it goes.
const choose = (items, id) => {
  const isChosen = items.get(id).button.getAttribute('aria-pressed') === 'true';
  const chain = [];
  for (let at = items.get(id); at && !isChosen; at = items.get(at.row.cause)) chain.unshift(at);
  for (const item of items.values()) {
    item.button.classList.toggle('chain', chain.includes(item));
    item.button.setAttribute('aria-pressed', String(!isChosen && item.row.id === id));
  }
  fill('why', ...(chain.length
    ? [words.chain + ': ',
        code(chain.map(item => item.row.kind + ' ' + item.row.text).join(' → '))]
    : []));
};
get('into').addEventListener('click', into);
get('back').addEventListener('click', back);
get('over').addEventListener('click', over);
get('out').addEventListener('click', out);
languages.value = keptLanguage();
if (languages.selectedIndex < 0) languages.value = '';
translate(languages.value);

const width = svg.viewBox.baseVal.width, narrow = Number(figure.dataset.narrow);
// A button that is on or off.
const toggle = (id, act) => {
  const button = get(id), isOn = () => button.getAttribute('aria-pressed') === 'true';
  const set = value => { button.setAttribute('aria-pressed', String(value)); act(value); };
  button.addEventListener('click', () => set(!isOn()));
  return () => set(isOn());
};
const showMetaclasses = toggle('metaclasses', isOn => {
  svg.classList.toggle('without-metaclasses', !isOn);
  svg.viewBox.baseVal.width = isOn ? width : narrow;
  zoom.update(true);
  get('whole').hidden = !zoom.isLarge();
});
toggle('whole', isOn => zoom.whole(isOn));
toggle('touched', isOn => {
  isClose = isOn;
  const [step, at] = [shown, station];
  shown = present = -1;
  show(step, at);
});
get('metaclasses').hidden = narrow === width;
get('touched').hidden = !isClose;
showMetaclasses();
show(...(linked() ?? [Number(get('slider').dataset.start)]));
})();
