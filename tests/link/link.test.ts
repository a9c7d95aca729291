/** Links contain the scenario, seed, effort and panel of the web app. Damaged and forged links are rejected. */
import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { InputError } from '../../src/core/errors.ts';
import { fromBase64url, toBase64url } from '../../src/report/link/base64url.ts';
import { computeCrc32 } from '../../src/report/link/crc32.ts';
import { CONTENT_LIMIT, createLink, LINK_LIMIT, readLink } from '../../src/report/link/link.ts';
import type { LinkContent } from '../../src/report/link/link-content.ts';

const QUESTION: LinkContent = {
  text: 'system: attrition\nmode: direct\n',
  file: 'duel.yaml',
  seed: '1',
  effort: { kind: 'battles', battles: 1000 },
  panel: 'answer',
  notes: {},
  ruleset: '2',
};

/** Creates a link of bytes with a correct checksum. */
function forged(content: Uint8Array | string, packed: Uint8Array = deflateRawSync(content)): string {
  return `#1.${toBase64url(packed)}.${computeCrc32(packed).toString(16).padStart(8, '0')}`;
}

const ofValue = (value: unknown): string => forged(JSON.stringify(value));

const PLAIN = { ruleset: '2', file: 'duel.yaml', battles: 1000, text: 'system: attrition' };

async function rejection(link: string): Promise<string> {
  const error = await readLink(link).then(
    () => new Error(`accepted: ${link}`),
    (thrown: unknown) => thrown,
  );
  expect(error).toBeInstanceOf(InputError);
  return (error as InputError).message;
}

const effort = fc.oneof(
  fc.record({ kind: fc.constant('battles' as const), battles: fc.integer({ min: 1, max: 2 ** 53 - 1 }) }),
  fc.record({ kind: fc.constant('precision' as const), precision: fc.double({ min: 1e-6, max: 0.5, noNaN: true }) }),
);

const question: fc.Arbitrary<LinkContent> = fc.record({
  text: fc.string({ unit: 'grapheme', maxLength: 300 }),
  file: fc.constantFrom('duel.yaml', 'Ägypten (2).json', 'a'),
  seed: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
  effort,
  panel: fc.constantFrom('answer', 'battle', 'sweep'),
  notes: fc.dictionary(
    fc.constantFrom('battle', 'compare.pair'),
    fc.jsonValue().map((value): unknown => JSON.parse(JSON.stringify(value))),
  ),
  ruleset: fc.constantFrom('2', '13'),
});

describe('base64url and CRC-32', () => {
  test('toBase64url matches Node, and fromBase64url inverts it', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 50 }), (bytes) => {
        const text = toBase64url(bytes);
        expect(text).toBe(Buffer.from(bytes).toString('base64url'));
        expect([...fromBase64url(text, 'link')]).toEqual([...bytes]);
      }),
    );
  });

  test('computeCrc32 returns the published checksum of "123456789"', () => {
    // R. N. Williams, "A painless guide to CRC error detection algorithms" (1993), section 15.
    expect(computeCrc32(new TextEncoder().encode('123456789'))).toBe(0xcbf43926);
  });
});

describe('createLink', () => {
  test('stores all fields, which readLink returns', async () => {
    await fc.assert(
      fc.asyncProperty(question, async (requested) => {
        expect(await readLink(await createLink(requested))).toEqual(requested);
      }),
      { numRuns: 50 },
    );
  });

  test('returns fewer than 600 characters for a shipped scenario', async () => {
    const text = readFileSync('scenarios/attrition-direct.yaml', 'utf8');
    expect((await createLink({ ...QUESTION, text })).length).toBeLessThan(600);
  });

  test('returns the same link for equal content', async () => {
    expect(await createLink(QUESTION)).toBe(await createLink({ ...QUESTION }));
  });

  test('rejects content whose link would exceed 500 000 characters', async () => {
    let state = 1;
    const noise = Array.from({ length: 600_000 }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return String.fromCharCode(33 + (state >>> 25));
    }).join('');
    await expect(createLink({ ...QUESTION, text: noise })).rejects.toThrow(
      /^link: expected at most 500 000 characters, found \d+: save/,
    );
  });
});

test.each(['.', ')', ').', '>', '"', '…'])('readLink ignores a character that a chat appends: %s', async (sign) => {
  expect(await readLink((await createLink(QUESTION)) + sign)).toEqual(QUESTION);
});

describe('readLink', () => {
  test('rejects a link with one replaced or removed character', async () => {
    const link = await createLink(QUESTION);
    await fc.assert(
      fc.asyncProperty(fc.nat(link.length - 2), fc.constantFrom('A', 'z', '0', '_', '', '..', '%'), async (at, put) => {
        const changed = link.slice(0, at + 1) + put + link.slice(at + 2);
        fc.pre(changed !== link);
        await rejection(changed);
      }),
    );
  });

  test('accepts up to 2^53 battles', async () => {
    const effort = { kind: 'battles' as const, battles: 2 ** 53 };
    expect((await readLink(await createLink({ ...QUESTION, effort }))).effort).toEqual(effort);
  });

  test('rejects a link that is cut at any position', async () => {
    const link = await createLink(QUESTION);
    for (let at = 0; at < link.length; at++) await rejection(link.slice(0, at));
  });

  const bomb = (size: number): Uint8Array => deflateRawSync(Buffer.alloc(size, 32), { level: 9 });

  test.each([
    ['', /^link, version: expected 1, found none: not a warpool link$/],
    ['#top', /version: .* not a warpool link/],
    ['#2.AAAA.00000000', /^link, version: expected 1, found 2: a newer web app is required$/],
    ['#0.AAAA.00000000', /^link, version: expected 1, found "0": not a warpool link$/],
    ['#1', /number of parts: the link is incomplete/],
    ['#1.AAAA', /number of parts/],
    ['#1.AAAA.00000000.0', /number of parts/],
    ['#1.A<b>.00000000', /^link, content: expected letters, digits, - and _, found "<" at character 2$/],
    ['#1.AAAAA.00000000', /a partial byte: the link is incomplete/],
    ['#1.AB.00000000', /a partial byte/],
    ['#1.AAAA.00000000', /^link, checksum: expected ff41d912, found "00000000": the link is incomplete or damaged$/],
    ['#1.AAAA.FF41D912', /checksum/],
    ['#1.AAAA.ff41d912', /^link, content: expected (compressed data, found other bytes|JSON)/],
    [`#1.${'A'.repeat(LINK_LIMIT)}.00000000`, /^link: expected at most 500 000 characters/],
    [forged('', Buffer.from([0xff, 0xff, 0xff])), /compressed data/],
    [forged('{"a":'), /JSON in UTF-8/],
    [forged(Buffer.from([0xc3, 0x28])), /JSON in UTF-8/],
    [forged('[]'), /^link, content: expected a mapping, found an empty list$/],
    [forged('null'), /a mapping/],
    [ofValue({ ...PLAIN, onload: 1 }), /known fields, found "onload"/],
    [forged('{"__proto__":{"polluted":1}}'), /known fields, found "__proto__"/],
    [ofValue({ ...PLAIN, text: 5 }), /^link, scenario: expected a text, found 5$/],
    [ofValue({ ...PLAIN, text: undefined }), /scenario: expected a text, found nothing/],
    [ofValue({ ...PLAIN, text: ' '.repeat(1024 * 1024 + 1) }), /a text of at most 1 MiB/],
    [ofValue({ ...PLAIN, file: '../../etc/passwd' }), /the name of a file/],
    [ofValue({ ...PLAIN, file: '<img src=x onerror=alert(1)>.yaml' }), /the name of a file/],
    [ofValue({ ...PLAIN, file: 'a\u202Egpj.yaml' }), /the name of a file/],
    [ofValue({ ...PLAIN, seed: '18446744073709551616' }), /seed: expected an integer 0\.\.2\^64-1/],
    [ofValue({ ...PLAIN, seed: -1 }), /seed/],
    [ofValue({ ...PLAIN, battles: 0 }), /battles: expected an integer/],
    [ofValue({ ...PLAIN, battles: 1.5 }), /battles/],
    [ofValue({ ...PLAIN, battles: 1e300 }), /battles/],
    [ofValue({ ...PLAIN, precision: 0 }), /precision/],
    [ofValue({ ...PLAIN, precision: '1' }), /precision/],
    [ofValue({ ...PLAIN, panel: 'javascript:alert(1)' }), /the name of a panel/],
    [ofValue({ ...PLAIN, notes: [1] }), /panels: expected a mapping/],
    [ofValue({ ...PLAIN, notes: { 'a b': 1 } }), /names of panels/],
    [forged('{"ruleset":"2","file":"a","battles":1,"text":"","notes":{"__proto__":1}}'), /names of panels/],
    [ofValue({ ...PLAIN, notes: { battle: 'x'.repeat(70_000) } }), /at most 64 KiB/],
    [ofValue({ ...PLAIN, ruleset: 2 }), /ruleset/],
    [forged('', bomb(CONTENT_LIMIT + 1)), /at most 4 MiB after decompression, found more/],
    [forged('', bomb(32 * 1024 * 1024)), /at most 4 MiB after decompression, found more/],
  ])('rejects link %#: %.60s', async (link, reported) => {
    expect(await rejection(link)).toMatch(reported);
  });
});
