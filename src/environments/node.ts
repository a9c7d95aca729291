/** Public exports of the environments module for Node.js only. */

export {
  runEnvironmentThread,
  type SessionThreadSetup,
  type StepThreadSetup,
  type WatchdogSetup,
} from './threads/environment-thread.ts';
