// The picture on the index rests when somebody wants it to.
(() => {
const picture = document.querySelector('.swap'), button = document.getElementById('rest');
button.addEventListener('click', () => {
  const rests = picture.classList.toggle('resting');
  button.classList.toggle('resting', rests);
  button.setAttribute('aria-label', rests ? button.dataset.play : button.dataset.pause);
});
})();
