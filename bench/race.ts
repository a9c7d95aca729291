/**
 * Contenders against each other: short turns of all of them, over and over, so that whatever else the machine does hits
 * all alike. tinybench takes the samples of a turn; of each turn the shortest counts, for what disturbs a sample only
 * ever makes it longer.
 */
import { Bench } from 'tinybench';
import type { Times } from './times.ts';

/** Does fresh work and says how much: battles, words, cubes drawn. */
export type Play = () => number;

/** Makes a contender anew for every turn: instances of a kernel differ for life. */
export type Contender = () => Play;

export interface Effort {
  readonly turns: number;
  /** Milliseconds of samples that a contender takes in a turn. */
  readonly time: number;
}

/** Calls before the first sample of a turn: V8 optimises a kernel only after some of them. */
const WARM_UP = 200;

/** Milliseconds after which a warm-up ends all the same. */
const WARM_UP_TIME = 40;

function warmUp(play: Play): void {
  const end = performance.now() + WARM_UP_TIME;
  for (let call = 0; call < WARM_UP && performance.now() < end; call++) play();
}

export async function race(contenders: Readonly<Record<string, Contender>>, effort: Effort): Promise<Times> {
  const times = new Map<string, number[]>(Object.keys(contenders).map((name) => [name, []]));
  for (let turn = 0; turn < effort.turns; turn++) {
    const bench = new Bench({ time: effort.time, iterations: 8, warmup: false, throws: true });
    const work = new Map<string, number>();
    for (const [name, contender] of Object.entries(contenders)) {
      const play = contender();
      warmUp(play);
      work.set(name, play());
      bench.add(name, () => {
        play();
      });
    }
    await bench.run();
    for (const { name, result } of bench.tasks) {
      if (!('latency' in result)) throw new Error(`${name} was not measured: ${result.state}`);
      times.get(name)?.push((result.latency.min * 1e6) / (work.get(name) ?? Number.NaN));
    }
  }
  return times;
}
