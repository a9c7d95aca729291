/** Thread of a session: takes calls through Comlink. */
import { parentPort, workerData } from 'node:worker_threads';
import { expose } from 'comlink';
import nodeEndpoint from 'comlink/dist/esm/node-adapter.mjs';
import { type SessionSetup, sessionThread } from '../src/agents/node.ts';

if (parentPort === null) throw new Error('this is started as a thread');
expose(await sessionThread(workerData as SessionSetup), nodeEndpoint(parentPort));
