(() => {
const get = id => document.getElementById(id);
const data = JSON.parse(get('data').textContent), {language, documents, words} = data;
const {colours, namesOf, proposals, inNames} = scenarioLanguage(data);
const text = get('text'), marks = get('marks'), numbers = get('numbers'), bubble = get('bubble');
const frame = get('run'), chooser = get('open');
const make = (name, attributes, ...parts) => {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...parts);
  return element;
};
const say = (key, ...values) =>
  values.reduce((said, value, at) => said.replace('{' + at + '}', value), words[key]);

// The document that is open, its problems, and the address of the page that runs its text.
let opened = 0, problems = [], page = null, isChanged = false, hovered = 0;

// MARK: Places. A column counts characters as people see them.
const segments = globalThis.Intl?.Segmenter && new Intl.Segmenter(undefined, {granularity: 'grapheme'});
const characters = line => segments
  ? [...segments.segment(line)].map(part => part.segment) : [...line];
const lines = () => text.value.split('\n');
const startOf = line =>
  lines().slice(0, line - 1).reduce((sum, one) => sum + one.length + 1, 0);
// Where a problem begins and ends in its line: a word, or what stands in its place.
const spanOf = (problem, line) => {
  const before = characters(line).slice(0, problem.column - 1).join('');
  const rest = line.slice(before.length);
  const word = /^("[^"]*"?|[\p{L}\p{N}_.-]+|\S)/u.exec(rest)?.[0] ?? '';
  return [before.length, before.length + word.length];
};
const caretLine = () => text.value.slice(0, text.selectionStart).split('\n').length;

// MARK: The sheet. The words that one sees are those of `marks`, coloured and underlined; the field above
// them has the caret, and itself shows what an input method composes.
let drawn = [];
const draw = () => {
  const all = lines();
  const wrong = new Map();
  for (const problem of problems) {
    const line = Math.min(Math.max(problem.line, 1), all.length);
    wrong.set(line, [...(wrong.get(line) ?? []), problem]);
  }
  numbers.replaceChildren(...all.map((_, at) => make('span',
    wrong.has(at + 1) ? {class: 'bad'} : {}, String(at + 1) + '\n')));
  const keys = all.map((line, at) => line + '\n' + JSON.stringify(wrong.get(at + 1) ?? []));
  const rows = keys.map((key, at) => key === drawn[at] ? marks.children[at]
    : make('span', {}, ...marked(all[at], wrong.get(at + 1) ?? []), '\n'));
  drawn = keys;
  marks.replaceChildren(...rows);
  scroll();
};
// A line in its colours, its problems underlined.
const marked = (line, found) => {
  const parts = [], tokens = colours(line);
  let end = 0;
  for (const problem of found.toSorted((one, other) => one.column - other.column)) {
    const [from, to] = spanOf(problem, line);
    if (from < end) continue;
    parts.push(...coloured(line, tokens, end, from), make('span',
      {class: problem.isWarning ? 'squiggle warned' : 'squiggle'},
      ...(to > from ? coloured(line, tokens, from, to) : [' '])));
    end = to;
  }
  return [...parts, ...coloured(line, tokens, end, line.length)];
};
const coloured = (line, tokens, start, end) => {
  const parts = [];
  let at = start;
  for (const [from, to, kind] of tokens) {
    const first = Math.max(from, at), last = Math.min(to, end);
    if (first >= last) continue;
    parts.push(line.slice(at, first), make('span', {class: kind}, line.slice(first, last)));
    at = last;
  }
  return [...parts, line.slice(at, end)];
};
const scroll = () => {
  marks.style.transform = `translate(${-text.scrollLeft}px, ${-text.scrollTop}px)`;
  numbers.style.transform = `translateY(${-text.scrollTop}px)`;
  tell();
};

// The field grows and shrinks with the list below it: the caret's line stays in sight.
const keepInSight = () => {
  const height = parseFloat(getComputedStyle(text).lineHeight), top = (caretLine() - 1) * height;
  if (document.activeElement !== text) return;
  if (top < text.scrollTop) text.scrollTop = top;
  const least = top + 3 * height - text.clientHeight;
  if (least > text.scrollTop) text.scrollTop = least;
};

// Says the problem of the line that the caret, or else the mouse, is on.
const tell = () => {
  const at = caretLine();
  const problem = problems.find(one => one.line === at) ?? problems.find(one => one.line === hovered);
  get('problem').textContent = problem
    ? say('place', problem.line, problem.column) + ': ' + described(problem) : '';
  bubble.hidden = !problem || !choices.hidden;
  if (bubble.hidden) return;
  bubble.textContent = described(problem);
  const squiggle = marks.querySelectorAll('.squiggle')[squiggleOf(problem)];
  const sheet = marks.parentElement.getBoundingClientRect();
  const box = squiggle?.getBoundingClientRect();
  if (!box) return;
  const room = sheet.width - bubble.offsetWidth - 8;
  bubble.style.left = Math.max(4, Math.min(box.left - sheet.left, room)) + 'px';
  const below = box.bottom - sheet.top + 4;
  bubble.style.top = (below + bubble.offsetHeight > sheet.height
    ? Math.max(0, box.top - sheet.top - bubble.offsetHeight - 4) : below) + 'px';
};
const squiggleOf = problem => {
  const ordered = problems.toSorted((one, other) => one.line - other.line || one.column - other.column);
  return ordered.indexOf(problem);
};
const described = problem =>
  (problem.isWarning ? words.warning + ': ' : '') + problem.text;
const list = () => {
  get('problems').replaceChildren(...problems.map(problem => {
    const button = make('button', {type: 'button'},
      make('span', {class: 'quiet'}, say('place', problem.line, problem.column)), ' ',
      described(problem));
    button.addEventListener('click', () => visit(problem));
    return make('li', {}, button);
  }));
  keepInSight();
  scroll();
};
const visit = problem => {
  const line = lines()[problem.line - 1] ?? '';
  const [from, to] = spanOf(problem, line);
  const start = startOf(problem.line);
  text.focus();
  text.setSelectionRange(start + from, start + to);
  const height = parseFloat(getComputedStyle(text).lineHeight);
  text.scrollTop = Math.max(0, (problem.line - 4) * height);
  scroll();
};

// MARK: Completion. The field keeps its role, for it has many lines; the list tells its choice by
// aria-activedescendant.
const choices = get('proposals');
let chosen = -1, offered = [], completed = '';
const offer = isAsked => {
  const isWriting = text.selectionStart === text.selectionEnd && !isComposing;
  const {word, list, isWanted} = isWriting ? proposals(text.value.slice(0, text.selectionStart)) : {list: []};
  if (!isWriting || !list.length || !(isWanted || isAsked)) return closeChoices();
  [offered, completed] = [list.slice(0, 60), word];
  choices.replaceChildren(...offered.map(({kind, text}, at) => {
    const item = make('li', {role: 'option', id: 'proposal-' + at}, make('code', {}, text), ' ',
      make('small', {}, words[kind]));
    item.addEventListener('mousedown', event => { event.preventDefault(); complete(at); });
    return item;
  }));
  choices.hidden = false;
  choices.scrollTop = 0;
  choose(0);
  const place = caretBox(word.length), sheet = marks.parentElement.getBoundingClientRect();
  choices.style.left = Math.max(0, Math.min(place.left - sheet.left, sheet.width - choices.offsetWidth - 4)) + 'px';
  const below = place.bottom - sheet.top + 2;
  choices.style.top = (below + choices.offsetHeight > sheet.height && place.top - sheet.top > choices.offsetHeight
    ? place.top - sheet.top - choices.offsetHeight - 2 : below) + 'px';
  tell();
};
const choose = at => {
  chosen = (at + offered.length) % offered.length;
  [...choices.children].forEach((item, place) => item.setAttribute('aria-selected', String(place === chosen)));
  choices.children[chosen].scrollIntoView({block: 'nearest'});
  text.setAttribute('aria-activedescendant', 'proposal-' + chosen);
};
const closeChoices = () => {
  if (choices.hidden) return;
  choices.hidden = true;
  text.removeAttribute('aria-activedescendant');
  tell();
};
// Where the character so many before the caret stands.
const caretBox = before => {
  const row = marks.children[caretLine() - 1];
  let left = text.selectionStart - startOf(caretLine()) - before;
  const walk = document.createTreeWalker(row, NodeFilter.SHOW_TEXT), range = document.createRange();
  for (let node; (node = walk.nextNode()); left -= node.length) {
    if (left > node.length) continue;
    range.setStart(node, left);
    range.setEnd(node, Math.min(left + 1, node.length));
    return range.getBoundingClientRect();
  }
  return row.getBoundingClientRect();
};
// Writes as a reader does: undo takes it back.
const write = (from, to, words) => {
  text.focus();
  text.setSelectionRange(from, to);
  if (document.execCommand('insertText', false, words)) return;
  text.setRangeText(words, from, to, 'end');
  text.dispatchEvent(new Event('input'));
};
const complete = at => {
  const {selectionStart} = text, {text: words} = offered[at];
  closeChoices();
  write(selectionStart - completed.length, selectionStart, words);
  closeChoices();
};
text.addEventListener('keydown', event => {
  if (event.isComposing || event.altKey || event.metaKey) return;
  if (event.ctrlKey && event.key === ' ') { event.preventDefault(); offer(true); return; }
  if (choices.hidden || event.ctrlKey || event.shiftKey) return;
  const acts = {ArrowDown: () => choose(chosen + 1), ArrowUp: () => choose(chosen - 1),
    Enter: () => complete(chosen), Tab: () => complete(chosen), Escape: closeChoices};
  if (!(event.key in acts)) return;
  event.preventDefault();
  event.stopPropagation();
  acts[event.key]();
});
text.addEventListener('blur', closeChoices);
text.addEventListener('click', closeChoices);
let isComposing = false;
for (const [kind, isOn] of [['compositionstart', true], ['compositionend', false]])
  text.addEventListener(kind, () => {
    isComposing = isOn;
    marks.parentElement.classList.toggle('composing', isOn);
  });

// MARK: The language at the side
const insert = statement => {
  const all = lines();
  let at = caretLine();
  // Not into a class.
  while (at < all.length && namesOf(all.slice(0, at)).isInside) at += 1;
  const isEmpty = !all[at - 1].trim(), start = startOf(at), end = start + all[at - 1].length;
  const written = inNames(statement, all.slice(0, at));
  write(isEmpty ? start : end, end, (isEmpty ? '' : '\n') + written);
  closeChoices();
  keepInSight();
  follow();
};
const groups = Map.groupBy?.(data.statements, one => one.group)
  ?? data.statements.reduce((all, one) => all.set(one.group, [...(all.get(one.group) ?? []), one]), new Map());
get('reference').replaceChildren(...[...groups].map(([group, list], at) => {
  const box = make('details', {}, make('summary', {}, group), make('ul', {}, ...list.map(({lines, does}) => {
    const button = make('button', {type: 'button'}, make('code', {dir: 'ltr'}, lines), ' ', make('small', {}, does));
    button.addEventListener('click', () => insert(lines));
    return make('li', {}, button);
  })));
  box.open = (at === 1 || at === 2) && innerWidth > 768;
  return box;
}));

// MARK: Runs, one at a time
let isAsking = false, isStale = false, timer = 0;
const ask = async (path, body) => {
  const answer = await fetch(path, {method: 'POST', body, headers: {'Content-Type': 'text/plain'}});
  if (answer.ok) return answer.json();
  throw new Error(await answer.text());
};
const address = path => path + '?lang=' + language + '&name='
  + encodeURIComponent(documents[opened].name);
// The design, and those that stand beside it.
const designs = ['design', 'beside', 'third'].map(get);
const chosenDesigns = () =>
  '&design=' + [...new Set(designs.map(one => one.value).filter(name => name))].join(',');
for (const one of designs) one.addEventListener('change', () => run());
const state = said => { get('state').textContent = said; };
const run = async () => {
  if (isAsking) { isStale = true; return; }
  isAsking = true;
  state(words.running);
  const body = text.value;
  try {
    const answer = await ask(address('/run') + chosenDesigns(), body);
    if (body === text.value) take(answer);
  } catch (error) {
    state(error instanceof TypeError ? words.gone : error.message.trim());
  }
  isAsking = false;
  if (isStale) { isStale = false; run(); }
};
const take = answer => {
  problems = answer.marks;
  page = answer.page ?? null;
  draw();
  list();
  state(page ? (problems.length ? '' : words.fine) : words.stale);
  frame.classList.toggle('stale', !page);
  if (page) show(page);
};
const show = path => frame.contentWindow.location.replace(path);
const later = () => {
  clearTimeout(timer);
  timer = setTimeout(run, 350);
};

// The run goes to the step of the caret's line.
const follow = () => {
  tell();
  // A lesson's page has a question that holds its steps.
  if (!page || !frame.contentWindow.location.pathname.startsWith('/runs/')) return;
  const item = frame.contentDocument.querySelectorAll('#source > li')[caretLine() - 1];
  const step = item?.dataset.step;
  if (!step) return;
  const {pathname, hash} = frame.contentWindow.location;
  if (hash.split('.')[0] !== '#step=' + step) show(pathname + '#step=' + step);
};

// MARK: Documents
const draft = () => {
  try {
    sessionStorage.setItem('isalab-draft', JSON.stringify(
      {name: documents[opened].name, text: text.value, isChanged}));
  } catch {}
};
const open = (at, kept = null) => {
  opened = at;
  chooser.value = String(at);
  text.value = kept ?? documents[at].text;
  isChanged = kept !== null && kept !== documents[at].text;
  problems = [];
  page = null;
  const {task, check, design} = documents[at];
  [get('design').value, get('beside').value, get('third').value] = [design ?? data.design, '', ''];
  get('exercise').hidden = !task;
  get('task').textContent = task ?? '';
  get('lines').textContent = check ?? '';
  get('verdict').replaceChildren();
  const first = lines().findIndex(line => /^\s*observe\s/.test(line)) + 1;
  const place = first ? startOf(first) : text.value.length;
  text.setSelectionRange(place, place);
  text.scrollTop = 0;
  draw();
  list();
  state('');
  draft();
  // A lesson or an exhibit that nobody has changed yet is shown with its words.
  const lesson = documents[at].page;
  if (lesson && !isChanged) {
    frame.classList.remove('stale');
    show('/lecture/' + language + '/' + lesson);
  } else run();
};
chooser.addEventListener('change', () => {
  if (isChanged && !confirm(words.discard)) { chooser.value = String(opened); return; }
  open(Number(chooser.value));
});
// The lessons' pages lead to each other: the editor goes along.
frame.addEventListener('load', () => {
  const path = frame.contentWindow.location.pathname.split('/');
  const at = path[1] === 'lecture' ? documents.findIndex(one => one.page === path[3]) : -1;
  if (at >= 0 && at !== opened && !isChanged) open(at);
  if (path[1] === 'runs') follow();
});

text.addEventListener('input', () => {
  isChanged = true;
  get('verdict').replaceChildren();
  draw();
  draft();
  later();
  offer(false);
});
text.addEventListener('scroll', scroll);
for (const kind of ['keyup', 'click', 'focus']) text.addEventListener(kind, follow);
text.addEventListener('mousemove', event => {
  const box = text.getBoundingClientRect(), style = getComputedStyle(text);
  const down = event.clientY - box.top - parseFloat(style.paddingTop) + text.scrollTop;
  hovered = Math.floor(down / parseFloat(style.lineHeight)) + 1;
  tell();
});
text.addEventListener('mouseleave', () => { hovered = 0; tell(); });
addEventListener('resize', scroll);
addEventListener('keydown', event => {
  if (event.key !== 'F8' || !problems.length) return;
  event.preventDefault();
  const at = caretLine(), ordered = problems.toSorted((one, other) => one.line - other.line);
  visit(event.shiftKey ? ordered.findLast(one => one.line < at) ?? ordered.at(-1)
    : ordered.find(one => one.line > at) ?? ordered[0]);
});

// MARK: Exercise, sharing
get('check').addEventListener('click', async () => {
  try {
    const {isSolved, lines} = await ask(
      address('/check') + '&lesson=' + encodeURIComponent(documents[opened].name), text.value);
    get('verdict').replaceChildren(
      make('strong', {class: isSolved ? 'solved' : 'unsolved'},
        isSolved ? words.solved : words.unsolved),
      make('pre', {}, lines.join('\n')));
  } catch (error) {
    get('verdict').textContent = error instanceof TypeError ? words.gone : error.message;
  }
});
const give = (parts, name, type) => {
  const link = make('a', {download: name, href: URL.createObjectURL(new Blob(parts, {type}))});
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
};
const base = () => documents[opened].name.replace(/\.kvo$/, '');
get('save').addEventListener('click', () => give([text.value], base() + '.kvo', 'text/plain'));
get('share').addEventListener('click', async () => {
  try {
    const answer = await ask(address('/run') + chosenDesigns(), text.value);
    problems = answer.marks;
    draw();
    list();
    if (!answer.page) { state(problems[0]?.text ?? ''); return; }
    const shared = await fetch(answer.page);
    give([await shared.text()], base() + '.html', 'text/html');
  } catch (error) {
    state(error instanceof TypeError ? words.gone : error.message);
  }
});
// The run is as light or dark as the editor.
get('theme').addEventListener('click', () => {
  const theme = document.documentElement.dataset.theme;
  if (frame.contentDocument) frame.contentDocument.documentElement.dataset.theme = theme;
});

const kept = (() => {
  try { return JSON.parse(sessionStorage.getItem('isalab-draft')); } catch { return null; }
})();
const keptAt = documents.findIndex(one => one.name === kept?.name);
if (keptAt >= 0) open(keptAt, kept.isChanged ? kept.text : null); else open(0);
})();
