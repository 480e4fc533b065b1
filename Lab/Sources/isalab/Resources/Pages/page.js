'use strict';
(() => {
const get = id => document.getElementById(id);
const data = JSON.parse(get('data').textContent);
const {words, classes, moments} = data;
const last = moments.length - 1;
const calm = matchMedia('(prefers-reduced-motion: reduce)');
let shown = -1, timer = 0;

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
const phrase = (text, ...values) => text.replace(/\{(\d)\}/g, (_, at) => values[at]);

const show = step => {
  step = Math.min(last, Math.max(0, step));
  if (step === shown) return;
  const moment = moments[step], before = moments[Math.max(0, step - 1)];
  const place = phrase(words.step, step, last);
  draw(moment);
  fill('number', place);
  fill('statement', moment.text);
  fill('told', ...told(moment));
  fill('objects', objects(moment, before));
  fill('observations', observations(moment, before));
  fill('methods', ...methods(moment, before));
  fill('events', ...eventTree(moment.events));
  fill('why');
  mark(step);
  get('slider').value = step;
  get('slider').setAttribute('aria-valuetext', place + ': ' + moment.text);
  get('count').value = step + ' / ' + last;
  get('status').textContent = [place, moment.text, ...moment.told].join('. ');
  for (const id of ['first', 'previous']) get(id).disabled = step === 0;
  get('next').disabled = step === last;
  shown = step;
  if (location.hash !== '#step=' + step) history.replaceState(null, '', '#step=' + step);
};

// The scenario's lines of this step.
const mark = step => {
  const box = get('source');
  let first;
  for (const line of box.children) {
    const isNow = step > 0 && Number(line.dataset.step) === step;
    line.classList.toggle('now', isNow);
    const link = line.querySelector('a');
    if (link && isNow && !first) link.setAttribute('aria-current', 'step');
    else if (link) link.removeAttribute('aria-current');
    if (isNow) first ??= line;
  }
  if (!first) return void (box.scrollTop = 0);
  const top = first.offsetTop, room = box.clientHeight;
  if (top < box.scrollTop + 40 || top > box.scrollTop + room - 80)
    box.scrollTop = top - room / 3;
};

const told = moment => moment.told.length
  ? moment.told.map(line => make('li', /→/.test(line) ? {class: 'notable'} : {}, line))
  : [make('li', {class: 'empty'}, words.nothing)];
const svg = get('drawing');
const parts = [...svg.querySelectorAll('[data-id]')];
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
    const part = Math.min(1, Math.max(0, (now - begin) / 700));
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

const draw = moment => {
  const {nodes, edges, words: sentence} = moment.drawing;
  for (const part of parts) {
    const id = part.dataset.id;
    if (part.classList.contains('node')) {
      appear(part, id in nodes);
      const note = part.querySelector('.note');
      if (note && id in nodes) note.textContent = nodes[id];
      continue;
    }
    const edge = edges[id], wasOff = appear(part, edge !== undefined);
    if (edge) drawEdge(part, edge, wasOff);
  }
  get('drawing-title').textContent = moment.text;
  get('drawing-desc').textContent = sentence;
};

const drawEdge = (part, edge, wasOff) => {
  const path = part.querySelector('path');
  part.dataset.to = edge.to;
  part.classList.toggle('swapped', edge.isSwapped);
  part.classList.toggle('forwarded', edge.isForwarded);
  if (edge.line !== undefined) {
    path.setAttribute('marker-end', `url(#tip-${edge.isSwapped ? 'swapped' : 'isa'})`);
    if (wasOff) path.setAttribute('d', edge.line); else move(path, edge.line);
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

const objects = (moment, before) => {
  if (!moment.objects.length) return none();
  const old = new Map(before.objects.map(row => [row.name, row]));
  // What the step changed of an object that was there before it.
  const noted = (text, isOld) => isOld ? text : make('mark', {}, text);
  const cells = (row, was) => [row.name, noted(row.isa, !was || was.isa === row.isa), row.says,
    noted(String(row.count), !was || was.count === row.count),
    lines(row.values.map(value => noted(value, !was || was.values.includes(value))))];
  return table(words.object, [words.object, words.isa, words.says, words.count, words.values],
    moment.objects.map(row => ({key: row.name, cells: cells(row, old.get(row.name))})),
    new Set(old.keys()));
};

const observations = (moment, before) => {
  if (!moment.observations.length) return none();
  const key = row => [row.observer, row.what, row.options, row.serves].join('\n');
  return table(words.observer, [words.observer, words.what, words.options],
    moment.observations.map(row => ({key: key(row), kind: row.serves ? 'inherited' : '',
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
const eventTree = rows => {
  if (!rows.length) return [make('li', {class: 'empty'}, words.noEvents)];
  const items = new Map(), roots = [];
  for (const row of rows) {
    const button = make('button', {type: 'button', 'aria-pressed': 'false', dir: 'ltr'},
      make('span', {class: 'kind'}, row.kind), row.text,
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
const linked = () => {
  const found = /^#step=(\d+)$/.exec(location.hash);
  return found ? Math.min(last, Number(found[1])) : undefined;
};
const play = isOn => {
  clearInterval(timer);
  timer = isOn ? setInterval(() => shown < last ? show(shown + 1) : play(false), 1800) : 0;
  get('bar').classList.toggle('playing', isOn);
  get('play').setAttribute('aria-label', isOn ? words.pause : words.play);
};
const go = step => { play(false); show(step); };

get('first').addEventListener('click', () => go(0));
get('previous').addEventListener('click', () => go(shown - 1));
get('next').addEventListener('click', () => go(shown + 1));
get('play').addEventListener('click', () => {
  if (timer) return play(false);
  if (shown === last) show(0);
  play(true);
});
get('slider').addEventListener('input', event => go(Number(event.target.value)));
addEventListener('hashchange', () => {
  const step = linked();
  if (step !== undefined) go(step);
});
addEventListener('keydown', event => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  if (event.target.closest?.('input, textarea, select')) return;
  const steps = {ArrowLeft: shown - 1, ArrowRight: shown + 1, Home: 0, End: last};
  if (!(event.key in steps)) return;
  event.preventDefault();
  go(steps[event.key]);
});
show(linked() ?? 0);

// Of a drawing wider than the screen the objects are to be seen, not those who observe them.
const figure = get('drawing').closest('.drawing'), object = figure.querySelector('.object');
if (object) figure.scrollLeft =
  object.getBoundingClientRect().left - figure.getBoundingClientRect().left - 8;
})();
