// What the editor knows of the scenario language: the colours of its words, the names that a text declares,
// what may stand at a place, and a statement in the text's own names.
const scenarioLanguage = ({reserved, types, statements}) => {
const joining = ('accessor accessors as at by context count depends first for from getter has hears in ivar '
  + 'lacks last manual object of options private profile proxy readonly setter thread to triggered valid '
  + 'weak with').split(' ');
const wishes = ['context', 'initial', 'new', 'old', 'prior', 'retain'];
const words = new Set([...reserved, ...joining]);
const heads = [...new Set(statements.map(({lines}) => /^[a-z-]+(?=\s)/.exec(lines)?.[0])
  .filter(word => words.has(word)))].sort();
const name = '[\\p{L}_][\\p{L}\\p{N}_]*';
const token = new RegExp(`(#.*)|("(?:[^"\\\\]|\\\\.)*"?)|(@?${name}(?:-${name})*)|(-?\\d[\\w.]*)`, 'gu');

// The parts of a line that have a colour, each as its start, its end and its kind.
const colours = line => [...line.matchAll(token)].flatMap(found => {
  const [all, comment, string, word] = found, from = found.index, to = from + all.length;
  const isMember = /\.$/.test(line.slice(0, from));
  const isKey = /^\s*:/.test(line.slice(to)) && word !== 'hears';
  const kind = comment ? 'comment' : string ? 'string'
    : word && !isMember && types.includes(word) && /:\s*$/.test(line.slice(0, from)) ? 'type'
    : word && !isMember && !isKey && words.has(word) ? 'word' : '';
  return kind ? [[from, to, kind]] : [];
});

// The names that lines declare: classes with superclass and members, objects with class, observers.
const namesOf = lines => {
  const classes = new Map([['SwiftView', {members: new Map([['width', 'long']])}]]);
  const objects = new Map(), functions = [], observing = [];
  let open = null;
  for (const line of lines) {
    const plain = line.replace(/#.*/, '');
    const head = new RegExp(`^\\s*(class|struct)\\s+(${name})\\s*(?::\\s*(${name}))?[^{]*\\{`, 'u').exec(plain);
    if (head) classes.set(head[2], open = {isStruct: head[1] === 'struct', above: head[3], members: new Map()});
    const rest = head ? plain.slice(head[0].length) : plain;
    if (open) {
      for (const [, key, type] of rest.matchAll(new RegExp(`(${name})\\s*:\\s*([\\w-]+)`, 'gu')))
        open.members.set(key, type);
      if (rest.includes('}')) open = null;
      continue;
    }
    const made = new RegExp(`^\\s*let\\s+(${name})\\s*(?::\\s*([\\w-]+)\\s*)?=\\s*(${name})?`, 'u').exec(plain);
    if (made) objects.set(made[1], made[2] ?? made[3] ?? '');
    const watcher = new RegExp(`^\\s*observer\\s+(${name})`, 'u').exec(plain)?.[1];
    if (watcher) observing.push(watcher);
    const named = new RegExp(`\\bas\\s+(${name})\\s*$`, 'u').exec(plain)?.[1];
    if (named) functions.push(named);
  }
  const members = (cls, depth = 0) => classes.has(cls) && depth < 99
    ? new Map([...members(classes.get(cls).above, depth + 1), ...classes.get(cls).members]) : new Map();
  return {classes, objects, functions, observing, members, isInside: open !== null};
};

// What may stand where a text ends, and how much of it that completes.
const proposals = before => {
  const lines = before.split('\n'), line = lines.pop();
  const last = colours(line).at(-1);
  if (last?.[1] === line.length && ['comment', 'string'].includes(last[2])) return {word: '', list: []};
  const word = /@?[\p{L}_][\p{L}\p{N}_-]*$/u.exec(line)?.[0] ?? '';
  const head = line.slice(0, line.length - word.length);
  const list = placed(head, namesOf([...lines, head]))
    .filter(one => one.text.toLowerCase().startsWith(word.toLowerCase()));
  const isWhole = list.some(one => one.text === word);
  return {word, list: isWhole ? [] : list, isWanted: word !== '' || /[\p{L}\p{N}_]\.$/u.test(head)};
};
const each = (kind, texts) => [...texts].map(text => ({kind, text}));
const placed = (head, names) => {
  const objects = each('object', names.objects.keys());
  const observers = each('observer', [...names.functions, ...names.observing]);
  const classes = each('class', names.classes.keys());
  const path = new RegExp(`(${name}(?:\\.${name})*)\\.$`, 'u').exec(head)?.[1].split('.');
  if (path) {
    const first = names.objects.get(path[0]) ?? path[0];
    const owner = path.slice(1).reduce((cls, key) => names.members(cls).get(key), first);
    return each('key', names.members(owner).keys());
  }
  if (names.isInside) return /:\s*$/.test(head) ? [...each('type', types), ...classes]
    : /:\s*\S+\s+$/.test(head) ? each('word', ['accessors', 'depends', 'getter', 'manual', 'readonly',
      'setter', 'triggered', 'valid', 'weak']) : [];
  if (/options\([^)]*$/.test(head)) return each('word', wishes);
  if (/^\s*let\s.*=\s*$/.test(head))
    return classes.map(one => ({kind: 'class', text: one.text + '()'}));
  if (/\b(as|let|observer|struct)\s+$/.test(head)) return [];
  if (/^\s*$|:\s*$|on thread\s+$/.test(head)) return [...each('word', heads), ...objects];
  if (/^\s*(methods|superclass)\s+$/.test(head)) return [...classes, ...objects];
  if (/^\s*(remove|when|whenever)\s+$/.test(head))
    return [...observers, ...each('word', ['from', 'object'])];
  return [...objects, ...observers, ...classes, ...each('word', joining)];
};

// A statement as the language is described, in the names of the lines above it.
const inNames = (statement, lines) => {
  const names = namesOf(lines), {classes, objects, functions, observing} = names;
  const taken = new Set([...classes.keys(), ...objects.keys(), ...functions, ...observing]);
  const fresh = wanted => {
    let found = wanted;
    for (let at = 2; taken.has(found); at += 1) found = wanted + at;
    taken.add(found);
    return found;
  };
  const own = [...objects].filter(([, cls]) => names.members(cls).size && cls !== 'SwiftView');
  const [p, cls] = own.at(-1) ?? ['p', 'Person'];
  const keys = [...names.members(cls)];
  const keyOf = (test, otherwise) => keys.find(([, type]) => test(type))?.[0] ?? otherwise;
  const home = keyOf(type => classes.has(type) && !classes.get(type).isStruct, 'home');
  const age = keyOf(type => /^u?(int|long|short|char)\d*$|^(double|float)$/.test(type), 'age');
  const known = {
    p, age, home, Person: objects.size ? cls : [...classes.keys()].at(-1) ?? 'Person',
    items: keyOf(type => /array|ordered/.test(type), 'items'), tags: keyOf(type => /^(mutable-)?set$/.test(type), 'tags'),
    t: functions.at(-1) ?? 't', o: observing.at(-1) ?? 'o',
    city: [...names.members(names.members(cls).get(home)).keys()][0] ?? 'city',
  };
  if (known.Person === 'SwiftView') known.Person = 'Person';
  const capital = age[0].toUpperCase() + age.slice(1);
  if (/^(class|struct) \w+ {/.test(statement))
    return statement.replace(/\w+(?= {)/, fresh);
  return statement.replace(/(\b(?:let|observer|as|shared) )(\w+)|(?<![\w"])([A-Za-z]+)(?![\w"(:]|: )|setAge:|Person(?=\(\))/g,
    (all, before, declared, word) => before ? before + fresh(declared)
      : all === 'setAge:' ? `set${capital}:` : known[word ?? all] ?? all);
};

return {colours, namesOf, proposals, inNames};
};
