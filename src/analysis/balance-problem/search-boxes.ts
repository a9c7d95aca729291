/**
 * Branch and bound over boxes of settings (A. Land and A. Doig, Econometrica 1960). A box is split until each scenario
 * has one value of each of its fields; the scenario is then evaluated, and the box is dropped if its misses exclude that one of
 * its settings is among the best. A scenario whose open fields are all monotone is bounded by two corners of the box.
 */

import { InputError } from '../../core/index.ts';
import type { Interval } from '../../stats/index.ts';
import type { CellTable, CellTerms, TermReadings } from './cell-table.ts';
import type { BalanceProblem, FieldIndices } from './problem.ts';
import type { MissBounds, SettingBox, SettingCollector } from './setting-collector.ts';
import { computeMissInterval, type ProblemTarget, sumTerms } from './target.ts';

/** Ends of the intervals of the terms of a scenario over a box; undefined if they are unknown. */
type TermBounds = Pick<TermReadings, 'low' | 'high'> | undefined;

/** Box with the bounds of all scenarios. */
interface BoxNode extends SettingBox {
  /** Bounds over the box that was split. */
  readonly bounds: readonly TermBounds[];
  /** Field that was split; undefined for the box of all settings. */
  readonly split: number | undefined;
}

/** Relative rounding error of exact values. */
const ROUNDING = 1e-9;

const hasOneValue = ({ low, high }: SettingBox, fields: readonly number[]): boolean =>
  fields.every((f) => low[f] === high[f]);

/** Computes the bounds of the misses of all targets. @param getBounds returns the bounds of the terms of a scenario */
export function computeMissBounds(
  targets: readonly ProblemTarget[],
  tables: readonly CellTable[],
  getBounds: (scenario: number) => TermBounds,
): MissBounds {
  const misses = targets.map((target): Interval => computeMissInterval(target, boundTarget(target, tables, getBounds)));
  return { least: misses.map(([least]) => least), greatest: misses.map(([, greatest]) => greatest) };
}

/** Computes the interval of the value of a target. Unknown terms have their declared range. */
export function boundTarget(
  target: ProblemTarget,
  tables: readonly CellTable[],
  getBounds: (scenario: number) => TermBounds,
): Interval {
  return sumTerms(target, ({ scenario, key, estimand }) => {
    const bounds = getBounds(scenario);
    if (bounds === undefined) return estimand.range;
    const at = tables[scenario]?.findTerm(key) ?? 0;
    return [bounds.low[at] ?? 0, bounds.high[at] ?? 0];
  });
}

/** Searches all settings of a problem. */
export class BoxSearch {
  readonly #problem: BalanceProblem;
  readonly #tables: readonly CellTable[];
  readonly #collector: SettingCollector;
  /** By scenario: for each term, the fields in which it falls. */
  readonly #falling = new Map<number, readonly ReadonlySet<number>[]>();

  constructor(problem: BalanceProblem, tables: readonly CellTable[], collector: SettingCollector) {
    this.#problem = problem;
    this.#tables = tables;
    this.#collector = collector;
  }

  /** @throws EvaluationStopped, CellTooLarge as `CellTable.solve` */
  async run(): Promise<void> {
    const { fields, scenarios } = this.#problem;
    const box = { low: fields.map(() => 0), high: fields.map(({ count }) => count - 1) };
    const open: BoxNode[] = [{ ...box, bounds: scenarios.map(() => undefined), split: undefined }];
    for (let node = open.pop(); node !== undefined; node = open.pop()) {
      const bounds = await this.#boundScenarios(node);
      if (bounds === undefined) continue;
      const field = this.#chooseField(node);
      if (field === undefined) this.#collector.add(node.low, this.#computeMisses(bounds));
      else open.push(...splitBox({ ...node, bounds }, field));
    }
  }

  /** Collects a setting whose cells were evaluated. */
  addSetting(indices: FieldIndices): void {
    this.#collector.add(indices, this.#computeMisses(this.#tables.map((table) => table.find(indices) ?? undefined)));
  }

  #computeMisses(bounds: readonly TermBounds[]): MissBounds {
    return computeMissBounds(this.#problem.targets, this.#tables, (s) => bounds[s]);
  }

  /** Bounds the scenarios of a box; undefined if none of its settings can be among the best. */
  async #boundScenarios(node: BoxNode): Promise<TermBounds[] | undefined> {
    const found = [...node.bounds];
    // Bounds over the larger box hold for this one, too, and better settings may have been found since.
    if (!this.#collector.accepts(node, this.#computeMisses(found).least)) return undefined;
    for (const [s, table] of this.#tables.entries()) {
      if (node.split !== undefined && !table.fields.includes(node.split)) continue;
      const bounds = await this.#boundScenario(s, table, node);
      if (bounds === null) return undefined;
      this.#checkBounds(table, node.bounds[s], bounds);
      if (bounds === undefined) continue;
      found[s] = bounds;
      if (!this.#collector.accepts(node, this.#computeMisses(found).least)) return undefined;
    }
    return found;
  }

  async #boundScenario(s: number, table: CellTable, node: BoxNode): Promise<TermBounds | null> {
    const { fields } = this.#problem;
    if (hasOneValue(node, table.fields)) return await this.#readCell(table, node.low);
    const isOpen = (f: number): boolean => node.low[f] !== node.high[f];
    if (!table.fields.every((f) => !isOpen(f) || fields[f]?.monotone === true)) return undefined;
    const low: number[] = [];
    const high: number[] = [];
    for (const [t, falling] of (await this.#findFalling(s, table)).entries()) {
      const lower = node.low.map((k, f) => (falling.has(f) ? (node.high[f] ?? k) : k));
      const upper = node.high.map((k, f) => (falling.has(f) ? (node.low[f] ?? k) : k));
      const least = await this.#readCell(table, lower);
      const greatest = await this.#readCell(table, upper);
      if (least == null || greatest == null) return undefined;
      low.push(least.low[t] ?? 0);
      high.push(greatest.high[t] ?? 0);
    }
    return { low, high };
  }

  /** Returns the reading of a cell: exact, or the one of its simulation. */
  async #readCell(table: CellTable, indices: FieldIndices): Promise<CellTerms | undefined> {
    const known = table.find(indices);
    return known === undefined && table.isExact ? await table.solve(indices) : known;
  }

  /** Finds the fields in which each term falls, from the ends of their ranges. */
  async #findFalling(s: number, table: CellTable): Promise<readonly ReadonlySet<number>[]> {
    const known = this.#falling.get(s);
    if (known !== undefined) return known;
    const { fields } = this.#problem;
    const falling = Array.from({ length: table.terms.size }, () => new Set<number>());
    for (const f of table.fields) {
      for (const isUpper of [false, true]) {
        const base = fields.map(({ count }) => (isUpper ? count - 1 : 0));
        const first = await this.#readCell(table, base.with(f, 0));
        const last = await this.#readCell(table, base.with(f, (fields[f]?.count ?? 1) - 1));
        for (const [t, terms] of falling.entries()) if ((last?.values[t] ?? 0) < (first?.values[t] ?? 0)) terms.add(f);
      }
    }
    this.#falling.set(s, falling);
    return falling;
  }

  /** @throws InputError if a term is not monotone, though the fields are declared to be */
  #checkBounds(table: CellTable, outer: TermBounds, inner: TermBounds): void {
    if (outer === undefined || inner === undefined || !table.isExact) return;
    const t = inner.low.findIndex((low, term) => {
      const [least, greatest] = [outer.low[term] ?? low, outer.high[term] ?? low];
      const slack = ROUNDING * Math.max(1, Math.abs(least), Math.abs(greatest));
      return low < least - slack || (inner.high[term] ?? low) > greatest + slack;
    });
    if (t < 0) return;
    const names = table.fields.flatMap((f) => {
      const field = this.#problem.fields[f];
      return field?.monotone === true ? [field.name] : [];
    });
    const term = [...table.terms.keys()][t] ?? '';
    throw new InputError(
      'fields',
      `fields in which ${table.name}.${term} always rises or always falls, as monotone declares`,
      `another function of ${names.join(', ')}`,
    );
  }

  /** Chooses the field to split: of the scenario with the fewest open cells; monotone fields and narrow ranges last. */
  #chooseField({ low, high }: SettingBox): number | undefined {
    const { fields } = this.#problem;
    const countOpen = (f: number): number => (high[f] ?? 0) - (low[f] ?? 0);
    const sizes = this.#tables.map((table) => ({
      open: table.fields.filter((f) => countOpen(f) > 0),
      size: table.fields.reduce((product, f) => product * (countOpen(f) + 1), 1),
    }));
    const [next] = sizes.filter(({ open }) => open.length > 0).sort((a, b) => a.size - b.size);
    const isMonotone = (f: number): number => Number(fields[f]?.monotone === true);
    return next?.open.sort((a, b) => isMonotone(a) - isMonotone(b) || countOpen(b) - countOpen(a))[0];
  }
}

/** Splits a box into halves; the first one is examined first. */
function splitBox({ low, high, bounds }: BoxNode, field: number): [second: BoxNode, first: BoxNode] {
  const middle = Math.floor(((low[field] ?? 0) + (high[field] ?? 0)) / 2);
  return [
    { low: low.map((k, f) => (f === field ? middle + 1 : k)), high, bounds, split: field },
    { low, high: high.map((k, f) => (f === field ? middle : k)), bounds, split: field },
  ];
}
