/** Early ends of commands: signals, and readers that close standard output. */
import { afterEach, describe, expect, test, vi } from 'vitest';
import { catchSignals, type Signals } from '../../src/cli/interrupt.ts';
import { DEPTH, some } from '../depth.ts';
import { DUEL, interrupted, type Said, warpool } from './warpool.ts';

/** Returns whether the program had finished some battles. */
const simulated = ({ stderr }: Said): boolean => /interrupted a(t|fter) [1-9]/.test(stderr);

const FOREVER = ['run', DUEL, '--battles', '1e11'];

describe.concurrent('a signal ends a run with the finished battles', () => {
  test.runIf(DEPTH > 1).each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
  ] as const)('%s as JSON', async (signal, expected) => {
    const { code, stdout, stderr } = await interrupted([...FOREVER, '--json'], simulated, signal);
    expect(code).toBe(expected);
    const found = JSON.parse(stdout) as { battles: number; outcomes: Record<string, { count: number }> };
    expect(found).toMatchObject({ complete: false, requested: 1e11, digest: expect.any(String) as string });
    expect(found.battles).toBeGreaterThan(0);
    expect(Object.values(found.outcomes).reduce((sum, { count }) => sum + count, 0)).toBe(found.battles);
    expect(stderr).toMatch(/\ninterrupted at [\d ]+ of 100 000 000 000 battles\n$/);
  });

  test.runIf(DEPTH > 1)('SIGINT as a table', async () => {
    const { code, stdout } = await interrupted(FOREVER, simulated);
    expect(code).toBe(130);
    expect(stdout).toContain(' of 100 000 000 000 battles');
    expect(stdout).toContain('digest ');
  });

  test.runIf(DEPTH > 1)('with the digest of a shorter run', async () => {
    const args = ['run', DUEL, '--json', '--exact', 'never', '--battles'];
    const part = await interrupted([...args, '1e11'], simulated);
    const { battles, digest } = JSON.parse(part.stdout) as { battles: number; digest: string };
    const whole = await warpool([...args, String(battles)]);
    expect(JSON.parse(whole.stdout)).toMatchObject({ digest, complete: true });
  });
});

test.runIf(DEPTH > 1)('SIGINT ends a comparison with the finished battles', async () => {
  const { code, stdout, stderr } = await interrupted(['compare', DUEL, DUEL, '--battles', '1e11', '--json'], simulated);
  expect(code).toBe(130);
  const { battles } = JSON.parse(stdout) as { battles: number };
  expect(battles).toBeGreaterThan(0);
  expect(stderr).toMatch(/^interrupted after [\d ]+ battles\n$/);
});

test.runIf(DEPTH > 1).concurrent('a second SIGINT ends the program at once', async () => {
  const slow = [...FOREVER, '--engine', 'reference'];
  const options = (stderr: string): boolean => stderr.includes('again quits at once');
  const stop = async (wait: number): Promise<Said> =>
    await warpool(slow, {
      signals: [
        ['SIGINT', wait],
        ['SIGINT', options],
      ],
    });
  let printed = await stop(250);
  for (let wait = 500; !options(printed.stderr) && wait < 20_000; wait *= 2) printed = await stop(wait);
  expect(printed.code).toBe(130);
  expect(options(printed.stderr)).toBe(true);
});

const READ = [
  ['run', DUEL, '--battles', '10'],
  ['replay', DUEL, '--json'],
  ['systems', 'attrition'],
  ['--help'],
  ['schema', 'all'],
];

test.concurrent.each(some(READ))('a closed standard output is not an error: %s', async (...args) => {
  expect(await warpool(args, { deaf: true })).toMatchObject({ code: 0, stderr: '' });
});

describe('catchSignals', () => {
  const names = ['SIGINT', 'SIGTERM'] as const;
  const before = names.map((name) => process.listeners(name));

  afterEach(() => {
    vi.restoreAllMocks();
    for (const [n, name] of names.entries()) {
      for (const listener of process.listeners(name))
        if (before[n]?.includes(listener) !== true) process.off(name, listener);
    }
  });

  const caught = (): { readonly signals: Signals; readonly quit: ReturnType<typeof vi.fn> } => {
    const quit = vi.fn<(code: number) => void>();
    return { signals: catchSignals(quit), quit };
  };

  test('quits on a second Ctrl-C, but not on a signal forwarded by npx', () => {
    const now = vi.spyOn(performance, 'now').mockReturnValue(1000);
    const { signals, quit } = caught();
    process.emit('SIGINT', 'SIGINT');
    expect({ aborted: signals.stop.aborted, code: signals.getExitCode() }).toEqual({ aborted: true, code: 130 });
    now.mockReturnValue(1010);
    process.emit('SIGINT', 'SIGINT');
    expect(quit).not.toHaveBeenCalled();
    now.mockReturnValue(1500);
    process.emit('SIGTERM', 'SIGTERM');
    expect(quit).toHaveBeenCalledExactlyOnceWith(143);
  });

  test('removes its listeners during runBlocking and ignore', () => {
    const { signals } = caught();
    const received = (): number => process.listenerCount('SIGINT') - (before[0]?.length ?? 0);
    expect(signals.runBlocking(received)).toBe(0);
    expect(received()).toBe(1);
    const listen = signals.ignore();
    expect(received()).toBe(0);
    listen();
    listen();
    expect(received()).toBe(1);
  });
});
