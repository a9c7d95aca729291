/** Thread of a pool of environments: the watch, or one of the players. */
import { workerData } from 'node:worker_threads';
import { type PlayerSetup, serve, type WatchSetup } from '../src/agents/node.ts';

await serve(workerData as WatchSetup | PlayerSetup);
