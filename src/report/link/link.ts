/**
 * Links that contain a scenario in the fragment of the URL, `#1.<content>.<checksum>`, which browsers never send to
 * servers.
 *
 * 1 is the version of the format; the content is JSON, compressed (raw DEFLATE, RFC 1951), in base64url; the checksum
 * is the CRC-32 of the compressed bytes in hexadecimal. Links are untrusted, so all sizes are limited and all values
 * checked.
 */
import { InputError } from '../../core/index.ts';
import { fromBase64url, toBase64url } from './base64url.ts';
import { computeCrc32 } from './crc32.ts';
import { type LinkContent, parseLinkContent, toPlainContent } from './link-content.ts';

const VERSION = '1';

/** Maximum length of a link, in characters; some browsers truncate URLs at a million. */
export const LINK_LIMIT = 500_000;

/** Maximum size of the decompressed content, in bytes. An ordinary text of 1 MiB has fewer as JSON. */
export const CONTENT_LIMIT = 4 * 1024 * 1024;

async function transformBytes(
  bytes: Uint8Array<ArrayBuffer>,
  change: ReadableWritablePair<Uint8Array<ArrayBuffer>, BufferSource>,
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const reader = new Blob([bytes]).stream().pipeThrough(change).getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    size += part.value.length;
    if (size > limit) {
      // The rest is not decompressed.
      reader.cancel().catch(() => undefined);
      throw new InputError('link, content', 'at most 4 MiB after decompression', 'more');
    }
    parts.push(part.value);
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const computeChecksum = (bytes: Uint8Array): string => computeCrc32(bytes).toString(16).padStart(8, '0');

/**
 * Creates the fragment of a URL, with its `#`.
 * @throws InputError if the content is too long or invalid
 */
export async function createLink(question: LinkContent): Promise<string> {
  const plain = toPlainContent(question);
  parseLinkContent(plain);
  const content = new TextEncoder().encode(JSON.stringify(plain));
  if (content.length > CONTENT_LIMIT) throw new InputError('link, content', 'at most 4 MiB', 'more');
  const packed = await transformBytes(content, new CompressionStream('deflate-raw'), Number.POSITIVE_INFINITY);
  const link = `#${VERSION}.${toBase64url(packed)}.${computeChecksum(packed)}`;
  if (link.length <= LINK_LIMIT) return link;
  throw new InputError(
    'link',
    'at most 500 000 characters',
    `${String(link.length)}: save the scenario as a file instead`,
  );
}

function splitFragment(fragment: string): [content: string, sum: string] {
  if (fragment.length > LINK_LIMIT) throw new InputError('link', 'at most 500 000 characters', String(fragment.length));
  // Chats and sentences append punctuation to URLs.
  const bare = fragment.replace(/^#/, '').replace(/[^\w-]+$/, '');
  const [version = '', content, sum, ...more] = bare.split('.');
  if (version !== VERSION) {
    const later = /^[1-9]\d{0,3}$/.test(version);
    const found = version === '' ? 'none' : JSON.stringify(version.slice(0, 16));
    throw new InputError(
      'link, version',
      VERSION,
      later ? `${version}: a newer web app is required` : `${found}: not a warpool link`,
    );
  }
  if (content === undefined || sum === undefined || more.length > 0)
    throw new InputError(
      'link',
      'version, content and checksum with a point between them',
      'a different number of parts: the link is incomplete',
    );
  return [content, sum];
}

async function decompress(packed: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  try {
    return await transformBytes(packed, new DecompressionStream('deflate-raw'), CONTENT_LIMIT);
  } catch (error) {
    if (error instanceof InputError) throw error;
    throw new InputError('link, content', 'compressed data', 'other bytes');
  }
}

function parseJsonBytes(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new InputError('link, content', 'JSON in UTF-8', 'something else');
  }
}

/**
 * Reads the content of a fragment.
 * @throws InputError that names the invalid part
 */
export async function readLink(fragment: string): Promise<LinkContent> {
  const [content, sum] = splitFragment(fragment);
  const packed = fromBase64url(content, 'link, content');
  if (!/^[0-9a-f]{8}$/.test(sum) || computeChecksum(packed) !== sum)
    throw new InputError(
      'link, checksum',
      computeChecksum(packed),
      `${JSON.stringify(sum.slice(0, 16))}: the link is incomplete or damaged`,
    );
  return parseLinkContent(parseJsonBytes(await decompress(packed)));
}
