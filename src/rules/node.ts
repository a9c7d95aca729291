/** Interface of this module for Node. */

export { readConfig } from './custom/config.ts';
