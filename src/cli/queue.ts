/** `warpool queue` */

import { version } from '../core/version.ts';
import { queueJson, queueSheet } from '../tell/queue.ts';
import { cancelAll, serverState, setPaused } from '../work/cluster/queue.ts';
import { openLink, type RedisOptions } from './redis.ts';
import { look, print, printJson } from './terminal.ts';

export interface QueueOptions extends RedisOptions {
  readonly action: 'show' | 'pause' | 'resume' | 'cancel';
  readonly json?: boolean;
}

/** Does what is asked, and shows what there is then. */
export async function queue(url: string, options: QueueOptions): Promise<void> {
  const { action, json } = options;
  await using link = await openLink(url, options, 'the server');
  if (action === 'cancel') await cancelAll(link);
  else if (action !== 'show') await setPaused(link, action === 'pause');
  const state = await serverState(link);
  if (json === true) printJson(queueJson(state, version()));
  else print(queueSheet(state, Date.now(), look(process.stdout)));
}
