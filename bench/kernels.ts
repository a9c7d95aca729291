/**
 * Battles of each system on one core: kernel, automaton if possible, draws from the exact distribution, reference
 * model, idiomatic loop, and a C program if there is one and a C compiler. All simulate new battles, because the branch
 * predictor learns repeated ones, which then seem twice as fast.
 */
import { SampledChance } from '../src/core/chance/sampled-chance.ts';
import { Stream } from '../src/core/chance/stream.ts';
import { playBattle } from '../src/rules/play-battle.ts';
import { generator } from './idiomatic/battle.ts';
import { against, hasCompiler, type Runner, twinsOf } from './native.ts';
import { type Contender, type Effort, race } from './race.ts';
import type { Options, Row } from './row.ts';
import { kernelOf, SEED, type Subject, subjects } from './subjects.ts';
import { median, type Times, timesAsFast } from './times.ts';

/** Number of battles of one call. */
const CALL = { kernel: 4096, automaton: 4096, sampled: 4096, reference: 64, idiomatic: 256 };

type Name = keyof typeof CALL;

/** Index of the next new battle. */
function fresh(): (count: number) => number {
  let next = 1_000_000;
  return (count) => {
    next += count;
    return next - count;
  };
}

function running(open: () => Runner, battles: number): Contender {
  const take = fresh();
  return () => {
    const kernel = open();
    return () => {
      kernel.run(SEED, take(battles), battles);
      return battles;
    };
  };
}

function contendersOf(subject: Subject): Partial<Record<Name, Contender>> {
  const { model, idiomatic, automaton, sampled } = subject;
  const take = { reference: fresh() };
  const rng = generator(2);
  return {
    kernel: running(() => kernelOf(subject), CALL.kernel),
    ...(automaton && { automaton: running(() => automaton.open(), CALL.automaton) }),
    sampled: running(sampled, CALL.sampled),
    reference: () => () => {
      const from = take.reference(CALL.reference);
      for (let k = 0; k < CALL.reference; k++) playBattle(model, new SampledChance(Stream.forBattle(SEED, from + k)));
      return CALL.reference;
    },
    idiomatic: () => () => {
      for (let k = 0; k < CALL.idiomatic; k++) idiomatic(rng);
      return CALL.idiomatic;
    },
  };
}

function rowsOf({ file }: Subject, times: Times): Row[] {
  return [...times.keys()].map((name) => ({
    suite: 'kernels',
    name: `${file.replace('.yaml', '')} ${name}`,
    value: median(times.get(name) ?? []),
    unit: 'ns/battle',
    ratio: timesAsFast(times, name, 'idiomatic'),
    of: 'times idiomatic',
  }));
}

export async function kernels({ quick, say }: Options): Promise<Row[]> {
  const effort: Effort = quick ? { turns: 3, time: 25 } : { turns: 15, time: 60 };
  const compiles = hasCompiler();
  if (!compiles) say('no C compiler (cc): native programs are not measured');
  const rows: Row[] = [];
  for (const subject of await subjects(say)) {
    rows.push(...rowsOf(subject, await race(contendersOf(subject), effort)));
    const duel = quick ? { time: 8, samples: 12 } : { time: 10, samples: 60 };
    if (compiles) for (const twin of twinsOf(subject)) rows.push(...(await against(twin, duel)));
  }
  return rows;
}
