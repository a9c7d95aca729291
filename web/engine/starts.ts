/** Scenarios to begin with: the first example of each system. */
import type { System } from '../../src/rules/system.ts';
import { registry } from './registry.ts';
import { fileOf } from './written.ts';

export interface Start {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** Of the smallest example. */
  readonly text: string;
}

function smallestOf({ id, examples }: System): string {
  const texts = examples.map(({ scenario }) => fileOf(scenario as object));
  return texts.toSorted((a, b) => a.length - b.length)[0] ?? `system: ${id}\n`;
}

let made: { readonly of: unknown; readonly starts: readonly Start[] } | undefined;

export function startFor(): readonly Start[] {
  const { all } = registry();
  if (made?.of === all) return made.starts;
  const starts = all.map((system) => ({
    id: system.id,
    title: system.title,
    about: system.about,
    text: smallestOf(system),
  }));
  made = { of: all, starts };
  return starts;
}
