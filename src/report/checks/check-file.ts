/** Checks a file of any kind. */
import { InputError } from '../../core/index.ts';
import {
  applyChangesOfFiles,
  checkPolicyFile,
  type DocumentSource,
  detectFileKind,
  loadSource,
  type SystemRegistry,
  checkScenario as validateScenario,
} from '../../rules/index.ts';
import { hashScenario } from '../../stats/index.ts';
import type { CheckedFile } from './check.ts';

/** Maximum number of checked cells of a sweep. */
const CELLS_MAX = 1000;

/** Changed fields of the scenario, and their name in messages. */
interface CheckFileOptions {
  /** `path=value`, in order. */
  readonly set?: readonly string[] | undefined;
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
        import('../../storage/index.ts'),
        import('../../storage/node.ts'),
      ]);
      const sweep = await parseSweep(source, file);
      const { spec, points } = sweep;
      for (let point = 0; point < Math.min(points, CELLS_MAX); point++) sweep.cell(point);
      return { kind: 'sweep', scenario: spec.scenario, name: spec.name, hash: computeSweepHash(spec), size: points };
    }
    case 'roster': {
      const [{ computeSweepHash }, { checkRosterSentences, parseRosterFile }] = await Promise.all([
        import('../../storage/index.ts'),
        import('../../storage/node.ts'),
      ]);
      const roster = await parseRosterFile(source, file);
      checkRosterSentences(roster);
      const { name, sweep } = roster;
      for (let point = 0; point < Math.min(sweep.points, CELLS_MAX); point++) sweep.cell(point);
      return { kind, scenario: sweep.spec.scenario, name, hash: computeSweepHash(sweep.spec), size: sweep.points };
    }
    case 'problem': {
      const { parseProblemFile } = await import('../../storage/node.ts');
      const { name, fields } = await parseProblemFile(source, file);
      return { kind, name, size: fields.reduce((product, { count }) => product * count, 1) };
    }
    case 'policy': {
      const policy = checkPolicyFile(`${file}:1:1 policy`, source.value);
      return { kind, name: policy.name, policy };
    }
    case 'expectations': {
      const { parseExpectations } = await import('../../analysis/node.ts');
      const { length } = await parseExpectations(source, file);
      return { kind: 'expectations', size: length };
    }
  }
}

/**
 * Checks a file, or a value: returns its kind, or its errors.
 * @param open reads it; default: loads the file
 */
export async function checkFile(
  file: string,
  { systems, ...changes }: CheckFileOptions,
  open = () => loadSource(file, 'a scenario or another file of warpool', { systems }),
): Promise<CheckedFile> {
  let kind: CheckedFile['kind'];
  try {
    const source = await open();
    kind = detectFileKind(source.value);
    return { file, ...(await describeFile(source, file, changes)) };
  } catch (error) {
    if (error instanceof InputError) return { file, kind, error };
    throw error;
  }
}
