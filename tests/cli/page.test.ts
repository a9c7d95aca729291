/** Option `--html`: written files, rejected paths and unchanged results. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { printBestResponse } from '../../src/cli/best-response.ts';
import { compareFiles } from '../../src/cli/compare.ts';
import type { Signals } from '../../src/cli/interrupt.ts';
import { type RunCommandOptions, runScenario } from '../../src/cli/run.ts';
import { checkHtmlPath, formatCommand, writeHtml } from '../../src/cli/write-html.ts';
import { DUEL, ROOT } from './warpool.ts';
import { catchWriting, written } from './written.ts';

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'warpool-page-'));
  catchWriting();
});

afterEach(() => {
  vi.restoreAllMocks();
});

const signals: Signals = {
  stop: new AbortController().signal,
  getExitCode: () => undefined,
  runBlocking: (act) => act(),
  ignore: () => () => undefined,
};

const OPTIONS: RunCommandOptions = {
  battles: 2000,
  seed: 3n,
  from: 0,
  engine: 'kernel',
  exact: 'auto',
  histograms: 'auto',
  quiet: true,
  workers: 1,
};

/** Removes times and rates from a printed text. */
const timeless = (text: string): string =>
  text.replaceAll(/[^\n·]*(battles\/s|\d s )[^\n·]*/g, '').replaceAll(/"elapsedSeconds":[^,}]*/g, '');

describe('--html', () => {
  test('writes a page, reports it on standard error and changes no result', async () => {
    await runScenario(DUEL, OPTIONS, signals);
    const plain = written.out;
    written.out = '';
    const page = join(folder, 'new', 'duel.html');
    await runScenario(DUEL, { ...OPTIONS, html: page }, signals);
    expect(timeless(written.out)).toBe(timeless(plain));
    expect(written.err).toMatch(new RegExp(`^${page}: written, \\d+ kB\\n$`));
    expect(readdirSync(join(folder, 'new'))).toEqual(['duel.html']);
    const html = readFileSync(page, 'utf8');
    expect(html).toContain(`warpool run ${DUEL} --battles 2000 --seed 3</pre>`);
    expect(html).toContain(`warpool replay ${DUEL} --seed 3 --battle `);
    expect(html).toContain(/digest ([0-9a-f]{64})/.exec(written.out)?.[1]);
  });

  test('works with --json and replaces an existing page', async () => {
    const page = join(folder, 'duel.htm');
    writeFileSync(page, 'old');
    await runScenario(DUEL, { ...OPTIONS, html: page, json: true }, signals);
    expect((JSON.parse(written.out) as { battles: number }).battles).toBe(2000);
    expect(readFileSync(page, 'utf8')).toMatch(/^<!doctype html>/);
  });

  test('rejects folders and other file extensions before the simulation', async () => {
    await expect(runScenario(DUEL, { ...OPTIONS, html: join(folder, 'duel.txt') }, signals)).rejects.toThrow(
      /^--html: expected a file that ends in \.html, found ".*duel\.txt"$/,
    );
    mkdirSync(join(folder, 'there.html'));
    await expect(runScenario(DUEL, { ...OPTIONS, html: join(folder, 'there.html') }, signals)).rejects.toThrow(
      /^--html: expected a file, found a folder ".*there\.html"$/,
    );
    await expect(checkHtmlPath(join(folder, 'later.HTML'))).resolves.toBeUndefined();
    expect([written.out, written.err]).toEqual(['', '']);
    expect(readdirSync(folder)).toEqual(['there.html']);
  });

  test('fails if the page cannot be written', async () => {
    writeFileSync(join(folder, 'file'), '');
    await expect(writeHtml(join(folder, 'file', 'duel.html'), 'page')).rejects.toThrow(/duel\.html cannot be written/);
  });

  test('writes pages of compare and best-response that contain the command', async () => {
    const page = join(folder, 'both.html');
    const elite = join(ROOT, 'scenarios/attrition-elite.yaml');
    await compareFiles([DUEL, elite], { battles: 500, seed: 1n, from: 0, html: page }, signals);
    expect(readFileSync(page, 'utf8')).toContain(`warpool compare ${DUEL} ${elite} --battles 500 --seed 1</pre>`);
    await printBestResponse(DUEL, { reward: 'win', html: page });
    expect(readFileSync(page, 'utf8')).toContain(`warpool best-response ${DUEL} --reward win</pre>`);
    expect(written.err.match(/both\.html: written/g)).toHaveLength(2);
  });
});

describe('formatCommand', () => {
  test('includes only options that change the result, quoted for a shell', () => {
    const options = {
      battles: 1e6,
      seed: 1n,
      from: 0,
      engine: 'kernel',
      json: true,
      quiet: true,
      html: 'x.html',
      workers: 2,
    };
    expect(formatCommand('run', ['a.yaml'], options)).toBe('warpool run a.yaml --battles 1000000 --seed 1');
    expect(formatCommand('run', ['a.yaml'], { ...options, from: 7, engine: 'sampled', precisionOf: 'hp.a b' })).toBe(
      "warpool run a.yaml --battles 1000000 --seed 1 --from 7 --engine sampled --precision-of 'hp.a b'",
    );
  });

  test('quotes names, joins --fields with commas and separates values of --space', () => {
    expect(formatCommand('run', ["it's.yaml"], {})).toBe(String.raw`warpool run 'it'\''s.yaml'`);
    expect(
      formatCommand('sensitivity', ['-'], { fields: ['a', 'b.c=0'], space: ['x=1..2', 'y[0]=3..4'], json: false }),
    ).toBe("warpool sensitivity - --fields a,b.c=0 --space x=1..2 'y[0]=3..4'");
  });
});
