/**
 * Contenders against each other: short turns of all of them, over and over, so that whatever else the machine does hits
 * all alike. tinybench warms up and takes the samples of a turn; of each turn the shortest counts, for what disturbs a
 * sample only ever makes it longer.
 */
import { Bench, type Task } from 'tinybench';
import type { Times } from './times.ts';

/** Work that has measured itself, as a program in another process does. */
export interface Timed {
  readonly work: number;
  readonly milliseconds: number;
}

/** Does fresh work and says how much: battles, words, cubes drawn. */
export type Play = () => number | Timed | Promise<number>;

/** Makes a contender anew for every turn: instances of a kernel differ for life. */
export type Contender = () => Play;

export interface Effort {
  readonly turns: number;
  /** Milliseconds of samples that a contender takes in a turn, at least. */
  readonly time: number;
  /** Samples that a contender takes in a turn, at least; 8 unless given. */
  readonly samples?: number;
  /** Milliseconds of calls before the first sample of a turn; 40 unless given: V8 optimises a kernel only after some. */
  readonly warmUp?: number;
  /** Whether contenders are asynchronous; each sample is awaited then. */
  readonly awaited?: boolean;
}

/** A sample of one contender in each turn: for work that takes milliseconds, and is warm or cannot be. */
export const oneByOne = (turns: number): Effort => ({ turns, time: 0, samples: 1, warmUp: 0 });

function benchOf({ time, samples = 8, warmUp = 40 }: Effort): Bench {
  const fixed = { warmup: warmUp > 0, warmupTime: warmUp, warmupIterations: 1, throws: true };
  return new Bench({ ...fixed, time, iterations: samples });
}

/** The best sample, in milliseconds. */
function bestOf({ name, result }: Task): number {
  if (result.state !== 'completed') throw new Error(`${name} was not measured: ${result.state}`);
  return result.latency.min;
}

/** @param afterTurn is called when all have had a turn, to compare what they have done */
export async function race(
  contenders: Readonly<Record<string, Contender>>,
  effort: Effort,
  afterTurn?: () => void,
): Promise<Times> {
  const times = new Map<string, number[]>(Object.keys(contenders).map((name) => [name, []]));
  for (let turn = 0; turn < effort.turns; turn++) {
    const bench = benchOf(effort);
    const work = new Map<string, number>();
    const note = (name: string, done: number | Timed): unknown => {
      const timed = typeof done === 'object';
      work.set(name, timed ? done.work : done);
      return timed ? { overriddenDuration: done.milliseconds } : undefined;
    };
    for (const [name, contender] of Object.entries(contenders)) {
      const play = contender();
      if (effort.awaited === true) bench.add(name, async () => note(name, await play()));
      else bench.add(name, () => note(name, play() as number | Timed), { async: false });
    }
    await bench.run();
    for (const task of bench.tasks) times.get(task.name)?.push((bestOf(task) * 1e6) / (work.get(task.name) ?? 0));
    afterTurn?.();
  }
  return times;
}
