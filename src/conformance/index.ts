/** Public functions of the conformance checks. */

export { CONFORMANCE_CHECKS, conform } from './conform.ts';
export type { Finding } from './findings.ts';
