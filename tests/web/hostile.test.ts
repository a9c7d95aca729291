/** Hostile files and links: the page shows errors, runs none of their code, and still works. Needs Chromium. */
import { readFileSync } from 'node:fs';
import { deflateRawSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { computeCrc32 } from '../../src/report/link/crc32.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { DEPTH } from '../depth.ts';
import { inBrowser, MISSING, type Visit } from './browser.ts';

const SCENARIO = 'scenarios/attrition-direct.yaml';
const TEXT = readFileSync(SCENARIO, 'utf8');

const MARKUP = '<img src=x onerror=ran()><script>ran()</script><svg onload=ran()>';
const NAMES = [
  '__proto__',
  'constructor',
  'prototype',
  'hasOwnProperty',
  'toString',
  '\u202Eabc',
  '$' + '{ran()}',
  '\'"`><b>',
];

/** Creates a link with this content. */
function linkWith(content: string | Uint8Array): string {
  const packed = deflateRawSync(content);
  return `#1.${packed.toString('base64url')}.${computeCrc32(packed).toString(16).padStart(8, '0')}`;
}

const requested = (more: object): string =>
  linkWith(JSON.stringify({ ruleset: '2', file: 'a.yaml', battles: 1000, text: TEXT, ...more }));

const LINKS: readonly (readonly [why: string, link: string])[] = [
  ['no link', '#top'],
  ['a later version', '#2.AAAA.00000000'],
  ['cut', requested({}).slice(0, -40)],
  ['no sum', requested({}).replace(/\.[^.]*$/, '')],
  ['another sum', requested({}).replace(/.{8}$/, '00000000')],
  ['other letters', '#1.<img/src=x>.00000000'],
  ['escapes', '#1.%3Cscript%3E.00000000'],
  ['no data', '#1..00000000'],
  ['no JSON', linkWith('{')],
  ['not UTF-8', linkWith(Uint8Array.of(0xc3, 0x28))],
  ['a list', linkWith('[]')],
  ['nothing', linkWith('null')],
  ['a bomb', linkWith(Buffer.alloc(200 * 1024 * 1024, 32))],
  ['deep', linkWith('['.repeat(1_000_000))],
  ['long', `#1.${'A'.repeat(600_000)}.00000000`],
  ['unknown fields', requested({ colour: 'red' })],
  ['prototypes', linkWith('{"__proto__":{"text":"x"},"ruleset":"2","file":"a.yaml","battles":1,"text":""}')],
  ['another panel', requested({ panel: 'javascript:ran()' })],
  ['a file with markup', requested({ file: MARKUP })],
  ['a file that turns', requested({ file: 'a\u202Egpj.yaml' })],
  ['another seed', requested({ seed: '1e99' })],
  ['too many battles', requested({ battles: 1e300 })],
  ['notes with markup', requested({ notes: { [MARKUP]: MARKUP } })],
];

/** Scenario texts: invalid ones, and valid ones with hostile names. */
const TEXTS: readonly (readonly [why: string, text: string])[] = [
  ['markup', MARKUP],
  ['markup for a system', `system: "${MARKUP}"`],
  ['markup for a field', `${TEXT}\n? "${MARKUP}"\n: 1`],
  ['a deep text', '['.repeat(20_000)],
  ['deep mappings', Array.from({ length: 3000 }, (_, k) => `${' '.repeat(k % 900)}a:`).join('\n')],
  [
    'a bomb of aliases',
    Array.from({ length: 30 }, (_, k) => `a${k}: &a${k} [${k === 0 ? '1' : `*a${k - 1}, *a${k - 1}`}]`).join('\n'),
  ],
  ['tags', 'system: !!js/function "function () { ran() }"'],
  ['merge keys', '<<: { system: attrition }\n__proto__: { system: attrition }'],
  ['a prototype', `__proto__: 1\n${TEXT}`],
  ['NUL and others', 'system: "\\0\\u0007\\u202E"'],
  ['halves of characters', `system: "\uD800"`],
  ['many lines', '\n'.repeat(500_000)],
  ['one long line', `# ${'x'.repeat(900_000)}\n${TEXT}`],
  ['many problems', `system: attrition\n${Array.from({ length: 5000 }, (_, k) => `f${k}: ${k}`).join('\n')}`],
  ...NAMES.map(
    (name) =>
      [
        `the name ${JSON.stringify(name)}`,
        `system: attrition\nmode: direct\nattacker: { name: ${JSON.stringify(`${name}${MARKUP}`)}, attack: 1, defense: 1, hp: 3 }\ndefender: { name: b, attack: 1, defense: 1, hp: 3 }\n`,
      ] as const,
  ),
];

const FILES: readonly (readonly [why: string, name: string, bytes: Buffer])[] = [
  ['10 MB', 'a.yaml', Buffer.alloc(10_000_000, 'a: 1\n')],
  ['no text', 'a.yaml', Buffer.from([0, 255, 254, 7])],
  ['no UTF-8', 'a.yaml', Buffer.from([0xc3, 0x28])],
  ['a name with markup', `<img src=x onerror=ran()>.yaml`, Buffer.from('system: nobody')],
  ['a name that turns', 'a\u202Elmay.exe', Buffer.from('system: nobody')],
];

describe.skipIf(MISSING || DEPTH === 1)('untrusted links and files', () => {
  const served = inBrowser();
  let digest: string;
  let at: Visit;

  beforeAll(async () => {
    ({ digest } = await simulate(await loadScenario(SCENARIO), { battles: 1000, seed: 1 }));
    at = await served.visit();
    await at.page.addInitScript(() => {
      const ran = (): void => {
        setTimeout(() => {
          throw new Error('it ran');
        });
      };
      Object.assign(globalThis, { ran });
    });
    await at.page.goto(served.url);
  });

  /** Expects that a valid link is still answered. */
  async function expectUse(page: Page): Promise<void> {
    const link = await served.link(SCENARIO, { battles: 1000 });
    await page.evaluate((hash) => {
      location.hash = hash;
    }, new URL(link).hash);
    await page.getByRole('tabpanel').getByText(digest).first().waitFor();
    // The editor inserts images for the omitted part of a long line.
    const brought = 'img:not(.cm-widgetBuffer), iframe, object, embed, [onerror], [onload]';
    expect(await page.locator(brought).count()).toBe(0);
    expect(await page.evaluate(() => Object.keys(Object.prototype))).toEqual([]);
    expect(at.received).toEqual([]);
  }

  test.each(LINKS)('an invalid link shows a short error, and the page still works: %s', async (_, link) => {
    const { page } = at;
    await page.evaluate((hash) => {
      location.hash = hash;
    }, link);
    const reported = page.getByRole('alert').filter({ hasText: 'link' });
    await reported.first().waitFor();
    expect((await reported.first().innerText()).length).toBeLessThan(400);
    await expectUse(page);
    expect(await reported.count()).toBe(0);
  });

  test.each(LINKS.slice(0, 6))('an invalid link in the first address shows an error: %s', async (_, link) => {
    const { page } = await served.visit();
    await page.goto(served.home + link);
    await page.getByRole('alert').filter({ hasText: 'link' }).first().waitFor();
  });

  test('a link that is followed while the page starts is answered', async () => {
    const { page } = await served.visit();
    let requested: () => void = () => undefined;
    const asks = new Promise<void>((resolve) => {
      requested = resolve;
    });
    let give: () => void = () => undefined;
    const given = new Promise<void>((resolve) => {
      give = resolve;
    });
    // Delays the start page, which opens without a link.
    await page.route(/\/assets\/start-/, async (route) => {
      requested();
      await given;
      await route.continue();
    });
    await page.goto(served.home, { waitUntil: 'commit' });
    await asks;
    const link = await served.link(SCENARIO, { battles: 1000 });
    await page.evaluate((hash) => {
      location.hash = hash;
    }, new URL(link).hash);
    give();
    await page.getByRole('tabpanel').getByText(digest).first().waitFor();
  });

  test.each(TEXTS)('a link with a hostile text leaves the page intact: %s', async (_, text) => {
    const { page } = at;
    await page.evaluate((hash) => {
      location.hash = hash;
    }, requested({ text }));
    await page.waitForTimeout(400);
    await expectUse(page);
  });

  test.each(FILES)('a hostile file is rejected and leaves the page intact: %s', async (_, name, buffer) => {
    const { page } = at;
    await page.locator('input[type=file]').first().setInputFiles({ name, mimeType: 'text/plain', buffer });
    await page.waitForTimeout(400);
    expect(await page.locator('body').innerText()).toMatch(/expected /);
    await expectUse(page);
  });
});
