/* Light or dark: as the system has it, unless a person chooses otherwise. It runs before the page is painted. */

const CHOSEN = 'chain-insights-theme';
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

/** A browser that keeps nothing for this page throws. */
function chosen(): string | null {
  try {
    return localStorage.getItem(CHOSEN);
  } catch {
    return null;
  }
}

function choose(theme: string): void {
  try {
    localStorage.setItem(CHOSEN, theme);
  } catch {}
}

function show(theme: string): void {
  const isDark = theme === 'dark';
  const { documentElement } = document;
  documentElement.dataset.theme = theme;
  // What Swagger UI goes by.
  documentElement.classList.toggle('dark-mode', isDark);
  const button = document.getElementById('theme');
  if (button) button.textContent = isDark ? 'Light colors' : 'Dark colors';
  document.dispatchEvent(new Event('themechange'));
}

const bySystem = () => (systemIsDark.matches ? 'dark' : 'light');
const showCurrent = () => show(chosen() ?? bySystem());

showCurrent();
systemIsDark.addEventListener('change', showCurrent);
// Paper is light.
addEventListener('beforeprint', () => show('light'));
addEventListener('afterprint', showCurrent);
document.addEventListener('DOMContentLoaded', () => {
  showCurrent();
  document.getElementById('theme')?.addEventListener('click', () => {
    const theme = document.documentElement.dataset.theme === 'dark' ? 'light' : 'dark';
    choose(theme);
    show(theme);
  });
});
