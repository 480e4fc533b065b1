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
  const goOn = make('button', {type: 'button', className: 'go-on'}, words.goOn);
  const acts = make('p', {className: 'acts'}, '');
  acts.append(pass, goOn);
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
  };
  items.forEach((item, at) => {
    const button = make('button', {type: 'button', className: 'choice'},
      item.querySelector('summary').textContent);
    button.addEventListener('click', () => choose(at));
    item.replaceChildren(button);
  });
  pass.addEventListener('click', () => {
    answers[name] = null;
    keep();
    tellAll();
  });
  return {box, home: box.parentElement, tell, isDone, goOn, step: Number(words.step)};
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

// The question in front of the page, until it is closed.
const dialog = document.createElement('dialog');
dialog.className = 'hold';
document.body.append(dialog);
const ask = (question, then) => {
  if (dialog.open) return;
  const isOpen = question.box.open;
  question.box.open = true;
  dialog.replaceChildren(question.box);
  dialog.setAttribute('aria-label', question.box.querySelector('summary').textContent);
  question.goOn.onclick = () => dialog.close('on');
  dialog.onclose = () => {
    // It may have been opened again before this was told.
    if (dialog.open) return;
    question.box.open = isOpen;
    question.home.append(question.box);
    if (dialog.returnValue === 'on' && question.isDone()) then();
  };
  dialog.returnValue = '';
  dialog.showModal();
};

const held = () => questions.find(one => one.step > 0 && !one.isDone());
return {
  // The last step that may be shown before the question is answered.
  limit: () => (held()?.step ?? Infinity) - 1,
  ask: then => ask(held(), then),
};
})();
