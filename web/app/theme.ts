/** Color scheme: the system setting, until the reader chooses one. */
import { effect, signal } from '@preact/signals';
import { store, stored } from './stored.ts';

export type ColorScheme = 'light' | 'dark';

const SCHEME_KEY = 'warpool.scheme';

const readStoredScheme = stored(SCHEME_KEY);
const chosenScheme = signal<ColorScheme | undefined>(
  readStoredScheme === 'light' || readStoredScheme === 'dark' ? readStoredScheme : undefined,
);
const darkQuery = matchMedia('(prefers-color-scheme: dark)');
const systemScheme = signal<ColorScheme>(darkQuery.matches ? 'dark' : 'light');
darkQuery.addEventListener('change', ({ matches }) => {
  systemScheme.value = matches ? 'dark' : 'light';
});

/** Browsers omit backgrounds in print: light letters would be on white. */
const printQuery = matchMedia('print');
const isPrinting = signal(printQuery.matches);
printQuery.addEventListener('change', ({ matches }) => {
  isPrinting.value = matches;
});

/** Color scheme of the page. */
export const scheme = signal<ColorScheme>('light');

effect(() => {
  scheme.value = chosenScheme.value ?? systemScheme.value;
  document.documentElement.dataset['scheme'] = isPrinting.value ? 'light' : scheme.value;
});

export function switchScheme(): void {
  const next = scheme.value === 'dark' ? 'light' : 'dark';
  chosenScheme.value = next === systemScheme.value ? undefined : next;
  store(SCHEME_KEY, chosenScheme.value ?? null);
}
