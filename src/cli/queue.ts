/** `warpool queue` */

import type { Given, Settings } from '../rules/setting.ts';
import { queueJson, queueSheet } from '../tell/node.ts';
import { cancelAll, serverState, setPaused } from '../work/node.ts';
import { type DeclaredCommand, examples } from './command.ts';
import { json, passwordFile, SERVER } from './options.ts';
import { openLink } from './redis.ts';
import { look, print, printJson } from './terminal.ts';

const ACTIONS = ['show', 'pause', 'resume', 'cancel'] as const;

/** What it is asked with. */
const ASKED = {
  passwordFile,
  json,
} as const satisfies Settings;

type QueueOptions = Given<typeof ASKED>;

/** Does what is asked, and shows what there is then. */
async function queue(url: string, action: (typeof ACTIONS)[number], options: QueueOptions): Promise<void> {
  const { json } = options;
  await using link = await openLink(url, options, 'the server');
  if (action === 'cancel') await cancelAll(link);
  else if (action !== 'show') await setPaused(link, action === 'pause');
  const state = await serverState(link);
  if (json === true) printJson(queueJson(state));
  else print(queueSheet(state, Date.now(), look(process.stdout)));
}

const QUEUE_NOTES = `
pause lets workers finish the jobs under way and take no more; resume lets them go on.
cancel ends all sweeps and runs of the queue as Ctrl-C would; what they have stays.`;

export const command: DeclaredCommand = {
  description: 'Shows who works at a queue and who asks, and what waits; pauses it, lets it go on, or cancels all.',
  takes: [
    SERVER,
    (action) =>
      Object.assign(action, { description: 'what to do with the queue' })
        .choices([...ACTIONS])
        .default('show'),
  ],
  asked: ASKED,
  after: [examples('queue redis://head.example.org', 'queue redis://head.example.org pause'), QUEUE_NOTES],
  action: (url: string, action: (typeof ACTIONS)[number], options: QueueOptions) => queue(url, action, options),
};
