/** Custom rules in a link. They may come from strangers, so they run only after confirmation. */
import { computed, effect, signal } from '@preact/signals';
import type { ModuleFile } from '../../engine/custom/custom-rules.ts';
import { createNoteSignal, isFileText, openingCount, panel, RULES_NOTE, validScenario } from '../state.ts';
import { chosenModule, MODULE_FILE_PATTERN, openChosenModule, openedModule, runningModule } from './module.ts';

/** Maximum UTF-16 units of rules: a link has room for 64 KiB of notes, as JSON. */
export const MAX_LINKED_LENGTH = 40_000;

const linkedRules = createNoteSignal<ModuleFile | undefined>(RULES_NOTE, undefined, (value) =>
  isFileText(value, MAX_LINKED_LENGTH) && MODULE_FILE_PATTERN.test(value.file) ? value : undefined,
);

/** Rules that the reader has run or rejected, until another scenario is opened. */
const acceptedRules = signal({ text: '', opening: 0 });

/** Marks rules as handled, so that their scenario is shown. */
export function acceptRules({ text }: ModuleFile): void {
  acceptedRules.value = { text, opening: openingCount.value };
}

/** Rules of the opened link that the reader has neither run nor rejected. */
export const pendingRules = computed<ModuleFile | undefined>(() => {
  const module = linkedRules.value;
  const isSettled = acceptedRules.value.text === module?.text && acceptedRules.value.opening === openingCount.value;
  return isSettled || runningModule.value?.text === module?.text ? undefined : module;
});

/** Reads a declared text of a module without running it; undefined if it is not a plain string. */
export function readDeclaredText({ text }: ModuleFile, field: 'title' | 'about'): string | undefined {
  const [, , claim] = new RegExp(`\\b${field}:\\s*(['"\`])((?:\\\\.|(?!\\1)[^\\\\])*)\\1`).exec(text) ?? [];
  return claim?.replaceAll(/\\(.)/g, '$1').slice(0, 500);
}

/** Runs the rules of a link and shows the answer. */
export async function runLinked({ file, text }: ModuleFile): Promise<void> {
  chosenModule.value = { file, text, from: 'link' };
  await openChosenModule(() => {
    if (panel.value === 'own') panel.value = 'answer';
  });
}

/** Starts to store the rules of the scenario in links, except rules from the server. */
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
