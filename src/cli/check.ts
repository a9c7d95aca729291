/** `warpool check` */

import { scenarioHash } from '../answers/index.ts';
import { InputError } from '../core/index.ts';
import {
  applyChanges,
  type DocumentSource,
  kindOf,
  loadSource,
  type Registry,
  check as validateScenario,
} from '../rules/index.ts';
import type { Given, Settings } from '../rules/setting.ts';
import { expectationsOf } from '../studies/node.ts';
import { type CheckedFile, checkedJson, checkedLine, checkedMarkdown, inputAnnotations } from '../tell/index.ts';
import { sweepHash } from '../work/index.ts';
import { sweepOf } from '../work/node.ts';
import { type DeclaredCommand, examples } from './command.ts';
import { Ended, failed, inFlags } from './failure.ts';
import { annotate, summarise } from './github.ts';
import { json, set } from './options.ts';
import { type Known, registryFor } from './registry.ts';
import type { SourceOptions } from './source.ts';
import { look, print, printJson, say } from './terminal.ts';

/** What it is asked with. */
const ASKED = {
  set,
  json,
} as const satisfies Settings;

type CheckOptions = Given<typeof ASKED> & Known;

/** Cells of a sweep whose scenarios are checked. */
const CELLS = 1000;

/** Fields of the scenario that the command line sets, and what messages call them. */
interface Changes extends Pick<SourceOptions, 'set'> {
  readonly place: string;
  /** Systems that files can be of. */
  readonly systems?: Registry;
}

async function described(
  source: DocumentSource,
  file: string,
  { set, place }: Changes,
): Promise<Omit<CheckedFile, 'file'>> {
  const kind = kindOf(source.value) ?? 'scenario';
  if (set !== undefined && kind !== 'scenario') throw new InputError(place, 'a scenario', kind);
  switch (kind) {
    case 'scenario': {
      const written = validateScenario(source);
      const scenario = set === undefined ? written : applyChanges(written, set, place);
      return { kind: 'scenario', scenario, hash: scenarioHash(scenario) };
    }
    case 'sweep': {
      const sweep = await sweepOf(source, file);
      const { spec, points } = sweep;
      for (let point = 0; point < Math.min(points, CELLS); point++) sweep.cell(point);
      return { kind: 'sweep', scenario: spec.scenario, name: spec.name, hash: sweepHash(spec), size: points };
    }
    case 'expectations': {
      const { length } = await expectationsOf(source, file);
      return { kind: 'expectations', size: length };
    }
  }
}

/** What a file is, or what is wrong with it. */
export async function checked(file: string, { systems, ...changes }: Changes): Promise<CheckedFile> {
  let kind: CheckedFile['kind'];
  try {
    const source = await loadSource(file, 'a scenario, a sweep or expectations', { systems });
    kind = kindOf(source.value);
    return { file, ...(await described(source, file, changes)) };
  } catch (error) {
    if (error instanceof InputError) return { file, kind, error: inFlags(error) };
    throw error;
  }
}

/** Tells for each file that it is ok, or on standard error what is wrong with it. */
export async function check(files: readonly string[], options: CheckOptions): Promise<void> {
  const { json, set } = options;
  const found: CheckedFile[] = [];
  for (const file of files) {
    const systems = await registryFor(options, file);
    const one = await checked(file, { set, place: files.length > 1 ? `${file} --set` : '--set', systems });
    found.push(one);
    const mistakes = inputAnnotations(one.error) ?? [];
    const told = annotate(mistakes);
    if (json === true) continue;
    if (one.error === undefined) print(checkedLine(one, look(process.stdout)));
    else if (told < mistakes.length) say(failed(one.error).message);
  }
  if (json === true) printJson(checkedJson(found));
  await summarise(() => checkedMarkdown(found));
  const refused = found.filter(({ error }) => error !== undefined).length;
  if (refused > 0)
    throw new Ended(2, files.length > 1 ? `${String(refused)} of ${String(files.length)} files refused` : '');
}

const CHECK_NOTES = `
A file with axes is a sweep, one with expectations a file of these, all others are scenarios. Of a
sweep the scenarios of the first 1000 points are checked. Exit code 2 if a file is refused.`;

export const command: DeclaredCommand = {
  description: 'Reads scenarios, sweep files and files of expectations and tells what is wrong with them.',
  takes: ['files in YAML or JSON; - reads standard input'],
  asked: ASKED,
  after: [
    examples(
      'check scenarios/*.yaml examples/*.yaml',
      'check scenarios/attrition-direct.yaml --set attacker.hp=20',
      'check scenarios/*.yaml --json',
    ),
    CHECK_NOTES,
  ],
  action: (files: string[], options: CheckOptions) => check(files, options),
};
