/** `warpool queue` */

import { createQueueJson, formatQueueSheet } from '../report/node.ts';
import type { OptionSpecs, ParsedOptions } from '../rules/option-spec.ts';
import { cancelAll, readServerState, setPaused } from '../storage/node.ts';
import { type CommandDeclaration, formatExamples } from './command.ts';
import { connectToRedis } from './connect-to-redis.ts';
import { json, passwordFile, QUEUE_SERVER } from './options.ts';
import { print, printJson, readTextStyle } from './terminal.ts';

const ACTIONS = ['show', 'pause', 'resume', 'cancel'] as const;

const OPTIONS = {
  passwordFile,
  json,
} as const satisfies OptionSpecs;

type QueueCommandOptions = ParsedOptions<typeof OPTIONS>;

/** Performs the action, then prints the state. */
async function manageQueue(url: string, action: (typeof ACTIONS)[number], options: QueueCommandOptions): Promise<void> {
  const { json } = options;
  await using link = await connectToRedis(url, options, 'the server');
  if (action === 'cancel') await cancelAll(link);
  else if (action !== 'show') await setPaused(link, action === 'pause');
  const state = await readServerState(link);
  if (json === true) printJson(createQueueJson(state));
  else print(formatQueueSheet(state, Date.now(), readTextStyle(process.stdout)));
}

const QUEUE_NOTES = `
pause lets workers finish their current jobs and take no new ones; resume lets them continue.
cancel ends all sweeps and runs of the queue like Ctrl-C; their results so far remain.`;

export const command: CommandDeclaration = {
  description: 'Shows the workers, coordinators and waiting jobs of a queue; pauses, resumes or cancels it.',
  parameters: [
    QUEUE_SERVER,
    (action) =>
      Object.assign(action, { description: 'action on the queue' })
        .choices([...ACTIONS])
        .default('show'),
  ],
  settings: OPTIONS,
  notes: [formatExamples('queue redis://head.example.org', 'queue redis://head.example.org pause'), QUEUE_NOTES],
  action: (url: string, action: (typeof ACTIONS)[number], options: QueueCommandOptions) =>
    manageQueue(url, action, options),
};
