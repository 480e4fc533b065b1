// Follows the plant by server-sent events, and sends back what is entered.

const machines = new Map();          // an element for each machine, by its number
const list = document.querySelector('#machines');
const template = document.querySelector('#machine');

// ---- From the server

function follow() {
  const connection = document.querySelector('#connection');
  const say = (text, style) => {
    connection.textContent = text;
    connection.className = style;
  };
  const events = new EventSource('/events');
  events.onopen = () => say('live', 'live');
  // The browser tries again by itself, and is told everything anew.
  events.onerror = () => say('the server is gone', 'lost');
  events.onmessage = event => told(JSON.parse(event.data));
  // A page that is kept for the way back would go on to be counted, and not read.
  addEventListener('pagehide', () => events.close(), {once: true});
}

function told({machine, key, value}) {
  if (key === 'machines') return arrange(value);
  const root = machine === undefined ? document : machines.get(machine);
  if (!root) return;                 // it has just been taken away
  if (key === 'state') root.className = value;
  if (key === 'temperature') draw(root, value);
  for (const field of root.querySelectorAll(`[data-key="${key}"]`)) {
    if (machine === undefined && field.closest('article')) continue;
    field.latest = value;
    show(field);
  }
}

// Shows the machines of the given numbers, in that order.
function arrange(numbers) {
  for (const [number, element] of machines) {
    if (numbers.includes(number)) continue;
    element.remove();
    machines.delete(number);
  }
  numbers.forEach((number, place) => {
    if (!machines.has(number)) machines.set(number, make(number));
    const element = machines.get(number);
    // Moving an element takes the focus from its fields.
    if (list.children[place] !== element) list.insertBefore(element, list.children[place]);
  });
  document.querySelector('[data-key="machines"]').value = numbers.length;
}

function make(number) {
  const element = template.content.firstElementChild.cloneNode(true);
  element.dataset.machine = number;
  element.samples = [];
  element.querySelector('.remove').onclick = () => send('DELETE', `/machines/${number}`);
  return element;
}

// Shows the latest value, unless somebody is about to enter another one.
function show(field) {
  if (field.isEdited || field.latest === undefined) return;
  const {latest} = field;
  if (field.type === 'checkbox') field.checked = latest;
  else if (field.dataset.digits) field.value = latest.toFixed(field.dataset.digits);
  else field.value = latest;
}

// Draws the latest temperatures, with the limit.
function draw(element, temperature) {
  const {samples} = element;
  samples.push(temperature);
  if (samples.length > 120) samples.shift();
  const limit = element.querySelector('[data-key="settings.limit"]').latest ?? 0;
  const top = Math.max(limit, ...samples) + 5;
  const y = value => (36 - 36 * (value - 15) / (top - 15)).toFixed(1);
  const start = 120 - samples.length;
  element.querySelector('polyline')
    .setAttribute('points', samples.map((value, at) => `${start + at},${y(value)}`).join(' '));
  for (const end of ['y1', 'y2']) element.querySelector('.limit').setAttribute(end, y(limit));
}

// ---- To the server

// Answers the reason why a change is refused; an empty text if it is not.
async function send(method, path, value) {
  try {
    const answer = await fetch(path, {
      method, headers: {'Content-Type': 'application/json'},
      body: method === 'DELETE' ? undefined : JSON.stringify({value}),
    });
    return answer.ok ? '' : await answer.text() || answer.statusText;
  } catch {
    return 'The server cannot be reached.';
  }
}

function entered(field) {
  if (field.type === 'checkbox') return field.checked;
  if (field.type !== 'number') return field.value;
  return field.value === '' ? null : Number(field.value);
}

let complaints = 0;

// Shows a reason beside a field, or takes it away.
function complain(field, reason) {
  const box = field.closest('.field');
  let text = box?.querySelector('.wrong');
  field.setAttribute('aria-invalid', reason !== '');
  if (!box) return;
  if (!text) {
    text = document.createElement('p');
    text.className = 'wrong';
    text.id = `wrong-${complaints += 1}`;
    text.setAttribute('role', 'alert');
    box.append(text);
    field.setAttribute('aria-describedby', text.id);
  }
  text.textContent = reason;
}

function restore(field) {
  field.isEdited = false;
  complain(field, '');
  show(field);
}

document.addEventListener('input', ({target}) => { target.isEdited = true; });

document.addEventListener('change', async ({target}) => {
  const {key} = target.dataset;
  if (!key) return;
  const machine = target.closest('article')?.dataset.machine;
  const path = machine ? `/machines/${machine}/${key}` : `/plant/${key}`;
  const reason = await send('PATCH', path, entered(target));
  if (reason) complain(target, reason);
  else restore(target);
});

document.addEventListener('keydown', ({key, target}) => {
  if (key === 'Escape' && target.dataset.key) restore(target);
});

document.querySelector('#add').onsubmit = async event => {
  event.preventDefault();
  const field = document.querySelector('#new');
  const reason = await send('POST', '/machines', field.value);
  complain(field, reason);
  if (!reason) field.value = '';
};

addEventListener('pageshow', follow);
