/** Light or dark: as the reader's system says, until the reader says otherwise. */
import { effect, signal } from '@preact/signals';
import { store, stored } from './stored.ts';

export type Scheme = 'light' | 'dark';

const KEY = 'warpool.scheme';

const kept = stored(KEY);
const wish = signal<Scheme | undefined>(kept === 'light' || kept === 'dark' ? kept : undefined);
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
  store(KEY, wish.value ?? null);
}
