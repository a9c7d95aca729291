/** View of the scenario: from the link, else the last one that the reader chose. */
import { signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { createNoteSignal, VIEW_NOTE } from '../state.ts';
import { store, stored } from '../stored.ts';

export const EDITOR_MODES = ['Units', 'Form', 'Text'] as const;

export type EditorMode = (typeof EDITOR_MODES)[number];

const MODE_KEY = 'warpool.view';

const parseMode = (value: unknown): EditorMode | undefined => EDITOR_MODES.find((each) => each === value);

const defaultMode = signal(parseMode(stored(MODE_KEY)) ?? 'Units');
const modeNote = createNoteSignal<EditorMode | undefined>(VIEW_NOTE, undefined, parseMode);

export const editorMode = {
  get value(): EditorMode {
    return modeNote.value ?? defaultMode.value;
  },
};

/** Switches the view and stores it as the default. */
export function showMode(chosen: EditorMode): void {
  defaultMode.value = chosen;
  store(MODE_KEY, chosen);
  modeNote.value = chosen === 'Units' ? undefined : chosen;
}

/** Additional buttons of the current view. */
export const modeTools = signal<ComponentChildren>(undefined);
