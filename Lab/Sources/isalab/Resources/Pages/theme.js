(() => {
const root = document.documentElement, button = document.getElementById('theme');
const system = matchMedia('(prefers-color-scheme: dark)');
root.classList.remove('no-script');
// Beside the editor's text a page has a shape of its own, where there is room.
const room = matchMedia('(min-width: 26rem) and (min-height: 26rem)');
const frame = () => root.classList.toggle('framed', window.frameElement !== null && room.matches);
room.addEventListener('change', frame);
frame();
const keep = value => { try { localStorage.setItem('isalab-theme', value); } catch {} };
const kept = () => { try { return localStorage.getItem('isalab-theme'); } catch { return null; } };
const isDark = () => (root.dataset.theme ?? (system.matches ? 'dark' : 'light')) === 'dark';
const tell = () => button.setAttribute('aria-pressed', String(isDark()));
if (['light', 'dark'].includes(kept())) root.dataset.theme = kept();
button.addEventListener('click', () => {
  root.dataset.theme = isDark() ? 'light' : 'dark';
  keep(root.dataset.theme);
  tell();
});
system.addEventListener('change', tell);
tell();
})();
