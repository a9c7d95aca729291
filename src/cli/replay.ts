/** `warpool replay` */

import { scenarioHash } from '../answers/index.ts';
import { opened } from '../rules/index.ts';
import type { Given, Settings } from '../rules/setting.ts';
import { REPLAY, replay } from '../studies/index.ts';
import { replayJson, story } from '../tell/index.ts';
import { type DeclaredCommand, examples, SCENARIO } from './command.ts';
import { json, set } from './options.ts';
import type { Known } from './registry.ts';
import { open } from './source.ts';
import { look, print, printJson } from './terminal.ts';

/** What it is asked with. */
const ASKED = {
  set,
  ...REPLAY,
  json,
} as const satisfies Settings;

type TellOptions = Given<typeof ASKED> & Known;

export async function tell(file: string, options: TellOptions): Promise<void> {
  const { seed, battle, json } = options;
  const { scenario, title, label } = await open(file, options);
  const result = replay(scenario, { seed, battle });
  if (json === true) printJson(replayJson(result, label, scenario, scenarioHash(scenario)));
  else print(story(result, title, opened(scenario).system, look(process.stdout)));
}

export const command: DeclaredCommand = {
  description: 'Plays one battle of a run again and tells it: every roll, decision and loss.',
  takes: [SCENARIO],
  asked: ASKED,
  after: [examples('replay scenarios/phased-dice-ground.yaml --seed 1 --battle 42')],
  action: (file: string, options: TellOptions) => tell(file, options),
};
