/** Thread of a session: takes calls through Comlink. */
import { parentPort, workerData } from 'node:worker_threads';
import { expose } from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import { type SessionSetup, SessionThread } from '../src/rollout/threads/session-thread.ts';

if (parentPort === null) throw new Error('this is started as a thread');
expose(new SessionThread(workerData as SessionSetup), nodeEndpoint(parentPort));
