// Predictions: a question holds the step that answers it until somebody has chosen, says why a wrong idea
// is wrong, and keeps score over all the lessons' pages.
const quiz = (() => {
const place = 'isalab-predictions';
const read = () => {
  try { return JSON.parse(localStorage.getItem(place)) ?? {}; } catch { return {}; }
};
const answers = read();
const keep = () => { try { localStorage.setItem(place, JSON.stringify(answers)); } catch {} };
const boxes = [...document.querySelectorAll('.question[data-answer]')];
const make = (name, given, text) => {
  const element = Object.assign(document.createElement(name), given);
  element.textContent = text;
  return element;
};

// The predictions so far in words: a null is one passed over.
const score = words => {
  const chosen = Object.entries(answers).filter(([, one]) => one !== null);
  const right = chosen.filter(([, one]) => one.isRight).length;
  return words.score.replace('{0}', right).replace('{1}', chosen.length);
};

const setUp = box => {
  const words = box.dataset, name = words.lesson, right = Number(words.answer);
  const answer = box.querySelector('.answer'), items = [...box.querySelector('ol').children];
  const replies = items.map(item => item.querySelector('p').textContent);
  const verdict = make('p', {className: 'verdict', role: 'status'}, '');
  const sum = make('p', {className: 'score'}, '');
  const pass = make('button', {type: 'button', className: 'pass'}, words.pass);
  const onward = make('button', {type: 'button', className: 'go-on'}, words.goOn);
  const acts = make('p', {className: 'acts'}, '');
  acts.append(pass, onward);
  box.querySelector('ol').after(verdict, acts, sum);

  const isDone = () => name in answers;
  const tell = () => {
    answer.hidden = !isDone();
    answer.open = isDone();
    pass.hidden = isDone();
    items.forEach((item, at) => {
      item.classList.toggle('right', isDone() && at === right);
      item.classList.toggle('wrong', isDone() && at !== right && answers[name]?.choice === at);
    });
    sum.textContent = score(words);
  };
  const say = at => {
    verdict.textContent = at === right ? replies[at] : words.wrong + ' ' + replies[at];
    verdict.classList.toggle('is-right', at === right);
  };
  const choose = at => {
    if (!isDone()) answers[name] = {choice: at, isRight: at === right};
    keep();
    say(at);
    tellAll();
    if (asked) onward.focus();
  };
  items.forEach((item, at) => {
    const button = make('button', {type: 'button', className: 'choice'},
      item.querySelector('summary').textContent);
    button.setAttribute('aria-keyshortcuts', 'abcd'[at]);
    button.addEventListener('click', () => choose(at));
    item.replaceChildren(button);
  });
  pass.addEventListener('click', () => {
    answers[name] = null;
    keep();
    tellAll();
    if (asked) onward.focus();
  });
  onward.addEventListener('click', () => goOn());
  // Beside the picture the choices stay.
  box.querySelector('summary').addEventListener('click', event => { if (asked) event.preventDefault(); });
  return {box, home: box.parentElement, tell, isDone, items, choose, step: Number(words.step)};
};
const questions = boxes.map(setUp);
const tellAll = () => { for (const question of questions) question.tell(); };
tellAll();

const again = document.getElementById('again');
again?.addEventListener('click', () => {
  for (const name of Object.keys(answers)) delete answers[name];
  keep();
  location.reload();
});

// The question beside the picture, until somebody goes on.
const panel = document.createElement('section');
panel.className = 'hold';
panel.tabIndex = -1;
let asked = null;
const ask = (question, then) => {
  if (asked) return;
  asked = {question, then, wasOpen: question.box.open};
  question.box.open = true;
  panel.replaceChildren(question.box);
  panel.setAttribute('aria-label', question.box.querySelector('summary').textContent);
  (document.querySelector('.side') ?? document.body).prepend(panel);
  document.documentElement.classList.add('asking');
  panel.focus();
};
const close = () => {
  const {question, wasOpen} = asked;
  asked = null;
  question.box.open = wasOpen;
  question.home.append(question.box);
  panel.remove();
  document.documentElement.classList.remove('asking');
};
const leave = () => {
  close();
  document.getElementById('stage')?.focus({preventScroll: true});
};
const goOn = () => {
  const {then} = asked;
  leave();
  then();
};
// Letters answer. The keys that step the page wait for the answer; then the right arrow goes on.
const stepKeys = ['ArrowLeft', 'ArrowRight', 'Home', 'End', 'i', 'u', 'o', 's', 'n'];
const answerBy = event => {
  const isStep = stepKeys.includes(event.key);
  if (asked && isStep && !asked.question.isDone()) return true;
  if (event.altKey || event.ctrlKey || event.metaKey) return false;
  if (event.target.closest?.('input, textarea, select')) return false;
  const open = asked?.question ?? (questions.length === 1 && questions[0].box.open ? questions[0] : null);
  const at = event.key.length === 1 ? event.key.charCodeAt(0) - 97 : -1;
  if (open && !open.isDone() && open.items[at]) return open.choose(at), true;
  if (asked && event.key === 'Escape') return leave(), true;
  if (asked && event.key === 'ArrowRight') return goOn(), true;
  if (asked && isStep) leave();
  return false;
};
addEventListener('keydown', event => {
  if (!answerBy(event)) return;
  event.preventDefault();
  event.stopImmediatePropagation();
});
// Whoever steps the page by its buttons has gone on.
addEventListener('click', event => {
  if (asked?.question.isDone() && !panel.contains(event.target) && event.target.closest('button, a, input'))
    close();
}, true);

const held = () => questions.find(one => one.step > 0 && !one.isDone());
return {
  // The last step that may be shown before the question is answered.
  limit: () => (held()?.step ?? Infinity) - 1,
  ask: then => ask(held(), then),
};
})();
