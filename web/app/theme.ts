/** Light or dark: as the reader's system says, until the reader says otherwise. */
import { effect, signal } from '@preact/signals';

export type Scheme = 'light' | 'dark';

const KEY = 'warpool.scheme';

function kept(): Scheme | undefined {
  try {
    const value = localStorage.getItem(KEY);
    return value === 'light' || value === 'dark' ? value : undefined;
  } catch {
    // Storage may be forbidden.
    return undefined;
  }
}

const wish = signal<Scheme | undefined>(kept());
const dark = matchMedia('(prefers-color-scheme: dark)');
const system = signal<Scheme>(dark.matches ? 'dark' : 'light');
dark.addEventListener('change', ({ matches }) => {
  system.value = matches ? 'dark' : 'light';
});

/** Browsers leave backgrounds out of print: light letters would stand on white. */
const print = matchMedia('print');
const printing = signal(print.matches);
print.addEventListener('change', ({ matches }) => {
  printing.value = matches;
});

/** What is shown. */
export const scheme = signal<Scheme>('light');

effect(() => {
  scheme.value = wish.value ?? system.value;
  document.documentElement.dataset['scheme'] = printing.value ? 'light' : scheme.value;
});

export function switchScheme(): void {
  const next = scheme.value === 'dark' ? 'light' : 'dark';
  wish.value = next === system.value ? undefined : next;
  try {
    if (wish.value === undefined) localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, wish.value);
  } catch {
    // Then it holds until the page is left.
  }
}
