import { createKeptStore, createStore } from './store.ts';

export type Theme = 'system' | 'light' | 'dark';
export const theme = createKeptStore<Theme>('sluice.theme', 'system');
/** The theme that is shown, whether the reader or the system chose it. */
export const shownTheme = createStore<'light' | 'dark'>('light');

/** Keeps the document in the chosen theme, or in that of the system. */
export function applyTheme(): void {
  const systemDark = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    const isDark = theme.get() === 'dark' || (theme.get() === 'system' && systemDark.matches);
    const shown = isDark ? 'dark' : 'light';
    document.documentElement.dataset.theme = shown;
    if (shown !== shownTheme.get()) shownTheme.set(shown);
  };
  theme.listen(apply);
  systemDark.addEventListener('change', apply);
  apply();
}

const NEXT: Record<Theme, Theme> = { system: 'light', light: 'dark', dark: 'system' };

export function cycleTheme(): void {
  theme.set(NEXT[theme.get()]);
}
