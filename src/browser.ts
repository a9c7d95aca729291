/** warpool in browsers: the part without files and processes. */
import './core/platform/browser/ready.ts';

export * from './portable.ts';
