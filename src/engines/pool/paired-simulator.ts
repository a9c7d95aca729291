/** Simulates several scenarios battle by battle, and counts their differences. */
import {
  type Counts,
  type CountsShape,
  createEmptyCounts,
  type MetricCounts,
  reserveRange,
} from '../../stats/index.ts';
import type { BattleRows } from '../kernel/instance.ts';
import { computeListLimit } from '../kernel/kernel.ts';
import type { BattleReading, BattleSimulator, PairedSetup, ReadingDifference, ScenarioSimulator } from './run.ts';

/** Creates the shape of difference counts: one outcome, which all battles have, and a metric for each difference. */
export function createDifferenceShape(gaps: number): CountsShape {
  return { outcomes: ['any'], metrics: Array.from({ length: gaps }, () => ({ name: '', min: 0, max: 0 })) };
}

/** Reads the values of consecutive battles. */
function readValues({ of }: BattleReading, rows: BattleRows, battles: number, values: Float64Array): Float64Array {
  const size = rows.length / battles;
  const [at, worth] = typeof of === 'number' ? [1 + of, undefined] : [0, of];
  for (let k = 0, word = at; k < battles; k++, word += size) {
    const value = rows[word] ?? 0;
    values[k] = worth === undefined ? value : (worth[value] ?? 0);
  }
  return values;
}

/** Counts the differences of values, the second minus the first. */
function countDifferences(column: MetricCounts, first: Float64Array, second: Float64Array, battles: number): void {
  for (let k = 0; k < battles; k++) {
    const gap = (second[k] ?? 0) - (first[k] ?? 0);
    reserveRange(column, gap, 1);
    const at = gap - column.low;
    column.counts[at] = (column.counts[at] ?? 0) + 1;
  }
}

export class PairedSimulator implements BattleSimulator {
  readonly #parts: readonly ScenarioSimulator[];
  readonly #gaps: readonly ReadingDifference[];
  /** Maximum number of battles that each part can list. */
  readonly #atOnce: number;
  readonly #values: readonly [Float64Array, Float64Array];
  #counts: Counts;

  /** @param players simulators of the parts of the setup, in their order */
  constructor({ parts, differences }: PairedSetup, players: readonly ScenarioSimulator[]) {
    this.#parts = players;
    this.#gaps = differences;
    this.#atOnce = Math.min(...parts.map((part) => ('shape' in part ? computeListLimit(part.shape) : 1)));
    this.#values = [new Float64Array(this.#atOnce), new Float64Array(this.#atOnce)];
    this.#counts = createEmptyCounts(createDifferenceShape(differences.length));
  }

  play(from: number, count: number): void {
    for (let done = 0; done < count; done += this.#atOnce)
      this.#look(from + done, Math.min(this.#atOnce, count - done));
  }

  take(): Counts {
    const counts = { ...this.#counts, parts: this.#parts.map((part) => part.take()) };
    this.#counts = createEmptyCounts(createDifferenceShape(this.#gaps.length));
    return counts;
  }

  close(): void {
    for (const part of this.#parts) part.close();
  }

  #look(from: number, battles: number): void {
    const rows = this.#parts.map((part) => part.simulateRows(from, battles));
    const [one, two] = this.#values;
    for (const [g, [first, second]] of this.#gaps.entries()) {
      const column = this.#counts.metrics[g];
      if (column === undefined) continue;
      readValues(first, rows[first.part] ?? [], battles, one);
      countDifferences(column, one, readValues(second, rows[second.part] ?? [], battles, two), battles);
    }
    const { outcomes } = this.#counts;
    outcomes[0] = (outcomes[0] ?? 0) + battles;
  }
}
