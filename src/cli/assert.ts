/** `warpool assert` */

import { InputError } from '../core/errors.ts';
import { checkOutput, writeText } from '../core/files/output.ts';
import { placeOf } from '../rules/scenario/index.ts';
import { flag, type Given, picked, type Settings, text } from '../rules/setting.ts';
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
import { JUDGE } from '../studies/expectations/judge.ts';
import {
  complaints,
  expectationsAnnotations,
  expectationsJson,
  expectationsJUnit,
  expectationsMarkdown,
  expectationsSheet,
} from '../tell/expectations.ts';
import { type DeclaredCommand, examples } from './command.ts';
import { advised, Ended } from './failure.ts';
import { annotate, summarise } from './github.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import { json, type Long } from './options.ts';
import { progressBar } from './progress.ts';
import { type Known, registryFor } from './registry.ts';
import { look, print, printJson, say } from './terminal.ts';

/** What it is asked with. */
const ASKED = {
  ...JUDGE,
  update: flag('write the snapshot of what is found, for expectations that are "as in the snapshot"'),
  allowUndecided: flag('exit code 0 although some are undecided'),
  junit: text('file', 'also write the verdicts as JUnit XML'),
  json,
} as const satisfies Settings;

type AssertOptions = Given<typeof ASKED> & Known & Long;

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
  const expectations = await expectationsFor(file, options);
  const bar = progressBar(options.quiet === true);
  const seconds: number[] = [];
  let began = performance.now();
  const onJudged = (): void => {
    seconds.push((performance.now() - began) / 1000);
    began = performance.now();
  };
  try {
    const verdicts = await judgeExpectations(expectations, {
      ...picked(JUDGE, options),
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
  const name = placeOf(file);
  if (report !== undefined) await checkOutput(report, '--junit', [file, ...(options.systems ?? [])]);
  const { verdicts: found, seconds } = await judged(file, options, signals);
  const { allowUndecided = false, junit, json } = options;
  const whole = found.every(({ verdict }) => verdict !== 'interrupted');
  const update = options.update === true && whole;
  const verdicts = update ? await keep(found, file) : found;
  if (update) say(`${snapshotPath(file)}: written`);
  const held = verdicts.every(({ verdict }) => verdict === 'holds' || (allowUndecided && verdict === 'undecided'));
  if (junit !== undefined) await writeText(junit, expectationsJUnit(verdicts, name, allowUndecided, seconds));
  if (json === true) printJson(expectationsJson(verdicts, file, held));
  else print(expectationsSheet(verdicts, name, look(process.stdout)));
  const told = annotate(expectationsAnnotations(verdicts, allowUndecided));
  await summarise(() => expectationsMarkdown(verdicts, name));
  const code = signals.code();
  if (!whole) {
    const decided = verdicts.filter(({ verdict }) => verdict !== 'interrupted').length;
    throw new Ended(code ?? 1, `interrupted after ${String(decided)} of ${String(verdicts.length)} expectations`);
  }
  if (!held) throw new Ended(1, complaints(verdicts).slice(told).join('\n'));
}

const ASSERT_NOTES = `
An expectation holds, fails, or is undecided within its battles. Exact answers decide where they
are affordable; otherwise a verdict is wrong with at most the error that the file states (1 %).
docs/expectations.md tells what a file holds; "warpool schema expectations" is its JSON Schema.
What is to be "as in the snapshot" is compared with the file <expectations>.snapshot.json; only
--update writes it, in CI too, and it belongs beside the expectations under version control.
--seed and --battles do not replace those of a digest.
Exit code 1 if an expectation fails or is undecided.`;

export const command: DeclaredCommand = {
  description: 'Decides whether named expectations on outcomes and metrics hold, for continuous integration.',
  takes: ['file of expectations in YAML or JSON; - reads standard input'],
  asked: ASKED,
  after: [
    examples(
      'assert examples/balance.yaml',
      'assert examples/balance.yaml --junit report.xml --seed 2',
      'assert examples/balance.yaml --update',
    ),
    ASSERT_NOTES,
  ],
  action: (file: string, options: AssertOptions) => assert(file, options, catchSignals()),
};
