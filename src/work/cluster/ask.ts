/** Asks the workers of a queue to play a sweep into a store, or whatever a run asks players for. */
import { createHash } from 'node:crypto';
import { hostname } from 'node:os';
import { resolve } from 'node:path';
import { scenarioHash } from '../../answers/index.ts';
import { InputError } from '../../core/index.ts';
import type { Players } from '../../engines/index.ts';
import { opened, type Scenario } from '../../rules/index.ts';
import { type FillResult, fillStore } from '../store/fill.ts';
import { SWEEPS } from '../store/manifest.ts';
import type { ReadStore } from '../store/parts.ts';
import { type Fill, type Mode, type SweepOptions, type SweepResult, sweepBy } from '../store/sweep.ts';
import { sharesCells } from '../sweep/segments.ts';
import { type Sweep, sweepHash } from '../sweep/sweep.ts';
import { buildFor } from './build.ts';
import { Desk } from './desk.ts';
import { fillRemotely } from './fill.ts';
import type { Link } from './link.ts';
import { announce } from './places.ts';
import { RemotePlayers } from './players.ts';
import type { S3Parts } from './s3.ts';
import { type Asking, Trust } from './trust.ts';

/** The share of what comes back that is played again unless said otherwise. */
const AUDIT = 0.02;

export interface AskOptions {
  readonly link: Link;
  /** The share of what comes back that is played again elsewhere, 0..1; 0.02 unless said otherwise. */
  readonly audit?: number | undefined;
  /** Where workers may put parts that cannot see the folder. */
  readonly place?: S3Parts | undefined;
  readonly onNote?: ((text: string) => void) | undefined;
}

export interface RunOnOptions extends AskOptions {
  /** Threads of this process, which decide who was right. */
  readonly workers?: number | string | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What a coordinator has to tell at its end. */
export interface AskedSweep {
  /** Workers that were set aside. */
  readonly aside: readonly string[];
  /** Somebody has cancelled the work at the server. */
  readonly cancelled: boolean;
}

/** What is asked for, and a name that only the same work has: jobs that an earlier coordinator has left are found by it. */
interface Subject {
  readonly kind: 'sweep' | 'run';
  readonly scenario: Scenario;
  readonly name: string;
  readonly work: readonly string[];
}

/** Opens a desk for what `act` has workers do. */
async function atDesk<T>(
  { kind, scenario, name, work }: Subject,
  { link, audit = AUDIT, workers, signal, onNote }: RunOnOptions,
  act: (players: RemotePlayers, asking: Asking) => Promise<T>,
): Promise<{ readonly result: T } & AskedSweep> {
  const build = await buildFor(scenario.system, opened(scenario).registry);
  const hash = createHash('sha256').update(JSON.stringify(work)).digest('hex');
  await using desk = await link.unlessRejected(Desk.open({ link, build, kind, name, work: hash, signal, onNote }));
  const trust = new Trust(link, audit, onNote);
  const asking = { desk, trust, workers };
  await using players = new RemotePlayers(asking);
  const result = await link.unlessRejected(act(players, asking));
  return { result, aside: trust.aside, cancelled: desk.cancelled };
}

/** With a queue, the command that began a sweep goes on with it. */
async function modeFor(folder: string, sweep: Sweep, mode: Mode): Promise<Mode> {
  if (mode === 'extend' || mode === 'recompute')
    throw new InputError('--on', `nothing: --${mode} needs what was played before, which workers do not have`, 'both');
  if (mode === 'resume') return mode;
  const there = await SWEEPS.find(folder, opened(sweep.spec.scenario).registry);
  return there !== undefined && !there.complete ? 'resume' : mode;
}

/** Long cells are played one after the other, each by all workers. */
async function fillTogether(store: ReadStore, players: RemotePlayers, watch: Watch): Promise<FillResult> {
  const pool = {
    workers: 1,
    play: players.play.bind(players),
    call: () => Promise.reject(new TypeError('long cells are played here')),
    end: () => Promise.resolve(),
  };
  return await fillStore(store, { pool, ...watch });
}

type Watch = Parameters<Fill>[1];

/**
 * Plays and solves all cells of a sweep into a folder, by the workers of a queue.
 * @throws as `sweepInto`, and RunError if jobs fail again and again
 */
export async function sweepOn(
  folder: string,
  sweep: Sweep,
  { mode = 'new', workers, signal, onProgress }: SweepOptions,
  { link, audit, place, onNote }: AskOptions,
): Promise<SweepResult & AskedSweep> {
  let asked: AskedSweep = { aside: [], cancelled: false };
  const { scenario, name = scenario.name ?? folder } = sweep.spec;
  const work = [hostname(), resolve(folder), sweepHash(sweep.spec)];
  const fill = async (store: ReadStore, watch: Watch): Promise<FillResult> => {
    if (place !== undefined) await announce(store, place);
    const options = { link, audit, workers, signal: watch.signal, onNote };
    const { result, ...ended } = await atDesk({ kind: 'sweep', scenario, name, work }, options, (players, asking) =>
      sharesCells(sweep)
        ? fillTogether(store, players, watch)
        : fillRemotely(store, { ...watch, ...asking, link, place, onNote }),
    );
    asked = ended;
    return result;
  };
  const result = await sweepBy(folder, sweep, { mode: await modeFor(folder, sweep, mode), signal, onProgress }, fill);
  return { ...result, ...asked };
}

/**
 * Has workers play whatever `act` asks players for: `playOn(scenario, asked, (pool) => simulate(scenario, { pool }))`.
 * @throws whatever `act` throws
 */
export async function playOn<T>(
  scenario: Scenario,
  options: RunOnOptions,
  act: (players: Players) => Promise<T>,
): Promise<{ readonly result: T } & AskedSweep> {
  const { name = scenario.system } = scenario;
  const work = [hostname(), String(process.pid), scenarioHash(scenario)];
  return await atDesk({ kind: 'run', scenario, name, work }, options, act);
}
