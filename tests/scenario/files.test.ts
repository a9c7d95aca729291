/** Valid and invalid scenario files. */
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { InputError } from '../../src/core/errors.ts';
import { loadScenario, parseScenario } from '../../src/rules/scenario/index.ts';

const GOOD = `system: attrition
mode: direct
attacker: { name: Männer, attack: 1, defense: 1, hp: 30 }
defender: { attack: 1, defense: 1, hp: 25 }
`;

let folder = '';
const file = (name: string): string => join(folder, name);

function written(name: string, content: string | Uint8Array): string {
  writeFileSync(file(name), content);
  return file(name);
}

/** Returns the error message for a file, with its path replaced by FILE. */
async function rejection(path: string): Promise<string> {
  const error: unknown = await loadScenario(path).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(InputError);
  return (error as InputError).message.replace(path, 'FILE');
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'warpool-scenario-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

describe('loadScenario reads', () => {
  const bytes = Buffer.from(GOOD);
  test.each<readonly [string, string | Uint8Array]>([
    ['plain.yaml', GOOD],
    ['no-newline.yaml', GOOD.trimEnd()],
    ['crlf.yaml', GOOD.replaceAll('\n', '\r\n')],
    ['bom.yaml', Buffer.concat([Buffer.of(0xef, 0xbb, 0xbf), bytes])],
    ['marker.yaml', `---\n${GOOD}`],
    ['directive.yaml', `%YAML 1.2\n---\n${GOOD}...\n`],
    ['file.json', JSON.stringify(parseScenario(GOOD))],
    ['bom.json', `\uFEFF${JSON.stringify(parseScenario(GOOD), null, '\t')}`],
    ['no-extension', GOOD],
    ['large.yaml', `${GOOD}#${'x'.repeat(2 ** 20 - bytes.length - 1)}`],
  ])('%s', async (name, content) => {
    expect(await loadScenario(written(name, content))).toEqual(parseScenario(GOOD));
  });

  test('a symbolic link', async () => {
    symlinkSync(written('target.yaml', GOOD), file('link.yaml'));
    expect(await loadScenario(file('link.yaml'))).toEqual(parseScenario(GOOD));
  });
});

describe('loadScenario rejects', () => {
  test('a missing file', async () => {
    expect(await rejection(file('missing.yaml'))).toBe('FILE: expected a readable file, found no such file');
    expect(await rejection(join(written('plain.txt', ''), 'below'))).toContain('found no such file');
    expect(await rejection('')).toContain('expected a readable file, found no such file');
  });

  test('a folder', async () => {
    mkdirSync(file('folder.yaml'));
    expect(await rejection(file('folder.yaml'))).toBe('FILE: expected a readable file, found a folder');
  });

  test('a loop of links, a long name and a name with NUL', async () => {
    symlinkSync(file('circle'), file('circle'));
    expect(await rejection(file('circle'))).toBe('FILE: expected a readable file, found a loop of links');
    expect(await rejection(file('x'.repeat(5000)))).toBe(
      'FILE: expected a readable file, found a name that is too long',
    );
    expect(await rejection('a\0b')).toContain('expected a readable file, found a name that contains NUL');
  });

  test('a file without permission', async () => {
    chmodSync(written('secret.yaml', GOOD), 0);
    chmodSync(folder, 0o755);
    const isRoot = process.getuid?.() === 0;
    if (isRoot) process.seteuid?.(65534);
    try {
      const message = 'FILE: expected a readable file, found a file without read permission';
      expect(await rejection(file('secret.yaml'))).toBe(message);
    } finally {
      if (isRoot) process.seteuid?.(0);
    }
  });

  test('a binary file', async () => {
    const binary = 'FILE: expected a text file, found a binary one (it has NUL bytes)';
    expect(
      await rejection(
        written(
          'binary',
          Uint8Array.from({ length: 1000 }, (_, i) => (i * 7) % 256),
        ),
      ),
    ).toBe(binary);
    expect(await rejection(written('utf16.yaml', Buffer.from(`\uFEFF${GOOD}`, 'utf16le')))).toBe(binary);
    expect(await rejection(process.execPath)).toBe('FILE: expected a file of at most 1 MiB, found a larger one');
  });

  test('a file in another encoding', async () => {
    expect(await rejection(written('latin1.yaml', Buffer.from(GOOD, 'latin1')))).toBe(
      'FILE: expected a text in UTF-8, found other bytes',
    );
  });

  test('a file larger than 1 MiB', async () => {
    const tooLarge = 'FILE: expected a file of at most 1 MiB, found a larger one';
    expect(await rejection(written('over.yaml', `${GOOD}#${'x'.repeat(2 ** 20)}`))).toBe(tooLarge);
    truncateSync(written('huge.yaml', GOOD), 100 * 2 ** 20);
    expect(await rejection(file('huge.yaml'))).toBe(tooLarge);
  });

  test('a device or a pipe without waiting', async () => {
    const message = 'FILE: expected a regular file, or - for the standard input, found a device or a pipe';
    expect(await rejection('/dev/zero')).toBe(message);
    execFileSync('mkfifo', [file('pipe')]);
    expect(await rejection(file('pipe'))).toBe(message);
  });

  test('a wrong value with its line and column', async () => {
    const path = written('army.yaml', GOOD.replace('hp: 30', 'hp: 0'));
    expect(await rejection(path)).toBe('FILE:3:54 attacker.hp: expected an integer 1..100000, found 0');
  });
});
