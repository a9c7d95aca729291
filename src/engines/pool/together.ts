/** Plays several scenarios battle by battle, and counts what lies between them. */
import { emptyTally, type MetricCounts, makeRoom, type Tally, type TallyShape } from '../../answers/index.ts';
import type { Listed } from '../kernel/instance.ts';
import { listedAtOnce } from '../kernel/kernel.ts';
import type { BattleReading, Player, ReadingPair, SoloPlayer, TogetherSetup } from './run.ts';

/** How a tally of so many gaps is shaped: one outcome, which all battles have, and a metric for each gap. */
export function gapShape(gaps: number): TallyShape {
  return { outcomes: ['any'], metrics: Array.from({ length: gaps }, () => ({ name: '', min: 0, max: 0 })) };
}

/** What is read of so many battles in a row. */
function valuesOf({ of }: BattleReading, rows: Listed, battles: number, values: Float64Array): Float64Array {
  const size = rows.length / battles;
  const [at, worth] = typeof of === 'number' ? [1 + of, undefined] : [0, of];
  for (let k = 0, word = at; k < battles; k++, word += size) {
    const value = rows[word] ?? 0;
    values[k] = worth === undefined ? value : (worth[value] ?? 0);
  }
  return values;
}

/** Counts by how much each value of the second is more than that of the first. */
function countGaps(column: MetricCounts, first: Float64Array, second: Float64Array, battles: number): void {
  for (let k = 0; k < battles; k++) {
    const gap = (second[k] ?? 0) - (first[k] ?? 0);
    makeRoom(column, gap, 1);
    const at = gap - column.low;
    column.counts[at] = (column.counts[at] ?? 0) + 1;
  }
}

export class TogetherPlayer implements Player {
  readonly #parts: readonly SoloPlayer[];
  readonly #gaps: readonly ReadingPair[];
  /** Battles that each part can list at once. */
  readonly #atOnce: number;
  readonly #values: readonly [Float64Array, Float64Array];
  #tally: Tally;

  /** @param players of the parts of the setup, in their order */
  constructor({ parts, gaps }: TogetherSetup, players: readonly SoloPlayer[]) {
    this.#parts = players;
    this.#gaps = gaps;
    this.#atOnce = Math.min(...parts.map((part) => ('shape' in part ? listedAtOnce(part.shape) : 1)));
    this.#values = [new Float64Array(this.#atOnce), new Float64Array(this.#atOnce)];
    this.#tally = emptyTally(gapShape(gaps.length));
  }

  play(from: number, count: number): void {
    for (let done = 0; done < count; done += this.#atOnce)
      this.#look(from + done, Math.min(this.#atOnce, count - done));
  }

  take(): Tally {
    const tally = { ...this.#tally, parts: this.#parts.map((part) => part.take()) };
    this.#tally = emptyTally(gapShape(this.#gaps.length));
    return tally;
  }

  close(): void {
    for (const part of this.#parts) part.close();
  }

  #look(from: number, battles: number): void {
    const rows = this.#parts.map((part) => part.list(from, battles));
    const [one, two] = this.#values;
    for (const [g, [first, second]] of this.#gaps.entries()) {
      const column = this.#tally.metrics[g];
      if (column === undefined) continue;
      valuesOf(first, rows[first.part] ?? [], battles, one);
      countGaps(column, one, valuesOf(second, rows[second.part] ?? [], battles, two), battles);
    }
    const { outcomes } = this.#tally;
    outcomes[0] = (outcomes[0] ?? 0) + battles;
  }
}
