import { tryStorage } from './controls/storage.ts';

/* Applies the theme before the page is painted: that of the system, unless the user has chosen one. */

const STORAGE_KEY = 'chain-insights-theme';
const systemIsDark = matchMedia('(prefers-color-scheme: dark)');

function applyTheme(theme: string): void {
  const isDark = theme === 'dark';
  document.documentElement.style.colorScheme = theme;
  const button = document.getElementById('theme');
  if (button) {
    button.textContent = isDark ? 'Light' : 'Dark';
    button.ariaLabel = isDark ? 'Light theme' : 'Dark theme';
  }
}

const storedTheme = () => tryStorage(() => localStorage.getItem(STORAGE_KEY));
const applyCurrent = () => applyTheme(storedTheme() ?? (systemIsDark.matches ? 'dark' : 'light'));

applyCurrent();
systemIsDark.addEventListener('change', applyCurrent);
addEventListener('beforeprint', () => applyTheme('light'));
addEventListener('afterprint', applyCurrent);
document.addEventListener('DOMContentLoaded', () => {
  applyCurrent();
  document.getElementById('theme')?.addEventListener('click', () => {
    const theme = document.documentElement.style.colorScheme === 'dark' ? 'light' : 'dark';
    tryStorage(() => localStorage.setItem(STORAGE_KEY, theme));
    applyTheme(theme);
  });
});
