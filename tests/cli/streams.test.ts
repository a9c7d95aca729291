/** Full and closed output streams, and too many threads. */
import { spawnSync } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { describe, expect, test } from 'vitest';
import { createFailure } from '../../src/cli/failure.ts';
import { OutputClosedError } from '../../src/core/errors.ts';
import { DEPTH } from '../depth.ts';
import { called } from './called.ts';
import { file, ROOT } from './warpool.ts';

const DUEL = 'scenarios/attrition-direct.yaml';

function shell(command: string) {
  const { status, stdout, stderr } = spawnSync('bash', ['-c', `set -o pipefail; ${command}`], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

describe.skipIf(process.platform !== 'linux')('standard output', () => {
  test.each(['--help', `exact ${DUEL} --json`, `run ${DUEL} --battles 100 -q`])('to /dev/full fails: %s', (command) => {
    expect(shell(`node bin/warpool.js ${command} > /dev/full`)).toEqual({
      status: 1,
      stdout: '',
      stderr: 'warpool: cannot write to standard output: ENOSPC: no space left on device\n',
    });
  });

  test.runIf(DEPTH > 1)('ends an export without an error if the reader closes it', async () => {
    const sweep = file(
      'sweep.yaml',
      `scenario: ${ROOT}${DUEL}
axes:
  - { path: attacker.hp, range: [5, 60] }
  - { path: defender.hp, range: [5, 60] }
exact: always
`,
    );
    const store = sweep.replace('sweep.yaml', 'store');
    expect((await called(['sweep', sweep, '--out', store, '-q'])).code).toBe(0);
    const { status, stdout, stderr } = shell(`node bin/warpool.js export ${store} /dev/stdout | head -1`);
    expect(stdout).toContain('cell,attacker.hp');
    expect([status, stderr]).toEqual([0, '']);
  });
});

test('createFailure exits with 0 for an OutputClosedError', () => {
  expect(createFailure(new OutputClosedError('/dev/stdout: the reader has closed the pipe'))).toEqual({
    code: 0,
    message: '',
  });
});

test('compare warns of more than four threads per core', async () => {
  const most = 4 * availableParallelism();
  const requested = ['compare', DUEL, DUEL, '--battles', '100', '-q', '--workers'];
  expect((await called([...requested, String(Math.min(256, most))])).stderr).toBe('');
  const { code, stderr } = await called([...requested, String(most + 1)]);
  expect(code).toBe(0);
  expect(stderr).toMatch(
    new RegExp(
      `^warpool: --workers ${String(most + 1)}: .*; more threads are not faster, and each uses about 20 MB\n$`,
    ),
  );
});
