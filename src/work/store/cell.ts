/** Plays and solves one cell of a sweep. */

import { Bets } from '../../answers/betting.ts';
import { digest, rulesOf } from '../../answers/digest.ts';
import type { Stopping } from '../../answers/precision.ts';
import { boundMeans, type Summary, summarise } from '../../answers/summary.ts';
import { battlesIn, emptyTally, mergeTally, type Tally, type TallyShape } from '../../answers/tally.ts';
import { RunError } from '../../core/errors.ts';
import type { Players } from '../../engines/pool/own.ts';
import { opened } from '../../rules/opened.ts';
import { lengthOf } from '../../studies/asked.ts';
import { answerPatiently } from '../../studies/decide.ts';
import { checkAgreement } from '../../studies/look.ts';
import { type Engine, type Progress, simulate } from '../../studies/simulate.ts';
import type { ExactResult } from '../../studies/solve.ts';
import type { Cell, Sweep } from '../sweep/sweep.ts';
import { keptShape, keptTally } from './counts.ts';

/** What is known of the battles of a cell. */
export interface PlayedCell {
  readonly tally: Tally;
  readonly battles: number;
  readonly summary: Summary;
  readonly digest: string;
  readonly stopping?: Stopping | undefined;
  /** What was counted now, and from which battle on; the others were there. */
  readonly added: { readonly tally: Tally; readonly from: number };
}

export interface CellResult {
  readonly cell: Cell;
  /** What is kept of it. */
  readonly shape: TallyShape;
  readonly played?: PlayedCell | undefined;
  readonly exact?: ExactResult | undefined;
}

/** What was counted before. */
export interface Earlier {
  /** Of what is kept. */
  readonly shape: TallyShape;
  /** Of battles 0..n-1. */
  readonly tally: Tally;
  /** True if it stands in the store that is filled, false if it comes from elsewhere. */
  readonly stored: boolean;
}

export interface CellOptions {
  /** Who plays. */
  readonly players: Players;
  readonly signal?: AbortSignal | undefined;
  /** True in a thread that is ended as a whole: long exact answers are then worked out in it, whatever the signal says. */
  readonly apart?: boolean | undefined;
  /** `kernel` unless said otherwise. */
  readonly engine?: Engine | undefined;
  /** What was counted before, of battles 0..n-1. */
  readonly earlier?: Earlier | undefined;
  /** Called about ten times a second with the battles that were played since. */
  readonly onBattles?: ((battles: number) => void) | undefined;
}

/** The whole summary cut to what is kept. */
function keptSummary({ outcomes, metrics }: Summary, kept: TallyShape): Summary {
  const names = kept.metrics.map(({ name }) => name);
  return { outcomes, metrics: metrics.filter(({ name }) => names.includes(name)) };
}

function digestOf(cell: Cell, to: number, shape: TallyShape, tally: Tally): string {
  const { scenario, hash, seed } = cell;
  return digest({ scenarioHash: hash, ...rulesOf(scenario), seed, from: 0, to }, shape, tally);
}

/** What the counts of a cell say. */
export function summaryOf({ spec, battles }: Sweep, shape: TallyShape, tally: Tally): Summary {
  const summary = summarise(shape, tally);
  return spec.bounded === true ? boundMeans(summary, shape, tally, new Bets(1 / battles)) : summary;
}

/** What was counted before and now, as one. */
function joined(cell: Cell, sweep: Sweep, before: Earlier, now: Tally | undefined): PlayedCell {
  const { shape } = before;
  const tally = emptyTally(shape);
  mergeTally(tally, before.tally);
  if (now !== undefined) mergeTally(tally, now);
  const battles = battlesIn(tally);
  const from = before.stored ? battlesIn(before.tally) : 0;
  const added = { tally: before.stored ? (now ?? emptyTally(shape)) : tally, from };
  const summary = summaryOf(sweep, shape, tally);
  return { tally, battles, summary, digest: digestOf(cell, battles, shape, tally), added };
}

/** For the progress of a run: tells what was done since. */
function since(onBattles: CellOptions['onBattles']): ((progress: Progress) => void) | undefined {
  if (onBattles === undefined) return undefined;
  let before = 0;
  return ({ done }) => {
    onBattles(done - before);
    before = done;
  };
}

/** Plays what is missing of a cell that was counted before. */
async function playOn(
  cell: Cell,
  sweep: Sweep,
  earlier: Earlier,
  { players, signal, onBattles }: CellOptions,
): Promise<PlayedCell> {
  const { shape, tally } = earlier;
  const from = battlesIn(tally);
  if (from >= sweep.battles) return joined(cell, sweep, earlier, undefined);
  const asked = { battles: sweep.battles - from, from, seed: cell.seed };
  const result = await simulate(cell.scenario, { ...asked, pool: players, signal, onProgress: since(onBattles) });
  if (!result.complete) throw new RunError('stopped');
  return joined(cell, sweep, earlier, keptTally(result.shape, result.tally, shape));
}

async function play(
  cell: Cell,
  sweep: Sweep,
  kept: (shape: TallyShape) => TallyShape,
  options: CellOptions,
): Promise<{ cell: Cell; shape: TallyShape; played: PlayedCell }> {
  const { precision, battles } = sweep.spec;
  const { players, signal, engine, earlier, onBattles } = options;
  if (earlier !== undefined) return { cell, shape: earlier.shape, played: await playOn(cell, sweep, earlier, options) };
  const result = await simulate(cell.scenario, {
    ...lengthOf(sweep.spec),
    battles: precision === undefined ? sweep.battles : battles,
    seed: cell.seed,
    pool: players,
    signal,
    engine,
    onProgress: since(onBattles),
  });
  if (!result.complete) throw new RunError('stopped');
  const { to, stopping } = result;
  const shape = kept(result.shape);
  const tally = keptTally(result.shape, result.tally, shape);
  const summary = keptSummary(result.summary, shape);
  const whole = shape.metrics.length === result.shape.metrics.length;
  const digest = whole ? result.digest : digestOf(cell, to, shape, tally);
  const played = { tally, battles: to, summary, digest, stopping, added: { tally, from: 0 } };
  return { cell, shape, played };
}

/**
 * @throws BudgetError if the exact answer is asked for and too large
 * @throws RunError if battles could not be played, or the signal came
 * @throws RulesError if the rules fail, or battles contradict the exact answer
 */
export async function makeCell(cell: Cell, sweep: Sweep, options: CellOptions): Promise<CellResult> {
  const { exact: choice, budget } = sweep.spec;
  const signal = options.apart === true ? undefined : options.signal;
  const exact = await answerPatiently(cell.scenario, choice, sweep.battles, budget, signal);
  const kept = (shape: TallyShape): TallyShape => keptShape(shape, sweep.spec.keep.metrics);
  if (sweep.battles > 0) {
    const result = await play(cell, sweep, kept, options);
    checkAgreement(cell.scenario, result.played.summary, exact?.summary, result.played.battles);
    return { ...result, exact };
  }
  const shape = exact?.shape ?? opened(cell.scenario).shape;
  return { cell, shape: kept(shape), exact };
}
