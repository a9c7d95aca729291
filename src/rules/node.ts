/** What other modules may use of rules in Node alone. */

export { readConfig } from './custom/config.ts';
