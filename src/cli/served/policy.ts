/** The headers of the page: what browsers are to keep it from. */
import { RunError } from '../../errors.ts';

const META = /<meta\s+http-equiv="Content-Security-Policy"\s+content="([^"&]+)"/i;

/**
 * The policy that the page states itself, and that nobody may put it into a frame, which is heard in a header alone. In
 * the header it holds for workers too: those do not take over what the page states.
 * @throws RunError if the page states none
 */
export function policyOf(html: string): string {
  const [, stated] = META.exec(html) ?? [];
  if (stated === undefined) throw new RunError('the page states no Content-Security-Policy; run "npm run build"');
  const lines = stated.split(';').map((line) => line.trim().replaceAll(/\s+/g, ' '));
  return [...lines.filter((line) => line !== ''), "frame-ancestors 'none'"].join('; ');
}

/**
 * The policy of a worker in which a module of the reader's runs: it may be loaded, from a `blob:` that the page made of the
 * file. Nothing else is allowed beyond what the page has; the page itself never has this policy.
 */
export function policyOfOwn(policy: string): string {
  return policy.replace("script-src 'self'", "script-src 'self' blob:");
}

export interface Headers extends Readonly<Record<string, string>> {
  readonly 'Content-Security-Policy': string;
}

/** What every answer has, errors too. */
export function headersOf(policy: string): Headers {
  return {
    'Content-Security-Policy': policy,
    // Isolated from all other origins: then browsers give threads shared memory.
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  };
}
