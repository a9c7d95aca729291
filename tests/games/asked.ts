/** Helpers for tests of a system of examples/games: exact answers, simulated battles and replays. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { replay } from '../../src/analysis/replay.ts';
import {
  loadScenario,
  loadSystems,
  type SystemRegistry,
  simulate,
  solveSync,
  validateScenario,
} from '../../src/index.ts';
import { formatReplayLines } from '../../src/report/run/replay.ts';
import { PLAIN_PAINT } from '../../src/report/text/table.ts';
import type { Scenario } from '../../src/rules/system.ts';

const FOLDER = join(fileURLToPath(new URL('../..', import.meta.url)), 'examples/games');

export interface Answer {
  readonly outcomes: Readonly<Record<string, number>>;
  readonly means: Readonly<Record<string, number>>;
  /** P(metric >= value) */
  readonly atLeast: (metric: string, value: number) => number;
  /** P(metric = value) */
  readonly is: (metric: string, value: number) => number;
}

export function exact(scenario: Scenario): Answer {
  const { summary } = solveSync(scenario);
  const chance = (metric: string, when: (value: number) => boolean): number =>
    (summary.metrics.find(({ name }) => name === metric)?.histogram ?? [])
      .filter(([value]) => when(value))
      .reduce((sum, [, p]) => sum + p, 0);
  return {
    outcomes: Object.fromEntries(summary.outcomes.map(({ name, p }) => [name, p])),
    means: Object.fromEntries(summary.metrics.map(({ name, mean }) => [name, mean])),
    atLeast: (metric, least) => chance(metric, (value) => value >= least),
    is: (metric, wanted) => chance(metric, (value) => value === wanted),
  };
}

/** Checks that simulated battles agree with the exact answer within 5 standard errors. */
export async function expectPlayed(scenario: Scenario, battles = 40_000): Promise<void> {
  const { outcomes, means } = exact(scenario);
  const { summary } = await simulate(scenario, { battles, seed: 11 });
  for (const { name, p } of summary.outcomes) {
    const q = outcomes[name] ?? 0;
    expect(Math.abs(p - q), name).toBeLessThanOrEqual(5 * Math.sqrt((q * (1 - q)) / battles) + 1e-9);
  }
  for (const { name, mean, variance } of summary.metrics)
    expect(Math.abs(mean - (means[name] ?? 0)), name).toBeLessThanOrEqual(5 * Math.sqrt(variance / battles) + 1e-9);
}

export class Asked {
  readonly #id: string;
  readonly systems: SystemRegistry;

  private constructor(id: string, systems: SystemRegistry) {
    this.#id = id;
    this.systems = systems;
  }

  static async load(id: string): Promise<Asked> {
    return new Asked(id, await loadSystems([join(FOLDER, `${id}.mjs`)]));
  }

  /** Returns the names of the system's scenarios. */
  static files(id: string): string[] {
    return readdirSync(FOLDER).flatMap((name) =>
      name.startsWith(`${id}-`) && name.endsWith('.yaml') ? [name.slice(id.length + 1, -5)] : [],
    );
  }

  open(fields: object): Scenario {
    return validateScenario({ system: this.#id, ...fields }, { systems: this.systems });
  }

  file(name: string): Promise<Scenario> {
    return loadScenario(join(FOLDER, `${this.#id}-${name}.yaml`), { systems: this.systems });
  }

  /** Returns the lines of a replay without their dice. */
  formatLines(scenario: Scenario, battle: number): string[] {
    const { events } = replay(scenario, { seed: 1, battle });
    const lines = formatReplayLines(events, this.systems.system(this.#id), { width: 200, paint: PLAIN_PAINT });
    return lines.map((line) => line.replace(/ {2}\[.*$/, '').trim());
  }
}
