'use strict';
// Leads the pages of some designs, which have as many stations at each step.
(() => {
const get = id => document.getElementById(id);
const {words, statements, stations, differences} = JSON.parse(get('data').textContent);
const stops = stations.flatMap((count, step) =>
  [...Array.from({length: count}, (_, at) => [step, at]), [step, null]]);
const designs = [...document.querySelectorAll('.design')].map(box => (
  {box, frame: box.querySelector('iframe'), steps: Number(box.dataset.steps)}));
let now = [0, null];

const show = (step, at = null) => {
  step = Math.min(lead.last, Math.max(0, step));
  if (at !== null && !(at < stations[step])) at = null;
  now = [step, at];
  for (const {box, frame, steps} of designs) {
    // The process of a design may have ended before.
    box.classList.toggle('ended', step > steps);
    frame.contentWindow?.isalab?.show(Math.min(step, steps), step > steps ? null : at);
  }
  arrange();
  get('number').textContent = lead.phrase(words.step, step, lead.last);
  get('statement').textContent = statements[step];
  document.querySelector('.statement').classList.toggle('differs', differences.includes(step));
  lead.tell(step, at, statements[step]);
};
// All as high as the highest, so that none scrolls, and each drawing at the same place.
const arrange = () => {
  const pages = designs.map(({frame}) => frame.contentWindow).filter(page => page?.isalab);
  if (!pages.length) return;
  const box = pages.map(page => page.isalab.zoom().box())
    .reduce((sum, one) => pages[0].isalab.zoom().join(sum, one));
  for (const page of pages) page.isalab.zoom().share(box);
  const heights = pages.map(page => page.document.querySelector('main').offsetHeight);
  for (const {frame} of designs) frame.style.height = Math.max(...heights) + 'px';
};
addEventListener('resize', arrange);
const place = () => stops.findIndex(([step, at]) => step === now[0] && at === now[1]);
const move = by => lead.go(...stops[Math.min(stops.length - 1, Math.max(0, place() + by))]);
const lead = player({stops, words, show, shown: () => now,
  acts: {i: () => move(1), s: () => move(1), u: () => move(-1), n: () => lead.go(now[0] + 1),
    o: () => lead.go(now[0])}});
now = lead.linked() ?? [Number(get('slider').dataset.start), null];

for (const {frame} of designs) {
  const follow = () => {
    const {isalab, document: inner} = frame.contentWindow;
    if (!isalab) return;
    isalab.lead = lead.go;
    const theme = document.documentElement.dataset.theme;
    if (theme) inner.documentElement.dataset.theme = theme;
    show(...now);
  };
  frame.addEventListener('load', follow);
  follow();
}
get('theme').addEventListener('click', () => {
  for (const {frame} of designs)
    frame.contentDocument.documentElement.dataset.theme = document.documentElement.dataset.theme;
});
get('differs')?.addEventListener('click', event =>
  lead.go(Number(event.currentTarget.dataset.step)));
for (const mark of get('stops').children) {
  const at = Number(mark.style.getPropertyValue('--at')) * (stops.length - 1);
  const [step, inside] = stops[Math.round(at)];
  if (inside === null && differences.includes(step)) mark.classList.add('differs');
}
show(...now);
})();
