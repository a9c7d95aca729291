/** `warpool assert` */

import { InputError } from '../core/errors.ts';
import { checkOutput, writeText } from '../core/files/output.ts';
import { version } from '../core/version.ts';
import {
  checkUpdate,
  type Expectation,
  type Judged,
  judgeExpectations,
  keep,
  loadExpectations,
  snapshotPath,
  withoutKept,
} from '../studies/expectations/index.ts';
import type { ExactChoice } from '../studies/solve.ts';
import {
  complaints,
  expectationsAnnotations,
  expectationsJson,
  expectationsJUnit,
  expectationsMarkdown,
  expectationsSheet,
} from '../tell/expectations.ts';
import { advised, Ended } from './failure.ts';
import { annotate, summarise } from './github.ts';
import type { Signals } from './interrupt.ts';
import { progressBar } from './progress.ts';
import { type Known, registryFor } from './registry.ts';
import { look, print, printJson, say } from './terminal.ts';

export interface AssertOptions extends Known {
  readonly seed?: bigint;
  readonly battles?: number;
  readonly bounded?: boolean;
  readonly exact: ExactChoice;
  readonly budget?: number;
  readonly workers?: number;
  readonly update?: boolean;
  readonly allowUndecided?: boolean;
  readonly junit?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** Verdicts, and the seconds that each took. */
interface Timed {
  readonly verdicts: readonly Judged[];
  readonly seconds: readonly number[];
}

/** The expectations of a file; with `--update` without what is kept of them, for it is found anew. */
async function expectationsFor(file: string, options: AssertOptions): Promise<readonly Expectation[]> {
  const { update = false, junit, seed, battles } = options;
  const expectations = await loadExpectations(file, { systems: await registryFor(options) });
  if (!update) return expectations;
  for (const [name, value] of Object.entries({ seed, battles }))
    if (value !== undefined) throw new InputError('--update', `the ${name} of the file`, `--${name} ${String(value)}`);
  const reads = [file, ...(options.systems ?? []), ...(junit === undefined ? [] : [junit])];
  await checkUpdate(expectations, file, reads);
  return withoutKept(expectations);
}

async function judged(file: string, options: AssertOptions, signals: Signals): Promise<Timed> {
  const { seed, battles, bounded, exact, budget, workers, quiet } = options;
  const expectations = await expectationsFor(file, options);
  const bar = progressBar(quiet === true);
  const seconds: number[] = [];
  let began = performance.now();
  const onJudged = (): void => {
    seconds.push((performance.now() - began) / 1000);
    began = performance.now();
  };
  try {
    const verdicts = await judgeExpectations(expectations, {
      exact,
      budget,
      seed,
      battles,
      bounded,
      workers,
      signal: signals.stop,
      onProgress: bar.show,
      onJudged,
    });
    return { verdicts, seconds };
  } catch (error) {
    throw advised(error, 'battles can be played: leave "--exact always" out');
  } finally {
    bar.end();
  }
}

/** Decides the expectations of a file, tells the verdicts, and ends with 1 unless all hold. */
export async function assert(file: string, options: AssertOptions, signals: Signals): Promise<void> {
  const { junit: report } = options;
  if (report !== undefined) await checkOutput(report, '--junit', [file, ...(options.systems ?? [])]);
  const { verdicts: found, seconds } = await judged(file, options, signals);
  const { allowUndecided = false, junit, json } = options;
  const whole = found.every(({ verdict }) => verdict !== 'interrupted');
  const update = options.update === true && whole;
  const verdicts = update ? await keep(found, file) : found;
  if (update) say(`${snapshotPath(file)}: written`);
  const held = verdicts.every(({ verdict }) => verdict === 'holds' || (allowUndecided && verdict === 'undecided'));
  if (junit !== undefined) await writeText(junit, expectationsJUnit(verdicts, file, allowUndecided, seconds));
  if (json === true) printJson(expectationsJson(verdicts, file, version(), held));
  else print(expectationsSheet(verdicts, file, look(process.stdout)));
  annotate(expectationsAnnotations(verdicts, allowUndecided));
  await summarise(() => expectationsMarkdown(verdicts, file));
  const code = signals.code();
  if (!whole) {
    const decided = verdicts.filter(({ verdict }) => verdict !== 'interrupted').length;
    throw new Ended(code ?? 1, `interrupted after ${String(decided)} of ${String(verdicts.length)} expectations`);
  }
  if (!held) throw new Ended(1, complaints(verdicts).join('\n'));
}
