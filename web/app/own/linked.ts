/** Rules that a link holds: those of the scenario, and from strangers. Nothing of them is run before somebody says so. */
import { computed, effect, signal } from '@preact/signals';
import type { Module } from '../../engine/own.ts';
import { asked, good, isNamedText, openings, panel, RULES } from '../state.ts';
import { chosen, MODULE, open, opened, running } from './module.ts';

/** UTF-16 units of rules: a link has room for 64 KiB of notes, as JSON. */
export const LINKED_MAX = 40_000;

const linked = asked<Module | undefined>(RULES, undefined, (value) =>
  isNamedText(value, LINKED_MAX) && MODULE.test(value.file) ? value : undefined,
);

/** Rules that somebody has run or left, until another scenario is opened. */
const settled = signal({ text: '', opening: 0 });

/** Shows the scenario of these rules like all others. */
export function settle({ text }: Module): void {
  settled.value = { text, opening: openings.value };
}

/** Rules of the link that was opened, as long as nobody has run or left them. */
export const brought = computed<Module | undefined>(() => {
  const module = linked.value;
  const isSettled = settled.value.text === module?.text && settled.value.opening === openings.value;
  return isSettled || running.value?.text === module?.text ? undefined : module;
});

/** Reads what a module says of itself, without running it; undefined if it is not a plain string. */
export function readClaim({ text }: Module, field: 'title' | 'about'): string | undefined {
  const [, , claim] = new RegExp(`\\b${field}:\\s*(['"\`])((?:\\\\.|(?!\\1)[^\\\\])*)\\1`).exec(text) ?? [];
  return claim?.replaceAll(/\\(.)/g, '$1').slice(0, 500);
}

/** Runs the rules of a link, and shows the answer to its scenario. */
export async function runLinked({ file, text }: Module): Promise<void> {
  chosen.value = { file, text, from: 'link' };
  await open(() => {
    if (panel.value === 'own') panel.value = 'answer';
  });
}

/** Begins to hold the rules of the scenario in links; those that the server gives are there with the page. */
export function watchRules(): () => void {
  return effect(() => {
    const [module, scenario] = [running.value, good.value];
    if (module === undefined || scenario === undefined) return;
    const mine = opened.value?.systems.some(({ id }) => id === scenario.system) === true;
    const holds = mine && module.from !== 'server' && module.text.length <= LINKED_MAX;
    const { file, text } = module;
    if (holds) settle(module);
    if (!holds) linked.value = undefined;
    else if (linked.value?.text !== text) linked.value = { file, text };
  });
}
