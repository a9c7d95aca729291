/** How the scenario is shown: what a link says, else as the reader had it last. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { asked, VIEW } from '../state.ts';

export const WAYS = ['Units', 'Form', 'Text'] as const;

export type Way = (typeof WAYS)[number];

const KEY = 'warpool.view';

const wayOf = (value: unknown): Way | undefined => WAYS.find((each) => each === value);

function kept(): Way {
  try {
    return wayOf(localStorage.getItem(KEY)) ?? 'Units';
  } catch {
    // Storage may be forbidden.
    return 'Units';
  }
}

function keep(chosen: Way): void {
  try {
    localStorage.setItem(KEY, chosen);
  } catch {
    // Then it holds until the page is left.
  }
}

const usual = signal(kept());
const noted = asked<Way | undefined>(VIEW, undefined, wayOf);

export const way = {
  get value(): Way {
    return noted.value ?? usual.value;
  },
};

/** Shows it so, here and when the page is opened again. */
export function show(chosen: Way): void {
  usual.value = chosen;
  keep(chosen);
  noted.value = chosen === 'Units' ? undefined : chosen;
}

/** What can be done in the view that is shown, beside Undo and Redo. */
export const tools = signal<ComponentChildren>(undefined);
