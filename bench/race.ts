/**
 * Comparison of contenders in short alternating turns, so that disturbances affect all equally. tinybench warms up and
 * takes the samples of a turn. The shortest sample of each turn counts, because disturbances only make samples longer.
 */
import { Bench, type Task } from 'tinybench';
import type { Times } from './times.ts';

/** Work with its own time measurement, such as a program in another process. */
export interface Timed {
  readonly work: number;
  readonly milliseconds: number;
}

/** Does new work and returns its amount: battles, words, cubes. */
export type Play = () => number | Timed | Promise<number>;

/** Creates the contender for every turn, because instances of a kernel differ permanently. */
export type Contender = () => Play;

export interface Effort {
  readonly turns: number;
  /** Minimum duration of the samples of a turn, in milliseconds. */
  readonly time: number;
  /** Minimum number of samples of a turn (default: 8). */
  readonly samples?: number;
  /**
   * Duration of the warm-up of a turn in milliseconds (default: 40), because V8 optimizes a kernel only after some
   * calls.
   */
  readonly warmUp?: number;
  /** True for asynchronous contenders, whose samples are awaited. */
  readonly awaited?: boolean;
}

/** Options for one sample per turn, for work of milliseconds that is warm or cannot be. */
export const oneByOne = (turns: number): Effort => ({ turns, time: 0, samples: 1, warmUp: 0 });

function benchOf({ time, samples = 8, warmUp = 40 }: Effort): Bench {
  const fixed = { warmup: warmUp > 0, warmupTime: warmUp, warmupIterations: 1, throws: true };
  return new Bench({ ...fixed, time, iterations: samples });
}

/** Best sample, in milliseconds. */
function bestOf({ name, result }: Task): number {
  if (result.state !== 'completed') throw new Error(`${name} was not measured: ${result.state}`);
  return result.latency.min;
}

/** @param afterTurn called after a turn of all contenders, to compare their work */
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
