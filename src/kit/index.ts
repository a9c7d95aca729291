/** What other modules may use of kit. */

export { CHECKS, conform } from './conform.ts';
export type { Finding } from './finding.ts';
