/** The shipped scenarios, those of games too: a list that is there at once, and texts that are loaded one by one. */

import { SCENARIOS, type Shipped, SYSTEMS } from 'virtual:scenarios';
import { batch, computed, effect, signal } from '@preact/signals';
import { openFault } from './files.ts';
import { isSame } from './same.ts';
import { file, openText, text, titled } from './state.ts';

const FOLDERS = ['../../scenarios', '../../examples/games'];

const texts = import.meta.glob<string>(['../../scenarios/*.yaml', '../../examples/games/*.yaml'], {
  query: '?raw',
  import: 'default',
});

/** The text of a shipped scenario, without the line that names a schema beside the file. */
async function textOf(id: string): Promise<string> {
  const load = FOLDERS.map((folder) => texts[`${folder}/${id}.yaml`]).find((found) => found !== undefined);
  const raw = (await load?.()) ?? '';
  return raw.replace(/^# yaml-language-server:.*\n/, '');
}

/** The one that the file is named after, and its text. */
const opened = signal<{ readonly id: string; readonly text: string } | undefined>(undefined);

/** The shipped scenario that is shown unchanged but for comments. */
export const chosen = computed<Shipped | undefined>(() => {
  const last = opened.value;
  const same = last !== undefined && file.value === `${last.id}.yaml` && isSame(text.value, last.text);
  return same ? SCENARIOS.find(({ id }) => id === last.id) : undefined;
});

/** What the text is called: the question that it answers, the game that it was made for, or its file. */
export const title = computed(() => {
  if (titled.value.text === text.value && text.value !== '') return titled.value.title.slice(0, 80);
  return SYSTEMS.find(({ id }) => file.value === `${id}.yaml`)?.played[0] ?? file.value;
});

/** Opens a shipped scenario in the place of what is shown. */
export async function openShipped(id: string): Promise<void> {
  try {
    const found = await textOf(id);
    batch(() => {
      opened.value = { id, text: found };
      openText(found, `${id}.yaml`);
    });
  } catch (error) {
    openFault.value = error;
  }
}

/** Sees whether a scenario that came in another way is a shipped one. */
export function watchFile(): void {
  effect(() => {
    const known = SCENARIOS.find(({ id }) => file.value === `${id}.yaml`);
    if (known === undefined || opened.peek()?.id === known.id) return;
    textOf(known.id).then(
      (found) => {
        if (file.peek() === `${known.id}.yaml`) opened.value = { id: known.id, text: found };
      },
      // Then the name of the file is shown.
      () => undefined,
    );
  });
}

export { SCENARIOS, SYSTEMS };
