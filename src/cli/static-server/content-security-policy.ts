/** The headers of the page: what browsers are to keep it from. */
import { RunError } from '../../core/index.ts';

const POLICY_META = /<meta\s+http-equiv="Content-Security-Policy"\s+content="([^"&]+)"/i;

/**
 * The policy that the page states itself, and that nobody may put it into a frame, which is heard in a header alone. In
 * the header it holds for workers too: those do not take over what the page states.
 * @throws RunError if the page states none
 */
export function readPolicy(html: string): string {
  const [, stated] = POLICY_META.exec(html) ?? [];
  if (stated === undefined) throw new RunError('the web app has no Content-Security-Policy; run "npm run build"');
  const lines = stated.split(';').map((line) => line.trim().replaceAll(/\s+/g, ' '));
  return [...lines.filter((line) => line !== ''), NO_FRAMES].join('; ');
}

/**
 * For the engine of a page in which somebody has chosen a module with a system: its worker asks for its script with `?own`.
 * It may run the text of the module, which `blob:` is for, and reach nothing but the page's own files.
 */
const CUSTOM_WORKER_POLICY =
  "default-src 'none'; script-src 'self' blob: 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";

/** The script of such a worker: the path of a script, not any URL that ends so, or a query would choose the policy of a page. */
const CUSTOM_WORKER_URL = /^[^?#]*\.js\?own$/;

/** The page that shows an answer alone, for frames of other pages. */
const EMBED_URL = /^\/embed\.html(?:\?|$)/;

const NO_FRAMES = "frame-ancestors 'none'";

/**
 * Pages of this machine may put an answer into a frame, to try it; pages from elsewhere may not, or they could find out
 * that somebody runs the command. There is nothing in it to be pressed but a link that opens another tab.
 */
const LOCAL_FRAMES = 'frame-ancestors http://127.0.0.1:* http://localhost:*';

/** What differs from the headers of every answer in the answer to a request. @param policy of every answer */
export function createRequestHeaders(url: string, policy = ''): Readonly<Record<string, string>> {
  if (CUSTOM_WORKER_URL.test(url)) return { 'Content-Security-Policy': CUSTOM_WORKER_POLICY };
  return EMBED_URL.test(url) ? { 'Content-Security-Policy': policy.replace(NO_FRAMES, LOCAL_FRAMES) } : {};
}

/** What every answer has, errors too. */
export function createHeaders(policy: string): Readonly<Record<string, string>> {
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
