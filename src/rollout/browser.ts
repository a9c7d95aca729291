/** warpool/rollout in browsers: environments in the calling thread. */
import '../platform/browser/ready.ts';

export * from './portable.ts';
