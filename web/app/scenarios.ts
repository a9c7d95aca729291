/** The shipped scenarios, those of games too: a list that is there at once, and texts that are loaded one by one. */

import { SCENARIOS, type Shipped, SYSTEMS } from 'virtual:scenarios';
import { batch, computed, effect, signal } from '@preact/signals';
import { openFault } from './files.ts';
import { isSameScenario } from './same-scenario.ts';
import { file, openText, text, titledText } from './state.ts';

const FOLDERS = ['../../scenarios', '../../examples/games'];

const texts = import.meta.glob<string>(['../../scenarios/*.yaml', '../../examples/games/*.yaml'], {
  query: '?raw',
  import: 'default',
});

/** The text of a shipped scenario, without the line that names a schema beside the file. */
async function loadScenarioText(id: string): Promise<string> {
  const load = FOLDERS.map((folder) => texts[`${folder}/${id}.yaml`]).find((found) => found !== undefined);
  const raw = (await load?.()) ?? '';
  return raw.replace(/^# yaml-language-server:.*\n/, '');
}

/** The one that the file is named after, and its text. */
const openedScenario = signal<{ readonly id: string; readonly text: string } | undefined>(undefined);

/** The shipped scenario that is shown unchanged but for comments. */
export const unchangedScenario = computed<Shipped | undefined>(() => {
  const last = openedScenario.value;
  const same = last !== undefined && file.value === `${last.id}.yaml` && isSameScenario(text.value, last.text);
  return same ? SCENARIOS.find(({ id }) => id === last.id) : undefined;
});

/** What the text is called: the question that it answers, the game that it was made for, or its file. */
export const title = computed(() => {
  if (titledText.value.text === text.value && text.value !== '') return titledText.value.title.slice(0, 80);
  return SYSTEMS.find(({ id }) => file.value === `${id}.yaml`)?.played[0] ?? file.value;
});

/** Opens a shipped scenario in the place of what is shown. */
export async function openShippedScenario(id: string): Promise<void> {
  try {
    const found = await loadScenarioText(id);
    batch(() => {
      openedScenario.value = { id, text: found };
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
    if (known === undefined || openedScenario.peek()?.id === known.id) return;
    loadScenarioText(known.id).then(
      (found) => {
        if (file.peek() === `${known.id}.yaml`) openedScenario.value = { id: known.id, text: found };
      },
      // Then the name of the file is shown.
      () => undefined,
    );
  });
}

export { SCENARIOS, SYSTEMS };
