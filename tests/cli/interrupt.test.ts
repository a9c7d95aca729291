/** Ends that come early: Ctrl-C, a reader who has seen enough. */
import { describe, expect, test } from 'vitest';
import { DUEL, warpool } from './warpool.ts';

/** Long enough for threads to be up and at work on a slow machine. */
const LATER = 4000;

const FOREVER = ['run', DUEL, '--battles', '1e11'];

describe('a signal ends a run with what was finished', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s as JSON', async (signal, expected) => {
    const { code, stdout, stderr } = await warpool([...FOREVER, '--json'], { signals: [[signal, LATER]] });
    expect(code).toBe(expected);
    const found = JSON.parse(stdout) as { battles: number; outcomes: Record<string, { count: number }> };
    expect(found).toMatchObject({ complete: false, asked: 1e11, digest: expect.any(String) as string });
    expect(found.battles).toBeGreaterThan(0);
    expect(Object.values(found.outcomes).reduce((sum, { count }) => sum + count, 0)).toBe(found.battles);
    expect(stderr).toMatch(/\ninterrupted at [\d ]+ of 100 000 000 000 battles\n$/);
  });

  test('SIGINT as a table', async () => {
    const { code, stdout } = await warpool(FOREVER, { signals: [['SIGINT', LATER]] });
    expect(code).toBe(130);
    expect(stdout).toContain(' of 100 000 000 000 battles');
    expect(stdout).toContain('digest ');
  });

  test('the battles that were finished are those of a shorter run', async () => {
    const args = ['run', DUEL, '--json', '--exact', 'never', '--battles'];
    const part = await warpool([...args, '1e11'], { signals: [['SIGINT', LATER]] });
    const { battles, digest } = JSON.parse(part.stdout) as { battles: number; digest: string };
    const whole = await warpool([...args, String(battles)]);
    expect(JSON.parse(whole.stdout)).toMatchObject({ digest, complete: true });
  });
});

test('SIGINT ends a comparison with what was played', async () => {
  const { code, stdout, stderr } = await warpool(['compare', DUEL, DUEL, '--battles', '1e11', '--json'], {
    signals: [['SIGINT', LATER]],
  });
  expect(code).toBe(130);
  const { battles } = JSON.parse(stdout) as { battles: number };
  expect(battles).toBeGreaterThan(0);
  expect(stderr).toMatch(/^interrupted after [\d ]+ battles\n$/);
});

test('a second SIGINT ends at once', async () => {
  const slow = [...FOREVER, '--engine', 'reference'];
  const { code, stderr } = await warpool(slow, {
    signals: [
      ['SIGINT', LATER],
      ['SIGINT', LATER + 20],
    ],
  });
  expect(code).toBe(130);
  expect(stderr).toContain('again quits at once');
});

test.each([
  ['run', DUEL, '--battles', '10'],
  ['replay', DUEL, '--json'],
  ['systems', 'attrition'],
  ['schema', 'all'],
  ['--help'],
])('a reader who goes away is no error: %s', async (...args) => {
  expect(await warpool(args, { deaf: true })).toMatchObject({ code: 0, stderr: '' });
});
