/** `warpool find` */

import { scenarioHash } from '../answers/digest.ts';
import { find as findBattles } from '../studies/find.ts';
import { foundSheet } from '../tell/found.ts';
import { foundJson } from '../tell/json.ts';
import { grouped } from '../tell/text/digits.ts';
import { Ended } from './failure.ts';
import type { Signals } from './interrupt.ts';
import { knownBy } from './registry.ts';
import { open, type Setting } from './source.ts';
import { look, print, printJson } from './terminal.ts';

export interface FindOptions extends Setting {
  readonly where: readonly string[];
  readonly limit: number;
  readonly battles: number;
  readonly seed: bigint;
  readonly from: number;
  readonly json?: boolean;
}

/** Tells the indices of battles that meet a condition; none at all is a failure, as it is for grep. */
export async function find(file: string, options: FindOptions, signals: Signals): Promise<void> {
  const { where, limit, battles, seed, from, json } = options;
  const { scenario, label } = await open(file, options);
  const search = await findBattles(scenario, { where, limit, battles, seed, from, signal: signals.stop });
  if (json === true) printJson(foundJson(search, label, scenario, scenarioHash(scenario), seed));
  else print(foundSheet(search, { file, seed, set: options.set, ...knownBy(options) }, look(process.stdout)));
  const code = signals.code();
  if (code !== undefined) throw new Ended(code, `interrupted after ${grouped(search.looked)} battles`);
  if (search.found.length === 0) throw new Ended(1, `none of ${grouped(search.looked)} battles`);
}
