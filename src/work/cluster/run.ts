/** Plays runs by the workers of a queue. */
import { hostname } from 'node:os';
import { scenarioHash } from '../../answers/digest.ts';
import type { Players } from '../../engines/pool/own.ts';
import { opened } from '../../rules/opened.ts';
import type { Scenario } from '../../rules/system.ts';
import { buildFor } from './build.ts';
import { Desk } from './desk.ts';
import { RemotePlayers } from './players.ts';
import { type AskedSweep, type AskOptions, AUDIT, workName } from './sweep.ts';
import { Trust } from './trust.ts';

export interface RunOnOptions extends AskOptions {
  /** Threads of this process, which decide who was right. */
  readonly workers?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Has workers play whatever `act` asks players for: `playOn(scenario, asked, (pool) => simulate(scenario, { pool }))`.
 * @throws whatever `act` throws
 */
export async function playOn<T>(
  scenario: Scenario,
  { link, audit = AUDIT, workers, signal, onNote }: RunOnOptions,
  act: (players: Players) => Promise<T>,
): Promise<{ readonly result: T } & AskedSweep> {
  const build = buildFor(scenario.system, opened(scenario).registry);
  const { name = scenario.system } = scenario;
  const work = workName(hostname(), String(process.pid), scenarioHash(scenario));
  await using desk = await Desk.open({ link, build, kind: 'run', name, work, signal, onNote });
  const trust = new Trust(link, audit, onNote);
  await using players = new RemotePlayers({ desk, trust, workers });
  const result = await act(players);
  return { result, aside: trust.aside, cancelled: desk.cancelled };
}
