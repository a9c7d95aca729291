/** How the scenario is shown: what a link says, else as the reader had it last. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { asked, VIEW } from '../state.ts';
import { store, stored } from '../stored.ts';

export const WAYS = ['Units', 'Form', 'Text'] as const;

export type Way = (typeof WAYS)[number];

const KEY = 'warpool.view';

const wayOf = (value: unknown): Way | undefined => WAYS.find((each) => each === value);

const usual = signal(wayOf(stored(KEY)) ?? 'Units');
const noted = asked<Way | undefined>(VIEW, undefined, wayOf);

export const way = {
  get value(): Way {
    return noted.value ?? usual.value;
  },
};

/** Shows it so, here and when the page is opened again. */
export function show(chosen: Way): void {
  usual.value = chosen;
  store(KEY, chosen);
  noted.value = chosen === 'Units' ? undefined : chosen;
}

/** What can be done in the view that is shown, beside Undo and Redo. */
export const tools = signal<ComponentChildren>(undefined);
