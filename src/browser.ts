/** warpool in browsers: what needs neither files nor processes. */
import './core/platform/browser/ready.ts';

export * from './portable.ts';
