/** Command `warpool app`: address, served files, browser and exit. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type RunningApp, startApp } from '../../src/cli/app.ts';
import { chooseOpener, openInBrowser } from '../../src/cli/static-server/open-in-browser.ts';
import { readLink } from '../../src/report/link/link.ts';
import { RULESET } from '../../src/stats/digest.ts';
import { ownFolder } from '../custom-system.ts';
import { called } from './called.ts';
import { DUEL, file, ROOT } from './warpool.ts';

const root = mkdtempSync(join(tmpdir(), 'warpool-serve-page-'));
const folder = join(root, 'page');

const INDEX = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'"><title>x</title>`;

const DUEL_TEXT = readFileSync(DUEL, 'utf8');

beforeAll(() => {
  mkdirSync(folder);
  writeFileSync(join(folder, 'index.html'), INDEX);
});

afterAll(() => {
  rmSync(root, { recursive: true });
});

async function offered(
  ...[scenario, options = {}, from = folder]: Partial<Parameters<typeof startApp>>
): Promise<RunningApp> {
  const offer = await startApp(scenario, { config: false, ...options }, from);
  onTestFinished(offer.end);
  return offer;
}

test('the app uses a free port on the loopback address', async () => {
  const [one, other] = [await offered(), await offered()];
  expect(one.url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/$/);
  expect(one.url).not.toBe(other.url);
  expect(await (await fetch(one.url)).text()).toBe(INDEX);
});

test('--port uses the requested port, and rejects a port in use', async () => {
  const first = await startApp(undefined, { config: false }, folder);
  const port = Number(new URL(first.url).port);
  await expect(offered(undefined, { port })).rejects.toThrow(
    `--port: expected a free port, found ${String(port)}, which is in use`,
  );
  await first.end();
  expect((await offered(undefined, { port })).url).toBe(first.url);
});

describe('a scenario', () => {
  test.each([
    ['duel.yaml', 'duel.yaml'],
    ['my duel #1?.yaml', 'my duel _1_.yaml'],
    ['..yaml', 'yaml'],
    ['größe.json', 'größe.json'],
    [`${'a'.repeat(120)}.yaml`, `${'a'.repeat(75)}.yaml`],
  ])('%s is in the address with unchanged text', async (name, called) => {
    const path = join(root, name);
    const written = `# mine\n${DUEL_TEXT}`;
    writeFileSync(path, written);
    const { hash } = new URL((await offered(path)).url);
    expect(await readLink(hash)).toEqual({
      text: written,
      file: called,
      seed: '1',
      effort: { kind: 'battles', battles: 1_000_000 },
      panel: 'answer',
      notes: {},
      ruleset: RULESET,
    });
  });

  test('is validated before the server starts', async () => {
    const path = file('page-bad.yaml', 'system: attrition\nmode: direct\n');
    await expect(offered(path, {}, 'no folder')).rejects.toThrow(/page-bad\.yaml:\d+:\d+ attacker: expected /);
  });
});

test.each([undefined, DUEL])('a missing system file is rejected, with scenario %s', async (scenario) => {
  await expect(offered(scenario, { systems: ['none.js'] })).rejects.toThrow('expected a file with a system');
});

describe('the module of a custom system', () => {
  const paged = join(root, 'paged');
  const EXAMPLES = join(ROOT, 'examples/systems');
  const [volley, feint] = ['volley', 'feint'].map((name) => join(EXAMPLES, `${name}.mjs`)) as [string, string];

  beforeAll(() => {
    mkdirSync(paged);
    writeFileSync(join(paged, 'index.html'), `<head>${INDEX}</head>`);
  });

  test('is served if it is in --systems, and named in the page', async () => {
    const { url } = await offered(undefined, { systems: [volley] }, paged);
    const named = '<meta name="warpool-module" content="./own/volley.mjs" />';
    for (const address of [url, `${url}index.html`]) expect(await (await fetch(address)).text()).toContain(named);
    const answer = await fetch(`${url}own/volley.mjs`);
    expect(answer.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    expect(await answer.text()).toBe(readFileSync(volley, 'utf8'));
    expect((await fetch(`${url}own/feint.mjs`)).status).toBe(404);
  });

  test('is reported and not served if it imports other files', async () => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
    const { url } = await offered(undefined, { systems: [ownFolder().path] }, paged);
    const printed = write.mock.calls.flat().join('');
    write.mockRestore();
    expect(printed).toContain("the web app cannot open my-duel.js: it imports './blow.js'");
    expect(await (await fetch(url)).text()).not.toContain('warpool-module');
  });

  test('is not served for a game, which the page already contains', async () => {
    const { url } = await offered(join(ROOT, 'examples/games/conquest-dice-siege.yaml'), {}, paged);
    expect(url).toContain('#');
    expect(await (await fetch(url)).text()).not.toContain('warpool-module');
  });

  test('is chosen by the scenario if there are several', async () => {
    const { url } = await offered(join(EXAMPLES, 'feint-even.yaml'), { systems: [volley, feint] }, paged);
    expect(await (await fetch(url)).text()).toContain('content="./own/feint.mjs"');
  });
});

test('a missing build of the web app is reported', async () => {
  const empty = join(root, 'empty');
  mkdirSync(empty);
  const message = 'the web app is not built; run "npm run build"';
  await expect(offered(undefined, {}, empty)).rejects.toThrow(message);
  await expect(offered(undefined, {}, join(root, 'none'))).rejects.toThrow(`${join(root, 'none')}: ENOENT`);
});

describe('the browser', () => {
  test('is opened by a program of the platform, without a shell', () => {
    const platforms = ['darwin', 'linux', 'freebsd', 'win32'] as const;
    expect(platforms.map((platform) => chooseOpener(platform).join(' '))).toEqual([
      'open',
      'xdg-open',
      'xdg-open',
      'rundll32 url.dll,FileProtocolHandler',
    ]);
  });

  test('gets the address as one argument', async () => {
    const written = join(root, 'opened.txt');
    const script = `require('node:fs').writeFileSync(${JSON.stringify(written)}, process.argv[1])`;
    const url = 'http://127.0.0.1:1/#a;b&c $(d) `e` "f"';
    const why = new Promise((resolve) => {
      openInBrowser(url, resolve, [process.execPath, '-e', `${script}; process.exit(3)`]);
    });
    expect(await why).toBe(`${process.execPath} ended with 3`);
    expect(existsSync(written)).toBe(true);
  });

  test('is reported without an exception if it cannot be started', async () => {
    const why = new Promise((resolve) => {
      openInBrowser('http://127.0.0.1/', resolve, [join(root, 'no-such-program')]);
    });
    expect(await why).toMatch(/ENOENT/);
  });
});

describe('the command app', () => {
  test('prints the address, serves until Ctrl-C and exits with 130', async () => {
    const child = spawn(process.execPath, [join(ROOT, 'bin/warpool.js'), 'app']);
    onTestFinished(() => void child.kill('SIGKILL'));
    const shown = text(child.stderr);
    const [url] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string];
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\n$/);
    const answer = await fetch(url.trim());
    expect(answer.headers.get('cross-origin-opener-policy')).toBe('same-origin');
    // An open connection of a browser does not prevent the end of the command.
    child.kill('SIGINT');
    expect(await once(child, 'close')).toEqual([130, null]);
    expect(await shown).toBe('serving only this machine; Ctrl-C ends\n');
  });

  test.each([
    [['--port', '0'], '--port: expected an integer 1..65535, found "0"\n'],
    [['--port', '70000'], '--port: expected an integer 1..65535, found "70000"\n'],
    [[file('page-bad.yaml', 'system: attrition\nmode: direct\n')], /page-bad\.yaml:\d+:\d+ attacker: expected /],
    [['/no/such.yaml'], '/no/such.yaml: expected a readable file, found no such file\n'],
  ])('rejects %j', async (args, message) => {
    const { code, stdout, stderr } = await called(['app', ...args]);
    expect([code, stdout]).toEqual([2, '']);
    if (typeof message === 'string') expect(stderr).toBe(message);
    else expect(stderr).toMatch(message);
  });
});
