/** warpool/light: warpool in browsers without systems; each `warpool/systems/<name>` adds one. */
import './core/platform/browser/ready.ts';

export * from './portable.ts';
