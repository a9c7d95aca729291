/** `warpool compare` */

import { basename, extname } from 'node:path';
import { rulesOf, scenarioHash } from '../answers/index.ts';
import { InputError } from '../core/index.ts';
import { differenceOf } from '../rules/index.ts';
import { type Given, picked, type Settings } from '../rules/setting.ts';
import { COMPARE, type Comparison, compare, THREADS } from '../studies/index.ts';
import { bestSheet, cleanText, compareJson, compareSheet, grouped, printSheet } from '../tell/index.ts';
import { type DeclaredCommand, examples, SCENARIO } from './command.ts';
import { endIfStopped, stopped } from './failure.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import { json, type Long, page, set } from './options.ts';
import { checkPage, commandOf, subjectOf, writePage } from './page.ts';
import { progressBar, watched } from './progress.ts';
import { type Known, knownBy } from './registry.ts';
import { given, metricIn, openAll, type Source, type SourceOptions } from './source.ts';
import { look, print, printJson } from './terminal.ts';

/** What it is asked with. */
const ASKED = {
  set,
  ...COMPARE,
  ...THREADS,
  page,
  json,
} as const satisfies Settings;

type CompareOptions = Given<typeof ASKED> & Known & Long;

/** Names that tell the scenarios apart: their own, or else those of their files, or else the paths of these. */
function namesOf(sources: readonly Source[], files: readonly string[]): string[] {
  const apart = new Set(files).size;
  const choices = [sources.map(({ name }) => name), files.map((path) => basename(path, extname(path)))];
  const names = choices.find((choice) => new Set(choice).size >= apart) ?? files;
  return names.map((name, n) => {
    const before = names.slice(0, n).filter((other) => other === name).length;
    return before === 0 ? name : `${name} (${String(before + 1)})`;
  });
}

async function openComparable(files: readonly string[], setting: SourceOptions): Promise<Source[]> {
  if (files.length < 2) throw new InputError('scenarios', 'two files or more', `only ${files.join()}`);
  const sources = await openAll(files, setting);
  const system = sources[0]?.scenario.system ?? '';
  for (const [f, { scenario }] of sources.entries()) {
    if (scenario.system === system) continue;
    throw new InputError(`${files[f] ?? ''} system`, `${system}, as in ${files[0] ?? ''}`, scenario.system);
  }
  return sources;
}

export async function compareFiles(files: readonly string[], options: CompareOptions, signals: Signals): Promise<void> {
  const { json, page, set, indifference: apart, systems, config } = options;
  const { best, of } = options;
  if (apart !== undefined && best === undefined)
    throw new InputError('--best', 'highest or lowest, for there is an --indifference', 'nothing');
  await checkPage(page);
  const sources = await openComparable(files, { set, systems, config });
  const scenarios = sources.map(({ scenario }) => scenario);
  const names = namesOf(sources, files);
  const indifference = differenceOf(apart, metricIn(scenarios[0], of), '--indifference');
  const asked = { ...picked({ ...COMPARE, ...THREADS }, { ...options, indifference }), names };
  const playing = watched(progressBar(options), signals, (watch) => compare(scenarios, { ...asked, ...watch }));
  const result: Comparison = await playing.catch((error: unknown) => {
    stopped(error, signals);
  });
  if (json === true) {
    const compared = names.map((name, s) => ({ name, hash: sources[s] ? scenarioHash(sources[s].scenario) : '' }));
    const rules = scenarios[0] === undefined ? { system: '' } : rulesOf(scenarios[0]);
    printJson({ ...compareJson(result, rules, compared), ...given({ set }) });
  } else {
    const parts = result.best ? bestSheet(result, result.best, names) : compareSheet(result, names);
    const sheet = printSheet(parts, look(process.stdout));
    print(set === undefined ? sheet : `set in all: ${cleanText(set.join(', '))}\n${sheet}`);
  }
  if (page !== undefined) {
    const { comparePage } = await import('../tell/page/single/compare.ts');
    const name = names.length === 2 ? names.join(' and ') : `${String(names.length)} scenarios`;
    const subject = subjectOf(name, 'compare', files, options);
    const replay = (s: number, battle: number): string =>
      commandOf('replay', [files[s] ?? ''], { set, seed: result.seed, battle, ...knownBy(options) });
    await writePage(page, await comparePage(result, { ...subject, scenarios, names, replay }));
  }
  endIfStopped(signals, `interrupted after ${grouped(result.battles)} battles`);
}

const COMPARE_NOTES = `
Battle i of a seed rolls the same dice in every scenario (common random numbers),
so differences are paired. An interval that contains 0 shows no difference at this size.
Exact answers stand beside the estimates, and decide, where all are affordable.
With --best the scenarios are looked at after fixed numbers of battles; those that are
shown to be worse than another play no more. All intervals hold together with 95 %
confidence, wherever it ends (docs/how-to/compare.md); --battles is then the most that each plays.
An outcome or a metric that one scenario does not have cannot be compared: see --of.`;

export const command: DeclaredCommand = {
  description: 'Plays two or more scenarios of one system on the same streams, compares and ranks them.',
  takes: [SCENARIO],
  asked: ASKED,
  after: [
    COMPARE_NOTES,
    examples(
      'compare scenarios/phased-dice-ground.yaml scenarios/phased-dice-last-stand.yaml',
      'compare scenarios/attrition-direct.yaml scenarios/attrition-elite.yaml --page difference.html',
      'compare scenarios/phased-dice-*.yaml --of defender --battles 1M',
      'compare scenarios/phased-dice-*.yaml --best highest --indifference 0.5pp --battles 10M',
    ),
  ],
  action: (files: string[], options: CompareOptions) => compareFiles(files, options, catchSignals()),
};
