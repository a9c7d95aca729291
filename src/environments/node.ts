/** What other modules may use of agents in Node alone. */

export { ServedEnvironments } from './protocol/served-environments.ts';
export { serveClient } from './protocol/server.ts';
export {
  runEnvironmentThread,
  type SessionThreadSetup,
  type StepThreadSetup,
  type WatchdogSetup,
} from './threads/environment-thread.ts';
