/** Security headers of the web app. */
import { RunError } from '../../core/index.ts';

const POLICY_META = /<meta\s+http-equiv="Content-Security-Policy"\s+content="([^"&]+)"/i;

/**
 * Returns the policy in the page as a header, with a ban on frames, which works only in a header. The header also
 * applies to workers, which do not inherit the policy of the page.
 * @throws RunError if the page has none
 */
export function readPolicy(html: string): string {
  const [, stated] = POLICY_META.exec(html) ?? [];
  if (stated === undefined) throw new RunError('the web app has no Content-Security-Policy; run "npm run build"');
  const lines = stated.split(';').map((line) => line.trim().replaceAll(/\s+/g, ' '));
  return [...lines.filter((line) => line !== ''), NO_FRAMES].join('; ');
}

/**
 * Policy for the worker of a custom module, whose script is requested with `?own`: it may run the text of the module
 * (`blob:`), and access only files of the web app.
 */
const CUSTOM_WORKER_POLICY =
  "default-src 'none'; script-src 'self' blob: 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";

/** Script of such a worker, by its path: with a URL, a query could choose the policy of a page. */
const CUSTOM_WORKER_URL = /^[^?#]*\.js\?own$/;

/** Page that shows a single answer in frames of other pages. */
const EMBED_URL = /^\/embed\.html(?:\?|$)/;

const NO_FRAMES = "frame-ancestors 'none'";

/**
 * Allows frames only in pages of this machine, for testing; other pages could detect that the command is running. The
 * page has nothing to click except a link that opens a new tab.
 */
const LOCAL_FRAMES = 'frame-ancestors http://127.0.0.1:* http://localhost:*';

/** Returns the headers that differ for this request. @param policy of all other responses */
export function createRequestHeaders(url: string, policy = ''): Readonly<Record<string, string>> {
  if (CUSTOM_WORKER_URL.test(url)) return { 'Content-Security-Policy': CUSTOM_WORKER_POLICY };
  return EMBED_URL.test(url) ? { 'Content-Security-Policy': policy.replace(NO_FRAMES, LOCAL_FRAMES) } : {};
}

/** Creates the headers of all responses, errors included. */
export function createHeaders(policy: string): Readonly<Record<string, string>> {
  return {
    'Content-Security-Policy': policy,
    // Isolation from other origins makes shared memory available to threads.
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
  };
}
