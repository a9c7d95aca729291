/**
 * `run.json`: what is played into a folder, by which program, and, once all is there, what came of it. A run is cut into
 * ranges of battles, one for each file of tallies: how follows from the run alone.
 *
 *     run.json
 *     tallies/part-00001-268435456-536870912.parquet   tally of battles 268435456..536870911, which are range 1
 */

import { z } from 'zod';
import { Target, wishOf } from '../../answers/index.ts';
import { InputError, MAX_BATTLES, parseCount, parseSeed } from '../../core/index.ts';
import { ENGINES, type Engine } from '../../engines/index.ts';
import { fieldsOf, opened, type Scenario } from '../../rules/index.ts';
import { settled } from '../../rules/setting.ts';
import { askedOf, LENGTH, type Length, lengthOf, PLACE, type RunAsked, stretchOf } from '../../studies/index.ts';
import { type Begin, beginFolder } from '../folder/begin.ts';
import { checkStorable, Kind, MADE_BY, type MadeBy, madeNow, SEALED, same, sha256 } from '../folder/manifest.ts';

/** The most ranges of a run whose number of battles is known beforehand. */
export const RANGES_MAX = 10_000;

/**
 * The fewest battles of a range: with a kernel some seconds of two cores, up to a minute where battles are long; by rules
 * in TypeScript alone the same. To write its tally takes some milliseconds.
 */
const LEAST = { kernel: 2 ** 28, rules: 2 ** 22 };

/** Battles from..to-1. */
export interface Range {
  readonly from: number;
  readonly to: number;
}

/** A run that is cut. */
export interface Cuttable extends Range {
  /** Battles of a range; the last one may have fewer. */
  readonly rangeSize: number;
}

/**
 * Battles of a range: the least power of two that gives no more ranges than there may be.
 * @param battles of the run; 0 if only playing tells how many there will be
 */
export function rangeSizeOf(scenario: Scenario, battles: number): number {
  let size = opened(scenario).words() === undefined ? LEAST.rules : LEAST.kernel;
  while (battles / size > RANGES_MAX) size *= 2;
  return size;
}

/** How many ranges a run has. */
export const rangesIn = ({ from, to, rangeSize }: Cuttable): number => Math.ceil((to - from) / rangeSize);

/** The range that a battle of a run is in. */
const rangeAt = ({ from, rangeSize }: Cuttable, battle: number): number => Math.floor((battle - from) / rangeSize);

/** Battles from..to-1 of a run, cut where its ranges end. */
export function* cutAt(run: Cuttable, { from, to }: Range): Generator<Range> {
  for (let at = from; at < to; ) {
    const end = Math.min(to, run.from + (rangeAt(run, at) + 1) * run.rangeSize);
    yield { from: at, to: end };
    at = end;
  }
}

export const RUN_FILE = 'run.json';
const TALLIES = 'tallies';

/** The file of a tally. */
export function partFile(run: Cuttable, { from, to }: Range): string {
  const number = String(rangeAt(run, from)).padStart(5, '0');
  return `${TALLIES}/part-${number}-${String(from)}-${String(to)}.parquet`;
}

/** The battles of a part by its name; undefined for what is not, letter by letter, the name of a part of the run. */
export function rangeIn(run: Cuttable, file: string): Range | undefined {
  const [, from, to] = /^tallies\/part-\d{5,}-(\d{1,16})-(\d{1,16})\.parquet$/.exec(file) ?? [];
  const range = { from: Number(from), to: Number(to) };
  const within = range.from >= run.from && range.from < range.to && range.to <= run.to;
  if (!within || rangeAt(run, range.from) !== rangeAt(run, range.to - 1)) return undefined;
  return file === partFile(run, range) ? range : undefined;
}

/** Bumped when older programs could no longer read the folder of a run. */
const RUN_FORMAT = 1;

// 2^53, the most, is one more than zod takes for an integer.
const battle = z.number().multipleOf(1).min(0).max(MAX_BATTLES);

const runSchema = z.strictObject({
  format: z.literal(RUN_FORMAT),
  ...MADE_BY,
  scenario: z.looseObject({ system: z.string() }),
  seed: z.string().regex(/^(0|[1-9]\d{0,19})$/, 'an integer in decimal'),
  engine: z.enum(ENGINES),
  battles: battle.optional(),
  ...fieldsOf(LENGTH),
  from: battle,
  to: battle,
  rangeSize: battle,
  complete: z.boolean(),
  end: battle.optional(),
  digest: sha256.optional(),
  ...SEALED,
});

/** A run that is kept in a folder. */
export interface RunManifest extends MadeBy, Length {
  /** Complete, with all defaults. */
  readonly scenario: Scenario;
  /** In decimal. */
  readonly seed: string;
  readonly engine: Engine;
  /** Battles from..to-1 are played; with a precision, at most. */
  readonly from: number;
  readonly to: number;
  /** Battles of a range. */
  readonly rangeSize: number;
  /** Once the run is complete: one past its last battle, and its digest. */
  readonly end?: number;
  readonly digest?: string;
}

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
  const { seed, from } = settled(PLACE, asked);
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
