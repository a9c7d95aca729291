/** `run.json`: what is played into a folder, by which program, and, once all is there, what came of it. */
import { Target } from '../../answers/precision.ts';
import { wishOf } from '../../answers/wish.ts';
import { MAX_BATTLES, parseCount, parseSeed } from '../../core/chance/stream.ts';
import { InputError } from '../../core/errors.ts';
import { opened } from '../../rules/opened.ts';
import type { Scenario } from '../../rules/system.ts';
import { askedOf, lengthOf, type RunAsked, stretchOf } from '../../studies/asked.ts';
import { type Begin, beginFolder } from '../folder/begin.ts';
import { Kind, madeNow, same } from '../folder/kind.ts';
import { checkStorable } from '../folder/rules.ts';
import { RUN_FILE, rangeIn, TALLIES } from './files.ts';
import { RANGES_MAX, rangeSizeOf, rangesIn } from './ranges.ts';
import { RUN_FORMAT, type RunManifest, runSchema } from './schema.ts';

export type { RunManifest } from './schema.ts';

/** What a run is, and how it is cut. */
export interface PrepareRunOptions extends RunAsked {
  /** Battles of a range, 1 or more; follows from the run unless said otherwise. */
  readonly rangeSize?: number | undefined;
}

/** One past the last battle that a run can have. */
function endOf(scenario: Scenario, { bounded = false, ...options }: PrepareRunOptions): number {
  const { shape } = opened(scenario);
  const { from, battles } = stretchOf(options);
  const wish = wishOf(shape, options);
  return from + (wish === undefined ? battles : Math.min(battles, new Target(shape, wish, battles, bounded).most));
}

/** @throws InputError if an option is out of range, or the system was not loaded from a file */
export function newRun(scenario: Scenario, asked: PrepareRunOptions): RunManifest {
  checkStorable(scenario, 'the');
  const { precision, engine = 'kernel' } = asked;
  const seed = parseSeed(asked.seed ?? 1n);
  const from = parseCount(asked.from ?? 0, 'from', 0, MAX_BATTLES - 1);
  const to = endOf(scenario, { ...asked, from });
  const known = precision === undefined ? to - from : 0;
  const least = Math.max(1, Math.ceil(known / RANGES_MAX));
  const rangeSize = parseCount(asked.rangeSize ?? rangeSizeOf(scenario, known), 'rangeSize', least);
  return {
    ...madeNow(RUN_FORMAT, scenario),
    scenario,
    seed: String(seed),
    engine,
    ...lengthOf(asked),
    ...{ from, to, rangeSize },
    complete: false,
  };
}

/** The options with which `simulate` plays it. */
export function optionsOfRun(run: RunManifest): RunAsked {
  const { battles, precision, from, to } = run;
  return { ...askedOf(run), battles: battles ?? (precision === undefined ? to - from : undefined) };
}

/** What follows from scenario and options. */
function checkRun(run: RunManifest, path: string): void {
  const { scenario, from, to, rangeSize } = run;
  parseSeed(run.seed, `${path} seed`);
  same(`${path} to`, endOf(scenario, { ...run, from }), to);
  if (rangeSize < 1 || (run.precision === undefined && rangesIn(run) > RANGES_MAX))
    throw new InputError(`${path} rangeSize`, `at most ${String(RANGES_MAX)} ranges`, String(rangeSize));
}

/** Parts are those of battles from..end-1, one after the other. */
function checkParts(run: RunManifest, path: string): void {
  let { from: next } = run;
  for (const [p, { file }] of (run.parts ?? []).entries()) {
    const range = rangeIn(run, file);
    if (range?.from !== next)
      throw new InputError(`${path} parts[${String(p)}].file`, `the part from battle ${String(next)} on`, file);
    next = range.to;
  }
  if (run.complete) same(`${path} end`, next, run.end);
}

/** Folders of runs. */
export const RUNS = new Kind<RunManifest>({
  thing: 'run',
  file: RUN_FILE,
  folders: [TALLIES],
  beside: [],
  format: RUN_FORMAT,
  what: 'a run that warpool has kept',
  madeBy: 'warpool run --out',
  schema: runSchema,
  scenarioAt: 'scenario',
  scenarioIn: ({ scenario }) => scenario,
  sameness: ({ scenario, systemHash, ...run }) => {
    const { name: _label, ...content } = scenario;
    const { engine, ...asked } = askedOf(run);
    return {
      ...asked,
      to: run.to,
      systemHash,
      sampled: engine === 'sampled',
      rangeSize: run.rangeSize,
      scenario: content,
    };
  },
  changed: { expected: 'the run that it was made for', found: 'another one', asked: 'asked for', help: '' },
  atEnd: ({ end, digest, parts }) => ({ end, digest, parts }),
  check: (run, path) => {
    checkRun(run, path);
    checkParts(run, path);
  },
});

/**
 * The run of a folder, which is begun there if there is none.
 * @param cutAlike false if it was not said how it is to be cut
 * @throws InputError, RunError as `beginFolder`
 */
export async function beginRun(
  folder: string,
  due: RunManifest,
  begin: Begin,
  cutAlike: boolean,
): Promise<RunManifest> {
  const { registry } = opened(due.scenario);
  const cut = (there = due): RunManifest => (cutAlike ? due : { ...due, rangeSize: there.rangeSize });
  return await beginFolder(RUNS, folder, cut, begin, registry);
}
