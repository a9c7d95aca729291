/** What other modules may use of kit. */

export { CONFORMANCE_CHECKS, conform } from './conform.ts';
export type { Finding } from './findings.ts';
