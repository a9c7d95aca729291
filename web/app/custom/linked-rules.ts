/** Rules that a link holds: those of the scenario, and from strangers. Nothing of them is run before somebody says so. */
import { computed, effect, signal } from '@preact/signals';
import type { ModuleFile } from '../../engine/custom/custom-rules.ts';
import { createNoteSignal, isFileText, openingCount, panel, RULES_NOTE, validScenario } from '../state.ts';
import { chosenModule, MODULE_FILE_PATTERN, openChosenModule, openedModule, runningModule } from './module.ts';

/** UTF-16 units of rules: a link has room for 64 KiB of notes, as JSON. */
export const MAX_LINKED_LENGTH = 40_000;

const linkedRules = createNoteSignal<ModuleFile | undefined>(RULES_NOTE, undefined, (value) =>
  isFileText(value, MAX_LINKED_LENGTH) && MODULE_FILE_PATTERN.test(value.file) ? value : undefined,
);

/** Rules that somebody has run or left, until another scenario is opened. */
const acceptedRules = signal({ text: '', opening: 0 });

/** Shows the scenario of these rules like all others. */
export function acceptRules({ text }: ModuleFile): void {
  acceptedRules.value = { text, opening: openingCount.value };
}

/** Rules of the link that was opened, as long as nobody has run or left them. */
export const pendingRules = computed<ModuleFile | undefined>(() => {
  const module = linkedRules.value;
  const isSettled = acceptedRules.value.text === module?.text && acceptedRules.value.opening === openingCount.value;
  return isSettled || runningModule.value?.text === module?.text ? undefined : module;
});

/** Reads what a module says of itself, without running it; undefined if it is not a plain string. */
export function readDeclaredText({ text }: ModuleFile, field: 'title' | 'about'): string | undefined {
  const [, , claim] = new RegExp(`\\b${field}:\\s*(['"\`])((?:\\\\.|(?!\\1)[^\\\\])*)\\1`).exec(text) ?? [];
  return claim?.replaceAll(/\\(.)/g, '$1').slice(0, 500);
}

/** Runs the rules of a link, and shows the answer to its scenario. */
export async function runLinked({ file, text }: ModuleFile): Promise<void> {
  chosenModule.value = { file, text, from: 'link' };
  await openChosenModule(() => {
    if (panel.value === 'own') panel.value = 'answer';
  });
}

/** Begins to hold the rules of the scenario in links; those that the server gives are there with the page. */
export function watchRules(): () => void {
  return effect(() => {
    const [module, scenario] = [runningModule.value, validScenario.value];
    if (module === undefined || scenario === undefined) return;
    const mine = openedModule.value?.systems.some(({ id }) => id === scenario.system) === true;
    const holds = mine && module.from !== 'server' && module.text.length <= MAX_LINKED_LENGTH;
    const { file, text } = module;
    if (holds) acceptRules(module);
    if (!holds) linkedRules.value = undefined;
    else if (linkedRules.value?.text !== text) linkedRules.value = { file, text };
  });
}
