/** `warpool optimal` */

import { optimal as find } from '../agents/optimal/optimal.ts';
import { opened } from '../rules/opened.ts';
import { optimalJson, optimalSheet } from '../tell/optimal.ts';
import { asOption, within } from './failure.ts';
import { checkPage, commandOf, writePage } from './page.ts';
import { open, type Setting } from './source.ts';
import { look, print, printJson } from './terminal.ts';

const FEWER = 'fewer decision points (--points) or fewer units make it smaller';

const NOBODY =
  'nobody decides anything in these rules: "warpool exact" tells what a battle is worth, "warpool run" estimates it';

export interface OptimalOptions extends Setting {
  readonly agent?: string;
  readonly reward: string;
  readonly points?: string;
  readonly budget?: number;
  readonly page?: string;
  readonly json?: boolean;
}

const NAMES = { agents: '--agent', reward: '--reward', points: '--points' };

function sought(...asked: Parameters<typeof find>): ReturnType<typeof find> {
  try {
    return find(...asked);
  } catch (error) {
    throw asOption(error, NAMES);
  }
}

export async function optimal(file: string, options: OptimalOptions): Promise<void> {
  const { agent, reward, points, budget, page, json } = options;
  await checkPage(page);
  const { scenario, title, label } = await open(file, options);
  const asked = points?.split(',').map((point) => point.trim());
  const instead = opened(scenario).system.decisions.length === 0 ? NOBODY : FEWER;
  const found = within(() => sought(scenario, { agent, reward, points: asked, budget }), instead);
  if (json === true) printJson(optimalJson(found, label));
  else print(optimalSheet(found, title, look(process.stdout)));
  if (page === undefined) return;
  // Pages bring pictures along, so they are loaded where one is wanted.
  const { optimalPage } = await import('../tell/page/single/optimal.ts');
  const command = commandOf('optimal', [file], options);
  await writePage(page, await optimalPage(found, { version: label.version, name: title, command }));
}
