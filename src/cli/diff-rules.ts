/** `warpool diff-rules` */

import { scenarioHash } from '../answers/digest.ts';
import { version } from '../core/version.ts';
import { changeScenario } from '../rules/scenario/index.ts';
import { diffRules as compare } from '../studies/comparing/diff-rules.ts';
import { diffSheet } from '../tell/diff.ts';
import { diffJson } from '../tell/json.ts';
import { grouped } from '../tell/text/digits.ts';
import { Ended, stopped } from './failure.ts';
import type { Signals } from './interrupt.ts';
import { type Known, knownBy } from './registry.ts';
import { open } from './source.ts';
import { look, print, printJson } from './terminal.ts';

export interface DiffOptions extends Known {
  readonly set: readonly string[];
  readonly battles: number;
  readonly seed: bigint;
  readonly bounded?: boolean;
  readonly json?: boolean;
}

export async function diffRules(file: string, options: DiffOptions, signals: Signals): Promise<void> {
  const { set, battles, seed, bounded, json } = options;
  const { scenario, name } = await open(file, knownBy(options));
  const changed = changeScenario(scenario, set);
  const difference = await compare(scenario, changed, { battles, seed, bounded, signal: signals.stop }).catch(
    (error: unknown) => {
      throw stopped(error, signals);
    },
  );
  const hashes = [scenarioHash(scenario), scenarioHash(changed)] as const;
  if (json === true) printJson(diffJson(difference, { version: version(), name }, scenario, hashes, set));
  else print(diffSheet(difference, name, set, look(process.stdout)));
  const code = signals.code();
  if (code !== undefined) throw new Ended(code, `interrupted after ${grouped(difference.battles)} battles`);
}
