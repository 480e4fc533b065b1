// A drawing in its place: whole where it fits, else as much as fits of what matters, large enough to
// read.
const zoomer = (place, svg, calm) => {
  const most = 1.4;
  // On a phone, whose letters are larger, a swap still fits from one end to the other.
  const least = () => place.clientWidth < 420 ? .66 : .92;
  let matter = [], isWhole = false, frame = 0, scale = 0, common = null;

  const view = () => svg.viewBox.baseVal;
  // The box of parts in the drawing's own measure; nothing of what is not there.
  const boxOf = parts => {
    const all = svg.getBoundingClientRect(), unit = all.width / view().width;
    return parts.reduce((sum, part) => {
      const box = part.getBoundingClientRect();
      if (!box.width && !box.height) return sum;
      const one = {left: (box.left - all.left) / unit, top: (box.top - all.top) / unit,
        right: (box.right - all.left) / unit, bottom: (box.bottom - all.top) / unit};
      return sum ? join(sum, one) : one;
    }, null);
  };
  const join = (one, other) => ({left: Math.min(one.left, other.left),
    top: Math.min(one.top, other.top), right: Math.max(one.right, other.right),
    bottom: Math.max(one.bottom, other.bottom)});
  const padded = box => ({left: box.left - 14, top: box.top - 14, right: box.right + 14,
    bottom: box.bottom + 14});
  // The room that the place has: no height of its own, and the drawing may be as high as it is.
  const room = () => ({width: place.clientWidth,
    height: getComputedStyle(place).overflowY === 'visible' ? Infinity : place.clientHeight});
  const fit = box => Math.min(room().width / (box.right - box.left),
    room().height / (box.bottom - box.top));

  // As many of the parts as fit together, the first ones first.
  const gathered = () => matter.reduce((sum, part) => {
    const box = boxOf([part]);
    if (!box) return sum;
    const both = sum ? join(sum, padded(box)) : padded(box);
    return !sum || fit(both) >= least() ? both : sum;
  }, null);

  const chosen = () => {
    const {width, height} = view();
    const whole = {left: 0, top: 0, right: width, bottom: height};
    if (isWhole || fit(whole) >= least()) return [whole, Math.min(fit(whole), most)];
    if (common) return [common, Math.max(least(), Math.min(fit(common), 1))];
    const there = boxOf([...svg.querySelectorAll('.node:not(.off), .edge:not(.off), .head')]);
    if (there && fit(padded(there)) >= least()) return [padded(there), least()];
    const box = gathered() ?? whole;
    return [box, Math.max(least(), Math.min(fit(box), 1))];
  };

  const set = (size, left, top) => {
    scale = size;
    svg.style.width = view().width * size + 'px';
    svg.style.height = view().height * size + 'px';
    place.scrollLeft = left;
    place.scrollTop = top;
  };

  const update = (isCalm = false) => {
    cancelAnimationFrame(frame);
    if (!place.clientWidth) return;
    const [box, size] = chosen(), {width, height} = room();
    const left = Math.max(0, (box.left + box.right) / 2 * size - width / 2);
    const top = Number.isFinite(height)
      ? Math.max(0, (box.top + box.bottom) / 2 * size - height / 2) : 0;
    place.classList.toggle('zoomed', view().width * size > width + 1);
    if (isCalm || calm.matches || document.hidden || !scale) return set(size, left, top);
    const from = [scale, place.scrollLeft, place.scrollTop], begin = performance.now();
    const step = now => {
      const part = Math.min(1, Math.max(0, (now - begin) / 350));
      const eased = part * part * (3 - 2 * part);
      set(...[size, left, top].map((end, at) => from[at] + (end - from[at]) * eased));
      if (part < 1) frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
  };

  new ResizeObserver(() => update(true)).observe(place);
  return {
    show: parts => { matter = parts; common = null; update(); },
    // The box of what matters, and that of several drawings of one layout, which all show it then.
    box: () => padded(boxOf(matter) ?? {left: 0, top: 0, right: 0, bottom: 0}),
    share: box => { common = box; update(true); },
    join,
    update,
    // Whether it is larger than its place, and so never whole and readable.
    isLarge: () => fit({left: 0, top: 0, right: view().width, bottom: view().height}) < least(),
    whole: isOn => { isWhole = isOn; update(); },
  };
};
