// Of a crowd of objects: those that a step touches stand alone, close to each other, or all in their
// places.
const crowd = (svg, parts) => {
  const height = svg.viewBox.baseVal.height;
  const number = (part, name) => Number(part?.getAttribute(name) ?? 0);
  const homes = new Map(parts.map(part => {
    const label = part.querySelector('.label'), mark = part.querySelector('.mark');
    return [part, part.classList.contains('node')
      ? {place: part.getAttribute('transform').match(/-?[\d.]+/g).map(Number)}
      : {line: part.querySelector('path').getAttribute('d'),
          at: label ? [number(label, 'x'), number(label, 'y')]
            : mark ? [number(mark, 'x'), number(mark, 'y') + 11] : null}];
  }));
  const move = (part, at) => {
    const label = part.querySelector('.label'), home = homes.get(part);
    if (!at || !home.at) return;
    if (label) { label.setAttribute('x', at[0]); label.setAttribute('y', at[1]); }
    part.querySelector('.swap-mark')?.setAttribute('transform', `translate(0 ${at[1] - home.at[1]})`);
  };
  return {
    // Lays the drawing out for a step's close-up, or as it was without one.
    arrange: close => {
      svg.viewBox.baseVal.height = close ? close.height : height;
      for (const part of parts) {
        const id = part.dataset.id, home = homes.get(part);
        if (home.place) {
          part.setAttribute('transform',
            `translate(${home.place[0]} ${close?.tops[id] ?? home.place[1]})`);
          continue;
        }
        const line = close?.lines[id];
        if (!part.dataset.moves) part.querySelector('path').setAttribute('d', line?.line ?? home.line);
        move(part, line?.at ?? home.at);
      }
    },
    isThere: (close, id) => !close || id in close.tops || id in close.lines,
  };
};
