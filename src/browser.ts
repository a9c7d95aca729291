/** warpool in browsers: what needs neither files nor processes. */
import './platform/browser/ready.ts';

export * from './portable.ts';
