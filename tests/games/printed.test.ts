/** Tests of docs/explanation/printed-odds.md: published odds, exact answers and simulated battles. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadScenario, simulate, solveSync } from '../../src/index.ts';
import { applyChanges } from '../../src/rules/scenario/update-scenario.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { some } from '../depth.ts';

const ROOT = join(import.meta.dirname, '../..');
const PAGE = readFileSync(join(ROOT, 'docs/explanation/printed-odds.md'), 'utf8');

/** Cells of all rows whose first cell is the name of a game. */
const ROWS = PAGE.split('\n')
  .filter((line) => /^\| `[a-z-]+` /.test(line))
  .map((line) => line.slice(2, -2).split(/ *\| */));

const bare = (cell = ''): string => cell.replaceAll('`', '');

/** Loads a file with changes, such as `conquest-dice-osborne.yaml attacker=8`. */
async function scenarioOf(command: string): Promise<Scenario> {
  const [file = '', ...changes] = bare(command).split(' ');
  return applyChanges(await loadScenario(join(ROOT, 'examples/games', file)), changes);
}

interface Answered {
  readonly outcomes: readonly { readonly name: string; readonly p: number }[];
  readonly metrics: readonly {
    readonly name: string;
    readonly mean: number;
    readonly histogram: readonly (readonly [number, number])[];
  }[];
}

/** Returns the value of `attacker`, `wounds.defender`, `wounds.defender <= 1`, or a sum of outcomes. */
function reported(of: string, { outcomes, metrics }: Answered): number {
  const [name = '', most] = of.split(' <= ');
  const metric = metrics.find((each) => each.name === name);
  if (metric !== undefined && most !== undefined) {
    const total = metric.histogram.reduce((sum, [, weight]) => sum + weight, 0);
    const below = metric.histogram.filter(([value]) => value <= Number(most));
    return below.reduce((sum, [, weight]) => sum + weight, 0) / total;
  }
  if (metric !== undefined) return metric.mean;
  const names = name.split(' + ');
  for (const each of names) expect(outcomes.map((outcome) => outcome.name)).toContain(each);
  return outcomes.filter((outcome) => names.includes(outcome.name)).reduce((sum, { p }) => sum + p, 0);
}

const digitsOf = (cell: string): number => (/\.(\d+)/.exec(cell)?.[1] ?? '').length;

/** Returns the tolerance: half a unit of the last digit, or at most five standard errors of a number of battles. */
const near = (printed: string, battles: string | undefined): number =>
  battles === undefined ? 0.5001 * 10 ** -digitsOf(printed) : 2.5 / Math.sqrt(Number(battles));

describe('printed odds', () => {
  test('cover all games with published odds', () => {
    expect(new Set(ROWS.map(([game]) => bare(game)))).toEqual(
      new Set(['conquest-dice', 'combined-arms', 'space-fleets', 'hit-wound-save', 'symbol-dice']),
    );
  });

  test.each(some(ROWS))(
    'agree with exact and simulated results: %s: %s, %s',
    async (_game, command, of, printed = '', exact = '', simulation = '') => {
      const scenario = await scenarioOf(command);
      const { summary } = solveSync(scenario);
      const value = reported(bare(of), summary);
      expect(value.toFixed(digitsOf(exact))).toBe(exact);
      // The page explains that numbers in bold are wrong.
      const [number = '', battles] = printed.replace(' battles)', '').replaceAll(' ', '').split('(');
      if (!number.startsWith('**')) expect(Math.abs(value - Number(number))).toBeLessThanOrEqual(near(number, battles));
      const { summary: counted } = await simulate(scenario, { battles: 1_000_000, seed: 1 });
      expect(reported(bare(of), counted).toFixed(digitsOf(simulation))).toBe(simulation);
    },
  );
});
