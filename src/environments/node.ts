/** Public exports of the environments module for Node.js only. */

export { ServedEnvironments } from './protocol/served-environments.ts';
export { serveClient } from './protocol/server.ts';
export {
  runEnvironmentThread,
  type SessionThreadSetup,
  type StepThreadSetup,
  type WatchdogSetup,
} from './threads/environment-thread.ts';
