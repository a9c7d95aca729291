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

/** What every answer has, errors too. */
export function headersOf(policy: string): Readonly<Record<string, string>> {
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
