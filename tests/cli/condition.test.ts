/** Signals end a sweep at once while it evaluates a condition at many points, with and without a store. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DEPTH } from '../depth.ts';
import { ROOT } from './warpool.ts';

const folder = mkdtempSync(join(tmpdir(), 'warpool-condition-'));
const file = join(folder, 'where.yaml');
writeFileSync(
  file,
  `scenario: ${join(ROOT, 'scenarios/attrition-direct.yaml')}
axes:
  - { path: attacker.hp, range: [1, 3000] }
  - { path: defender.hp, range: [1, 3000] }
where: attacker.hp = 1 && defender.hp = 1
exact: never
`,
);

test.runIf(DEPTH > 1).each([['--dry-run'], ['--out', join(folder, 'results')]])(
  'sweep %s of nine million points ends within a second of SIGTERM',
  { timeout: 60_000 },
  async (...options) => {
    const child = spawn(process.execPath, [join(ROOT, 'bin/warpool.js'), 'sweep', file, ...options]);
    let printed = '';
    child.stderr.on('data', (text: Buffer) => {
      printed += text.toString();
      // The loop over all points has started.
      setTimeout(() => child.kill('SIGTERM'), 500);
    });
    const [, signal] = (await once(child, 'exit')) as [number | null, string | null];
    expect(signal).toBe('SIGTERM');
    expect(printed).toContain('evaluating the condition at 9 000 000 points');
  },
);
