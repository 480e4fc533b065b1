// Reads what PackedJSON has written; the parts that do not change from one moment to the next are shared.
// A moment is made when it is asked for, from one before it: of every 64 one is kept, and the last one.
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
  // What this way through the moments has made itself, and may therefore change.
  let own = new WeakSet();
  const mine = old => {
    if (own.has(old)) return old;
    const made = Array.isArray(old) ? [...old] : {...old};
    if (keysOf.has(old)) keyed(made, keysOf.get(old));
    own.add(made);
    return made;
  };
  const changed = (old, delta) => {
    if (delta === 0) return old;
    const [kind, ...parts] = delta;
    if (kind === 1) return read(parts[0]);
    if (kind === 6) return parts.reduce(changed, old);
    const made = mine(old);
    if (kind === 2) {
      const [before, behind, ...items] = parts;
      made.splice(before, made.length - before - behind, ...items.map(read));
      return made;
    }
    if (kind === 4) for (const key of parts.shift()) delete made[texts[key]];
    const names = kind === 3 ? keysOf.get(made) : texts;
    for (const [key, part] of pairs(parts)) {
      const name = kind === 5 ? key : names[key];
      made[name] = changed(made[name], part);
    }
    return made;
  };
  const kept = new Map([[0, read(moments[0])]]);
  let last = 0;
  const momentAt = place => {
    if (kept.has(place)) return kept.get(place);
    let from = last < place ? last : 0;
    for (const near of kept.keys()) if (near < place && near > from) from = near;
    let moment = kept.get(from);
    own = new WeakSet();
    for (let at = from + 1; at <= place; at += 1) {
      moment = changed(moment, moments[at]);
      if (at % 64) continue;
      kept.set(at, moment);
      own = new WeakSet();
    }
    if (last % 64) kept.delete(last);
    kept.set(last = place, moment);
    return moment;
  };
  const list = new Proxy([], {
    get: (_, key) => key === 'length' ? moments.length : momentAt(Number(key)),
  });
  return {...read(root), moments: list};
};
