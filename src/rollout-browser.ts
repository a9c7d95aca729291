/** warpool/rollout in browsers: environments in the calling thread. */
import './core/platform/browser/ready.ts';

export * from './agents/portable.ts';
