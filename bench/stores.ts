/** A sweep of exact duels into a store, and its report, compared with the answers alone. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { solveSync } from '../src/analysis/solve.ts';
import { createSweepReport } from '../src/report/sweep-report/report.ts';
import { openStore } from '../src/storage/store/open-store.ts';
import { runSweep } from '../src/storage/store/run-sweep.ts';
import { openGrid } from './gate/cells.ts';
import { timeCpu } from './grid.ts';
import type { Options, Row } from './row.ts';

export async function stores({ quick }: Options): Promise<Row[]> {
  const most = quick ? 40 : 100;
  const axes = [
    ['attacker.hp', 1, most],
    ['defender.hp', 1, most],
  ] as const;
  const sweep = await openGrid('attrition-direct', axes, 'exact');
  const folder = mkdtempSync(join(tmpdir(), 'warpool-bench-'));
  try {
    const out = join(folder, 'store');
    const stored = await timeCpu(() => runSweep(sweep, { out, workers: 1 }));
    const report = await timeCpu(async () => createSweepReport(await openStore(out)));
    const scenarios = Array.from({ length: sweep.points }, (_, point) => sweep.cell(point)?.scenario);
    const answers = await timeCpu(() => {
      for (const scenario of scenarios) if (scenario !== undefined) solveSync(scenario);
    });
    const create = (name: string, { seconds }: { seconds: number }): Row => ({
      ...{ suite: 'stores', name, unit: 'us a cell', of: 'times solve' },
      value: (1e6 * seconds) / sweep.points,
      ratio: seconds / answers.seconds,
    });
    const cells = `${String(sweep.points)} duels`;
    return [create(`sweep of ${cells}`, stored), create(`report of ${cells}`, report)];
  } finally {
    rmSync(folder, { recursive: true });
  }
}
