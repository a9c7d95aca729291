/** `warpool replay` */

import { scenarioHash } from '../answers/digest.ts';
import { opened } from '../rules/opened.ts';
import { replay } from '../studies/replay.ts';
import { replayJson } from '../tell/json.ts';
import { story } from '../tell/story.ts';
import { open, type Setting } from './source.ts';
import { look, print, printJson } from './terminal.ts';

export interface TellOptions extends Setting {
  readonly seed: bigint;
  readonly battle: number;
  readonly json?: boolean;
}

export async function tell(file: string, options: TellOptions): Promise<void> {
  const { seed, battle, json } = options;
  const { scenario, title, label } = await open(file, options);
  const result = replay(scenario, { seed, battle });
  if (json === true) printJson(replayJson(result, label, scenario, scenarioHash(scenario)));
  else print(story(result, title, opened(scenario).system, look(process.stdout)));
}
