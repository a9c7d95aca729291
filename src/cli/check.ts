/** `warpool check` */

import { InputError } from '../core/index.ts';
import {
  type CheckedFile,
  createCheckJson,
  createInputAnnotations,
  formatCheckLine,
  formatCheckMarkdown,
} from '../report/index.ts';
import {
  applyChangesOfFiles,
  checkPolicyFile,
  type DocumentSource,
  detectFileKind,
  loadSource,
  type SystemRegistry,
  checkScenario as validateScenario,
} from '../rules/index.ts';
import type { OptionSpecs, ParsedOptions } from '../rules/option-spec.ts';
import { hashScenario } from '../stats/index.ts';
import { type CommandDeclaration, formatExamples } from './command.ts';
import { CommandExit, createFailure, renameLibraryOptions } from './failure.ts';
import { annotate, writeSummary } from './github.ts';
import type { LoadedScenarioOptions } from './open-scenario.ts';
import { json, set } from './options.ts';
import { loadRegistry, type RegistryOptions } from './registry.ts';
import { print, printJson, printStatus, readTextStyle } from './terminal.ts';

const OPTIONS = {
  set,
  json,
} as const satisfies OptionSpecs;

type CheckCommandOptions = ParsedOptions<typeof OPTIONS> & RegistryOptions;

/** Maximum number of checked cells of a sweep. */
const CELLS_MAX = 1000;

/** Changed fields of the scenario, and their name in messages. */
interface CheckFileOptions extends Pick<LoadedScenarioOptions, 'set'> {
  readonly place: string;
  /** Available systems. */
  readonly systems?: SystemRegistry;
}

async function describeFile(
  source: DocumentSource,
  file: string,
  { set, place }: CheckFileOptions,
): Promise<Omit<CheckedFile, 'file'>> {
  const kind = detectFileKind(source.value) ?? 'scenario';
  if (set !== undefined && kind !== 'scenario') throw new InputError(place, 'a scenario', kind);
  switch (kind) {
    case 'scenario': {
      const written = validateScenario(source);
      const scenario = set === undefined ? written : await applyChangesOfFiles(written, set, place);
      return { kind: 'scenario', scenario, hash: hashScenario(scenario) };
    }
    case 'sweep': {
      const [{ computeSweepHash }, { parseSweep }] = await Promise.all([
        import('../storage/index.ts'),
        import('../storage/node.ts'),
      ]);
      const sweep = await parseSweep(source, file);
      const { spec, points } = sweep;
      for (let point = 0; point < Math.min(points, CELLS_MAX); point++) sweep.cell(point);
      return { kind: 'sweep', scenario: spec.scenario, name: spec.name, hash: computeSweepHash(spec), size: points };
    }
    case 'roster': {
      const [{ computeSweepHash }, { checkRosterSentences, parseRoster }] = await Promise.all([
        import('../storage/index.ts'),
        import('../storage/node.ts'),
      ]);
      const roster = await parseRoster(source, file);
      checkRosterSentences(roster);
      const { name, sweep } = roster;
      for (let point = 0; point < Math.min(sweep.points, CELLS_MAX); point++) sweep.cell(point);
      return { kind, scenario: sweep.spec.scenario, name, hash: computeSweepHash(sweep.spec), size: sweep.points };
    }
    case 'policy': {
      const policy = checkPolicyFile(`${file}:1:1 policy`, source.value);
      return { kind, name: policy.name, policy };
    }
    case 'expectations': {
      const { parseExpectations } = await import('../analysis/node.ts');
      const { length } = await parseExpectations(source, file);
      return { kind: 'expectations', size: length };
    }
  }
}

/** Checks a file: returns its kind, or its errors. */
export async function checkFile(file: string, { systems, ...changes }: CheckFileOptions): Promise<CheckedFile> {
  let kind: CheckedFile['kind'];
  try {
    const source = await loadSource(file, 'a scenario, a sweep, a roster or expectations', { systems });
    kind = detectFileKind(source.value);
    return { file, ...(await describeFile(source, file, changes)) };
  } catch (error) {
    if (error instanceof InputError) return { file, kind, error: renameLibraryOptions(error) };
    throw error;
  }
}

/** Prints the result of each file; errors on standard error. */
export async function checkFiles(files: readonly string[], options: CheckCommandOptions): Promise<void> {
  const { json, set } = options;
  const found: CheckedFile[] = [];
  for (const file of files) {
    const systems = await loadRegistry(options, file);
    const one = await checkFile(file, { set, place: files.length > 1 ? `${file} --set` : '--set', systems });
    found.push(one);
    const mistakes = createInputAnnotations(one.error) ?? [];
    const reported = annotate(mistakes);
    if (json === true) continue;
    if (one.error === undefined) print(formatCheckLine(one, readTextStyle(process.stdout)));
    else if (reported < mistakes.length) printStatus(createFailure(one.error).message);
  }
  if (json === true) printJson(createCheckJson(found));
  await writeSummary(() => formatCheckMarkdown(found));
  const refused = found.filter(({ error }) => error !== undefined).length;
  if (refused > 0)
    throw new CommandExit(2, files.length > 1 ? `${String(refused)} of ${String(files.length)} files rejected` : '');
}

const CHECK_NOTES = `
A file with axes is a sweep file, a file with armies is a roster, a file with expectations is an expectation file, a file
with the format warpool-policy-1 is a policy file, and all others are scenarios. For a sweep
or a roster, the scenarios of the first 1000 points are checked. Exit code 2 if a file is invalid.`;

export const command: CommandDeclaration = {
  description: 'Validates scenarios, sweep files, rosters, expectation files and policy files, and reports errors.',
  parameters: ['files in YAML or JSON; - reads standard input'],
  settings: OPTIONS,
  notes: [
    formatExamples(
      'check scenarios/*.yaml examples/*.yaml',
      'check scenarios/attrition-direct.yaml --set attacker.hp=20',
      'check scenarios/*.yaml --json',
    ),
    CHECK_NOTES,
  ],
  action: (files: string[], options: CheckCommandOptions) => checkFiles(files, options),
};
