/** A run in a folder, with the tallies that it has: each is a Parquet file. */

import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { battlesIn, digest, type Played, RULESET, rulesOf, type Tally, type TallyShape } from '../../answers/index.ts';
import { MAX_BATTLES } from '../../core/index.ts';
import { writeDurably } from '../../core/node.ts';
import { opened } from '../../rules/index.ts';
import { type StoredPart, unreadable } from '../folder/files.ts';
import { strayRow, tallyOf, type Weight, weightsOf } from '../store/cell.ts';
import { Column } from '../store/columns.ts';
import { type ColumnValues, encodeTable, readAbout, readTable } from '../store/parquet.ts';
import { readPart } from '../store/parts.ts';
import type { ColumnHead } from '../store/rows.ts';
import { partFile, type Range, type RunManifest } from './manifest.ts';

/** The columns of a file of tallies; see docs/how-to/huge-runs.md. */
const HEADS: readonly ColumnHead[] = [
  { name: 'kind', type: 'text' },
  { name: 'name', type: 'text' },
  { name: 'outcome', type: 'text' },
  { name: 'value', type: 'double' },
  { name: 'count', type: 'int64' },
];

/** Which battles a file counts, as it says itself. */
function battlesOf({ system, systemHash, scenarioHash, seed, from, to, drawn }: Played): Record<string, unknown> {
  const rules = { ruleset: RULESET, system, ...(systemHash !== undefined && { systemHash }) };
  return { ...rules, scenarioHash, seed: String(seed), from, to, ...(drawn === true && { drawn }) };
}

/**
 * The bytes of a tally's file; equal tallies of equal battles give equal bytes. The digest with them is that of
 * `warpool run` on the same battles.
 */
function encodeTally(played: Played, shape: TallyShape, tally: Tally): Uint8Array {
  const rows = [...weightsOf(shape, tally)];
  const columns = HEADS.map((head) =>
    Column.of(
      head,
      rows.map((row) => row[head.name === 'count' ? 'weight' : (head.name as keyof Weight)]),
    ),
  );
  return encodeTable(columns, { ...battlesOf(played), digest: digest(played, shape, tally) });
}

/** @throws RunError if it cannot be written */
export async function writeTally(
  folder: string,
  file: string,
  played: Played,
  shape: TallyShape,
  tally: Tally,
): Promise<void> {
  await writeDurably(join(folder, file), encodeTally(played, shape, tally));
}

/** The tally that the columns of a file give, if some battles can have given them. */
function talliedFrom([kind, name, outcome, value, counts]: readonly ColumnValues[], shape: TallyShape): Tally {
  const rows = Array.from(counts ?? [], (count, r) => ({
    kind: kind?.[r] as Weight['kind'],
    name: name?.[r] as string,
    outcome: outcome?.[r] as string,
    value: (value?.[r] ?? null) as number | null,
    weight: typeof count === 'bigint' && count <= MAX_BATTLES ? Number(count) : Number.NaN,
  }));
  const none = { cell: 0, from: 0, to: 0, probability: null };
  const stray = strayRow(
    shape,
    rows.map(({ weight, ...row }) => ({ ...none, ...row, count: weight })),
  );
  if (stray !== undefined) throw new Error(stray);
  return tallyOf(shape, rows, ({ weight }) => weight);
}

/** Every battle counts once in its outcome, and once in each metric. */
function checkSums(tally: Tally, { outcomes, metrics }: TallyShape, { from, to }: Played): void {
  const battles = battlesIn(tally);
  if (battles !== to - from) throw new Error(`it counts ${String(battles)} battles, not ${String(to - from)}`);
  for (const [m, { width, counts }] of tally.metrics.entries()) {
    for (const [o, outcome] of outcomes.entries()) {
      const sum = counts.subarray(o * width, (o + 1) * width).reduce((all, count) => all + count, 0);
      if (sum === tally.outcomes[o]) continue;
      const due = String(tally.outcomes[o]);
      throw new Error(`${metrics[m]?.name ?? ''} of ${outcome} counts ${String(sum)} battles, not ${due}`);
    }
  }
}

/** Refuses the file of other battles. */
function checkBattles(found: Readonly<Record<string, unknown>>, due: Readonly<Record<string, unknown>>): void {
  const names = new Set([...Object.keys(due), ...Object.keys(found)]);
  const off = [...names].find((name) => found[name] !== due[name]);
  if (off === undefined) return;
  const told = (value: unknown): string => ((JSON.stringify(value) as string | undefined) ?? 'nothing').slice(0, 80);
  throw new Error(`its ${off} is ${told(found[off])}, not ${told(due[off])}`);
}

/**
 * The tally in a file, which may be anybody's.
 * @param listed as a complete run has it: then the bytes must be those
 * @param played the battles that it must count
 * @throws RunError that names the file if it is missing, damaged, of other battles, or counts what no battles can give
 */
export async function readTally(
  folder: string,
  file: string,
  listed: StoredPart | undefined,
  played: Played,
  shape: TallyShape,
): Promise<Tally> {
  const part = await readPart(folder, { file, listed });
  const [about, columns] = [await readAbout(part), await readTable(part, HEADS)];
  try {
    const { digest: told, ...own } = about;
    checkBattles(own, battlesOf(played));
    const tally = talliedFrom(columns, shape);
    checkSums(tally, shape, played);
    if (told !== digest(played, shape, tally)) throw new Error('its digest is not that of its counts');
    return tally;
  } catch (error) {
    throw unreadable(part.name, error);
  }
}

export class RunStore {
  readonly folder: string;
  readonly run: RunManifest;
  readonly shape: TallyShape;
  readonly #listed: ReadonlyMap<string, StoredPart>;

  constructor(folder: string, run: RunManifest) {
    this.folder = folder;
    this.run = run;
    this.shape = opened(run.scenario).shape;
    this.#listed = new Map(run.parts?.map((part) => [part.file, part]));
  }

  /** The battles of a range, as digests name them. */
  played({ from, to }: Range): Played {
    const { scenario, scenarioHash, seed, engine } = this.run;
    return { ...rulesOf(scenario), scenarioHash, seed: BigInt(seed), from, to, drawn: engine === 'sampled' };
  }

  async has(range: Range): Promise<boolean> {
    const found = await lstat(join(this.folder, partFile(this.run, range))).catch(() => undefined);
    return found !== undefined;
  }

  /** @throws RunError if there is none, or it is damaged or of other battles */
  async read(range: Range): Promise<Tally> {
    const file = partFile(this.run, range);
    return await readTally(this.folder, file, this.#listed.get(file), this.played(range), this.shape);
  }

  /** @throws RunError if it cannot be written */
  async write(range: Range, tally: Tally): Promise<void> {
    await writeTally(this.folder, partFile(this.run, range), this.played(range), this.shape, tally);
  }
}
