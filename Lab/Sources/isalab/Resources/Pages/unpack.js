// Reads what PackedJSON has written; the parts that do not change from one moment to the next are shared.
const unpack = ({texts, shapes, root, moments}) => {
  const text = at => texts[parseInt(at, 36)];
  const keysOf = new WeakMap();
  const keyed = (object, keys) => (keysOf.set(object, keys), object);
  const read = value => {
    if (typeof value === 'string') return text(value);
    if (!Array.isArray(value)) return value;
    const [kind, ...parts] = value;
    if (kind === 0) return parts.map(read);
    const keys = shapes[kind - 1];
    if (kind > 0) return keyed(Object.fromEntries(keys.map((key, at) => [key, read(parts[at])])), keys);
    return Object.fromEntries(pairs(parts).map(([key, part]) => [texts[key], read(part)]));
  };
  const pairs = list => list.flatMap((key, at) => at % 2 ? [] : [[key, list[at + 1]]]);
  const changed = (old, delta) => {
    if (delta === 0) return old;
    const [kind, ...parts] = delta;
    if (kind === 1) return read(parts[0]);
    if (kind === 2)
      return [...old.slice(0, parts[0]), ...parts.slice(2).map(read),
        ...(parts[1] ? old.slice(-parts[1]) : [])];
    if (kind === 5) {
      const list = [...old];
      for (const [place, part] of pairs(parts)) list[place] = changed(list[place], part);
      return list;
    }
    if (kind === 6) return parts.reduce(changed, old);
    const made = {...old};
    if (kind === 4) for (const key of parts.shift()) delete made[texts[key]];
    const names = kind === 3 ? keysOf.get(old) : texts;
    if (kind === 3) keyed(made, names);
    for (const [key, part] of pairs(parts)) made[names[key]] = changed(made[names[key]], part);
    return made;
  };
  const list = [];
  for (const delta of moments)
    list.push(list.length ? changed(list[list.length - 1], delta) : read(delta));
  return {...read(root), moments: list};
};
