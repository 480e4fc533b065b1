// The stations of a way as items of a list; those of a branch stand in a list of their own, from which
// the way comes back.
const laneItems = (rows, make, choose) => {
  const root = make('ol');
  const lists = [root];
  const item = (row, at) => {
    const box = make('button', {type: 'button', title: row.text, dir: 'ltr'},
      make('span', {}, row.title),
      ...(row.value === undefined ? [] : [' ', make('strong', {}, row.value)]));
    box.addEventListener('click', () => choose(at));
    return make('li', {class: row.kind + ' station'}, box);
  };
  rows.forEach((row, at) => {
    while (lists.length - 1 > row.depth) lists.pop();
    while (lists.length - 1 < row.depth) {
      const list = make('ol');
      lists[lists.length - 1].append(make('li', {class: 'branch'}, list));
      lists.push(list);
    }
    lists[lists.length - 1].append(item(row, at));
  });
  return [...root.children];
};

// Scrolls a box by itself until a part of it is in sight.
const reveal = (box, part) => {
  if (!part) return void (box.scrollTop = 0);
  const place = box.getBoundingClientRect(), one = part.getBoundingClientRect();
  if (one.top < place.top + 4 || one.bottom > place.bottom - 4)
    box.scrollTop += one.top - place.top - (place.height - one.height) / 2;
};
