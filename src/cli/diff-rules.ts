/** `warpool diff-rules` */

import { scenarioHash } from '../answers/index.ts';
import { applyChanges } from '../rules/index.ts';
import { type Given, picked, type Settings, several } from '../rules/setting.ts';
import { diffRules as compare, DIFF, THREADS } from '../studies/index.ts';
import { diffJson, diffSheet, grouped, printSheet } from '../tell/index.ts';
import { type DeclaredCommand, examples, SCENARIO } from './command.ts';
import { endIfStopped, stopped } from './failure.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import { json, type Long } from './options.ts';
import { progressBar, watched } from './progress.ts';
import { type Known, knownBy } from './registry.ts';
import { open } from './source.ts';
import { look, print, printJson } from './terminal.ts';

/** What it is asked with. */
const ASKED = {
  set: { ...several('path=value', 'fields to change, with the values they get'), required: true },
  ...DIFF,
  ...THREADS,
  json,
} as const satisfies Settings;

type DiffOptions = Given<typeof ASKED> & Known & Long;

export async function diffRules(file: string, options: DiffOptions, signals: Signals): Promise<void> {
  const { set, json } = options;
  const { scenario, name } = await open(file, knownBy(options));
  const changed = applyChanges(scenario, set);
  const asked = { ...picked(DIFF, options), ...picked(THREADS, options) };
  const difference = await watched(progressBar(options), signals, (watch) =>
    compare(scenario, changed, { ...asked, ...watch }),
  ).catch((error: unknown) => {
    stopped(error, signals);
  });
  const hashes = [scenarioHash(scenario), scenarioHash(changed)] as const;
  if (json === true) printJson(diffJson(difference, { name }, scenario, hashes, set));
  else print(printSheet(diffSheet(difference, name, set), look(process.stdout)));
  endIfStopped(signals, `interrupted after ${grouped(difference.battles)} battles`);
}

export const command: DeclaredCommand = {
  description:
    'Plays a scenario as it is and with some fields changed, on the same dice (common random numbers), and compares.',
  takes: [SCENARIO],
  asked: ASKED,
  after: [examples('diff-rules scenarios/attrition-hunters.yaml --set massDivisor=n-1')],
  action: (file: string, options: DiffOptions) => diffRules(file, options, catchSignals()),
};
