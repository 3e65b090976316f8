type Theme = 'light' | 'dark';

const KEPT = 'signalbox.theme';

/** The reader's choice, else the system's. */
export function startTheme(): void {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const follow = (): void => {
    document.documentElement.dataset['theme'] = kept() ?? (system.matches ? 'dark' : 'light');
  };
  follow();
  system.addEventListener('change', follow);
}

export function switchTheme(): void {
  const next: Theme = document.documentElement.dataset['theme'] === 'dark' ? 'light' : 'dark';
  localStorage.setItem(KEPT, next);
  document.documentElement.dataset['theme'] = next;
}

function kept(): Theme | null {
  const theme = localStorage.getItem(KEPT);
  return theme === 'light' || theme === 'dark' ? theme : null;
}
