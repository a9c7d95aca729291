/** Shipped scenarios, including games: the list is bundled, the texts are loaded on demand. */

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

/** Loads the text of a shipped scenario without the line that names its schema file. */
export async function loadScenarioText(id: string): Promise<string> {
  const load = FOLDERS.map((folder) => texts[`${folder}/${id}.yaml`]).find((found) => found !== undefined);
  const raw = (await load?.()) ?? '';
  return raw.replace(/^# yaml-language-server:.*\n/, '');
}

/** Shipped scenario with the name of the current file, and its text. */
const openedScenario = signal<{ readonly id: string; readonly text: string } | undefined>(undefined);

/** Shipped scenario that is shown, if it is unchanged except for comments. */
export const unchangedScenario = computed<Shipped | undefined>(() => {
  const last = openedScenario.value;
  const same = last !== undefined && file.value === `${last.id}.yaml` && isSameScenario(text.value, last.text);
  return same ? SCENARIOS.find(({ id }) => id === last.id) : undefined;
});

/** Title of the text: the question that it answers, the game, or the file name. */
export const title = computed(() => {
  if (titledText.value.text === text.value && text.value !== '') return titledText.value.title.slice(0, 80);
  return SYSTEMS.find(({ id }) => file.value === `${id}.yaml`)?.played[0] ?? file.value;
});

/** Replaces the current text by a shipped scenario. */
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

/** Detects whether a scenario from a link or a file is a shipped one. */
export function watchFile(): void {
  effect(() => {
    const known = SCENARIOS.find(({ id }) => file.value === `${id}.yaml`);
    if (known === undefined || openedScenario.peek()?.id === known.id) return;
    loadScenarioText(known.id).then(
      (found) => {
        if (file.peek() === `${known.id}.yaml`) openedScenario.value = { id: known.id, text: found };
      },
      // The title is then the file name.
      () => undefined,
    );
  });
}

export { SCENARIOS, SYSTEMS };
