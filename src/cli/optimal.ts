/** `warpool optimal` */

import { optimalSync as find } from '../agents/index.ts';
import { OPTIMAL_STEPS, OPTIMAL_STEPS_MAX } from '../core/index.ts';
import { opened } from '../rules/index.ts';
import { count, type Given, type Settings, text } from '../rules/setting.ts';
import { optimalJson, optimalSheet, printSheet } from '../tell/index.ts';
import { type DeclaredCommand, examples, SCENARIO } from './command.ts';
import { within } from './failure.ts';
import { json, type Long, page, set } from './options.ts';
import { checkPage, subjectOf, writePage } from './page.ts';
import { whileTold } from './progress.ts';
import type { Known } from './registry.ts';
import { open } from './source.ts';
import { look, print, printJson } from './terminal.ts';

const FEWER = 'fewer decision points (--points) or fewer units make it smaller';

const NOBODY =
  'nobody decides anything in these rules: "warpool exact" tells what a battle is worth, "warpool run" estimates it';

/** What it is asked with. */
const ASKED = {
  set,
  agent: text('player', 'the player; the first one unless given'),
  reward: {
    ...text('name', 'what the player wants: win (1, -1 or 0), or a reward that the system has'),
    default: 'win',
  },
  points: text('names', 'decision points that are free, joined by commas; elsewhere its policy decides (default: all)'),
  budget: count(
    1,
    OPTIMAL_STEPS_MAX,
    `steps that may be taken (default: ${String(OPTIMAL_STEPS)}, a minute or two and a gigabyte of memory)`,
    'steps',
  ),
  page,
  json,
} as const satisfies Settings;

type OptimalOptions = Given<typeof ASKED> & Known & Long;

export async function optimal(file: string, options: OptimalOptions): Promise<void> {
  const { agent, reward, points, budget, page, json } = options;
  await checkPage(page);
  const { scenario, title, label } = await open(file, options);
  const asked = points?.split(',').map((point) => point.trim());
  const instead = opened(scenario).system.decisions.length === 0 ? NOBODY : FEWER;
  const seek = () => within(() => find(scenario, { agent, reward, points: asked, budget }), instead);
  const found = await whileTold(options, seek);
  if (json === true) printJson(optimalJson(found, label));
  else print(printSheet(optimalSheet(found, title), look(process.stdout)));
  if (page === undefined) return;
  const { optimalPage } = await import('../tell/page/single/optimal.ts');
  await writePage(page, await optimalPage(found, subjectOf(title, 'optimal', [file], options)));
}

const OPTIMAL_NOTES = `
The optimum knows the policies of all others, but not what they choose in secret; no policy
of the player is worth more. Visits times losses of all states sum to what its policy
gives away (docs/explanation/best-response.md).`;

export const command: DeclaredCommand = {
  description:
    'Computes what a battle is worth to a player by the best play, and where its policy falls short of that.',
  takes: [SCENARIO],
  asked: ASKED,
  names: { agents: 'agent' },
  after: [
    examples(
      'optimal scenarios/phased-dice-last-stand.yaml',
      'optimal scenarios/phased-dice-great-wall.yaml --points retreat',
      'optimal scenarios/phased-dice-last-stand.yaml --agent defender --json',
    ),
    OPTIMAL_NOTES,
  ],
  action: (file: string, options: OptimalOptions) => optimal(file, options),
};
