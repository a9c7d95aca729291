/** Thread of environments: the watch of a pool, one of its players, or the thread of a session. */
import { workerData } from 'node:worker_threads';
import { type PlayerSetup, type SessionSetup, serve, type WatchSetup } from '../src/agents/node.ts';

await serve(workerData as WatchSetup | PlayerSetup | SessionSetup);
