/** Thread of environments: the watchdog of a pool, one of its engines, or the thread of a session. */
import { workerData } from 'node:worker_threads';
import {
  runEnvironmentThread,
  type SessionThreadSetup,
  type StepThreadSetup,
  type WatchdogSetup,
} from '../src/environments/node.ts';

await runEnvironmentThread(workerData as WatchdogSetup | StepThreadSetup | SessionThreadSetup);
