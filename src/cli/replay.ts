/** `warpool replay` */
import { replay } from '../replay.ts';
import { replayJson } from '../report/json.ts';
import { story } from '../report/story.ts';
import { scenarioHash } from '../stats/digest.ts';
import { requireSystem } from '../systems/index.ts';
import { version } from '../version.ts';
import { open } from './source.ts';
import { look, print, printJson } from './terminal.ts';

export interface TellOptions {
  readonly seed: bigint;
  readonly battle: number;
  readonly json?: boolean;
}

export async function tell(file: string, { seed, battle, json }: TellOptions): Promise<void> {
  const { scenario, name } = await open(file);
  const result = replay(scenario, { seed, battle });
  if (json === true) printJson(replayJson(result, { version: version(), name }, scenario, scenarioHash(scenario)));
  else print(story(result, name, requireSystem(scenario.system).rules, look(process.stdout)));
}
