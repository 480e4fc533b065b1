(() => {
const root = document.documentElement, button = document.getElementById('theme');
const system = matchMedia('(prefers-color-scheme: dark)');
root.classList.remove('no-script');
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
