/** warpool/environments in browsers: environments in the calling thread. */
import './core/platform/browser/ready.ts';

export * from './environments/portable.ts';
