/**
 * Digests that may never change unless CHANGELOG.md says so under **Results** and RULESET is bumped. Each is of the
 * first 20 000 battles of seed 1. `counts` exclude the ruleset and the scenario's fields: they may only change if
 * the rules of the scenario changed. `npm run freeze` updates both and reports which counts changed.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { simulate } from '../../src/analysis/simulate.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import { computeCountsDigest, RULESET } from '../../src/stats/digest.ts';

interface Frozen {
  readonly ruleset: string;
  readonly digests: Readonly<Record<string, string>>;
  readonly counts: Readonly<Record<string, string>>;
}

const frozen = JSON.parse(readFileSync(new URL('digests.json', import.meta.url), 'utf8')) as Frozen;

/** Number of battles by engine. The slower reference engine repeats the first battles of the kernel. */
const BATTLES = { kernel: 20_000, reference: 200 };

test('the frozen digests are of the current ruleset and all scenarios', () => {
  expect(frozen.ruleset).toBe(RULESET);
  expect(Object.keys(frozen.digests).sort()).toEqual(readdirSync('scenarios').sort());
});

test.each(readdirSync('scenarios'))('%s has the frozen digest, and equal digests in both engines', async (file) => {
  const scenario = await loadScenario(`scenarios/${file}`);
  const { digest, shape, counts } = await simulate(scenario, { battles: BATTLES.kernel, seed: 1 });
  expect(computeCountsDigest(shape, counts)).toBe(frozen.counts[file]);
  expect(digest).toBe(frozen.digests[file]);
  const [kernel, reference] = await Promise.all(
    (['kernel', 'reference'] as const).map((engine) =>
      simulate(scenario, { battles: BATTLES.reference, seed: 1, engine }),
    ),
  );
  expect(reference?.digest).toBe(kernel?.digest);
});
