addEventListener('beforeprint', () => {
  for (const box of document.querySelectorAll('.question,.exercise')) box.open = true;
});
