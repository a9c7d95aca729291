/** `warpool find` */

import { scenarioHash } from '../answers/index.ts';
import { type Given, picked, repeated, type Settings } from '../rules/setting.ts';
import { FIND, find as findBattles } from '../studies/index.ts';
import { foundJson, foundSheet, grouped } from '../tell/index.ts';
import { type DeclaredCommand, examples, SCENARIO } from './command.ts';
import { Ended, endIfStopped } from './failure.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import { json, type Long, set } from './options.ts';
import { progressBar, watched } from './progress.ts';
import { type Known, knownBy } from './registry.ts';
import { open } from './source.ts';
import { look, print, printJson } from './terminal.ts';

/** What it is asked with. */
const ASKED = {
  set,
  where: {
    ...repeated('condition', 'which battles: "winner=defender && rounds>12"; repeatable: all must hold'),
    required: true,
  },
  ...FIND,
  json,
} as const satisfies Settings;

type FindOptions = Given<typeof ASKED> & Known & Long;

/** Tells the indices of battles that meet a condition; none at all is a failure, as it is for grep. */
export async function find(file: string, options: FindOptions, signals: Signals): Promise<void> {
  const { where, seed, json } = options;
  const { scenario, label } = await open(file, options);
  const asked = { where, ...picked(FIND, options) };
  const search = await watched(progressBar(options), signals, (watch) => findBattles(scenario, { ...asked, ...watch }));
  if (json === true) printJson(foundJson(search, label, scenario, scenarioHash(scenario), seed));
  else print(foundSheet(search, { file, seed, set: options.set, ...knownBy(options) }, look(process.stdout)));
  endIfStopped(signals, `interrupted after ${grouped(search.looked)} battles`);
  if (search.found.length === 0) throw new Ended(1, `none of ${grouped(search.looked)} battles`);
}

const FIND_NOTES = `
A condition compares outcome (or winner) and metrics with values: = != < <= > >=,
combined by && || ! and parentheses; names with blanks stand in quotes.
Exit code 1 if no battle was found.`;

export const command: DeclaredCommand = {
  description: 'Looks through the battles of a run for those that ended in a certain way, and tells their indices.',
  takes: [SCENARIO],
  asked: ASKED,
  after: [FIND_NOTES, examples('find scenarios/attrition-direct.yaml --where "winner=defender && rounds>12"')],
  action: (file: string, options: FindOptions) => find(file, options, catchSignals()),
};
