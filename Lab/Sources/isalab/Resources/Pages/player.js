// Slider, buttons and keys by which one goes from stop to stop of a run: a stop is a step and a place on
// its way, null for its end. `show` shows one, `shown` says which one is on show, and `acts` are the keys of
// a page's own.
const player = ({stops, words, show, shown, acts = {}}) => {
  const get = id => document.getElementById(id), slider = get('slider');
  const last = stops[stops.length - 1][0];
  let timer = 0;
  const phrase = (text, ...values) => text.replace(/\{(\d)\}/g, (_, at) => values[at]);
  const link = (step, at) => '#step=' + step + (at === null ? '' : '.' + (at + 1));
  // The step and the place on its way that the address names.
  const linked = () => {
    const found = /^#step=(\d+)(?:\.(\d+))?$/.exec(location.hash);
    return found && [Math.min(last, Number(found[1])), found[2] ? Number(found[2]) - 1 : null];
  };
  const play = isOn => {
    clearInterval(timer);
    timer = isOn ? setInterval(() => shown()[0] < last ? show(shown()[0] + 1) : play(false), 1800) : 0;
    get('bar').classList.toggle('playing', isOn);
    get('play').setAttribute('aria-label', isOn ? words.pause : words.play);
  };
  // Among others the one that leads shows the stop, in this page and in theirs.
  const go = (step, at = null) => { play(false); (window.isalab?.lead ?? show)(step, at); };
  get('first').addEventListener('click', () => go(0));
  get('previous').addEventListener('click', () => go(shown()[0] - 1));
  get('next').addEventListener('click', () => go(shown()[0] + 1));
  get('play').addEventListener('click', () => {
    if (timer) return play(false);
    if (shown()[0] === last) show(0);
    play(true);
  });
  slider.max = stops.length - 1;
  // A mark for each stop, a big one for each statement; of very many the statements' alone.
  get('stops').append(...stops.flatMap(([, at], stop) => {
    if (at !== null && stops.length > 400) return [];
    const mark = document.createElement('span');
    if (at === null) mark.className = 'big';
    mark.style.setProperty('--at', stop / (stops.length - 1 || 1));
    return [mark];
  }));
  slider.addEventListener('input', () => go(...stops[Number(slider.value)]));
  addEventListener('hashchange', () => {
    const place = linked();
    if (place) go(...place);
  });
  addEventListener('keydown', event => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (event.target.closest?.('input, textarea, select')) return;
    if (event.key in acts) return void acts[event.key]();
    const step = shown()[0];
    const steps = {ArrowLeft: step - 1, ArrowRight: step + 1, Home: 0, End: last};
    if (!(event.key in steps)) return;
    event.preventDefault();
    go(steps[event.key]);
  });
  return {
    last, linked, play, go, phrase,
    // Tells the slider and the address which stop is on show, and what it says.
    tell: (step, at, text) => {
      slider.value = stops.findIndex(stop => stop[0] === step && stop[1] === at);
      slider.setAttribute('aria-valuetext', phrase(words.step, step, last) + ': ' + text);
      get('count').value = step + ' / ' + last;
      for (const id of ['first', 'previous']) get(id).disabled = step === 0;
      get('next').disabled = step === last;
      // Within another page there is no address.
      if (location.protocol !== 'about:' && location.hash !== link(step, at))
        history.replaceState(null, '', link(step, at));
    },
  };
};
