/**
 * Snapshots: stored values that expectations are compared with. The file is next to the file of expectations; it is
 * written only on request, atomically.
 */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { z } from 'zod';
import { InputError, version } from '../../core/index.ts';
import { checkOutput, writeText } from '../../core/node.ts';
import { checkBySchema, loadSource } from '../../rules/index.ts';
import { hashScenario, RULESET } from '../../stats/index.ts';
import type { Expectation, ExpectationResult, SnapshotEntry } from './check-expectations.ts';

const entry = z.strictObject({
  name: z.string(),
  /** Subject of the value; a changed subject has no snapshot. */
  of: z.string(),
  scenario: z.string(),
  /** Exact if there is no interval. */
  value: z.number().optional(),
  interval: z.tuple([z.number(), z.number()]).optional(),
  digest: z.string().optional(),
});

const snapshotFile = z.strictObject({
  warpool: z.string(),
  ruleset: z.string(),
  /** Name of the file of expectations. */
  snapshotOf: z.string(),
  kept: z.array(entry),
});

/** Returns the path of the snapshot of a file of expectations. */
export const getSnapshotPath = (expectations: string): string => `${expectations}.snapshot.json`;

/** Returns true if an expectation is compared with a snapshot. */
const hasSnapshot = ({ snapshot }: Expectation): boolean => snapshot !== undefined;

async function readSnapshot(path: string): Promise<ReadonlyMap<string, SnapshotEntry & { readonly of: string }>> {
  const there = await stat(path).catch(() => undefined);
  if (there === undefined) return new Map();
  try {
    const { ruleset, kept } = checkBySchema(snapshotFile, await loadSource(path, 'a snapshot'));
    return new Map(kept.map(({ name, ...each }) => [name, { ...each, ruleset }]));
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    const [found] = error.message.split('\n');
    throw new InputError(
      path,
      'a snapshot written by "warpool assert --update", or no file',
      `another: ${found ?? ''}`,
    );
  }
}

/**
 * Adds the entries of the snapshot file to expectations.
 * @param path path of the file of expectations
 * @throws InputError if the snapshot is invalid, or the expectations are from the standard input
 */
export async function attachSnapshot(expectations: readonly Expectation[], path: string): Promise<Expectation[]> {
  const requested = expectations.find(hasSnapshot);
  if (requested === undefined) return [...expectations];
  if (path === '-')
    throw new InputError(requested.place, 'a file, as the snapshot is next to it', 'the standard input');
  const known = await readSnapshot(getSnapshotPath(path));
  return expectations.map((expectation) => {
    const { snapshot } = expectation;
    const kept = known.get(expectation.name);
    if (snapshot === undefined || kept === undefined) return expectation;
    return { ...expectation, snapshot: { ...snapshot, ...(kept.of === snapshot.of ? { kept } : { other: kept.of }) } };
  });
}

/**
 * Checks, before any work is done, that the snapshot can be updated.
 * @param reads other files that the command reads
 * @throws InputError if no expectation is compared with a snapshot, or its file has other contents
 */
export async function checkUpdate(expectations: readonly Expectation[], path: string, reads: readonly string[]) {
  if (!expectations.some(hasSnapshot))
    throw new InputError('--update', 'an expectation "as in the snapshot"', `none in ${path}`);
  await checkOutput(getSnapshotPath(path), '--update', reads);
}

/** Removes the stored values, so that all expectations are evaluated completely. */
export function clearSnapshotValues(expectations: readonly Expectation[]): Expectation[] {
  return expectations.map((each) => (each.snapshot ? { ...each, snapshot: { of: each.snapshot.of } } : each));
}

/**
 * Replaces the snapshot by new results.
 * @param judged results, none of them interrupted
 * @returns the same results; the stored ones pass
 * @throws RunError if the file cannot be written
 */
export async function writeSnapshot(judged: readonly ExpectationResult[], path: string): Promise<ExpectationResult[]> {
  const kept = judged.flatMap(({ expectation, value, interval, digest }) => {
    const { name, scenario, snapshot } = expectation;
    if (snapshot === undefined) return [];
    const found = digest === undefined ? { value, ...(interval && { interval }) } : { digest };
    return [{ name, of: snapshot.of, scenario: hashScenario(scenario), ...found }];
  });
  const content = { warpool: version(), ruleset: RULESET, snapshotOf: basename(path), kept };
  await writeText(getSnapshotPath(path), `${JSON.stringify(content, null, 2)}\n`);
  const fresh = new Map(
    kept.map(({ name, ...each }): [string, SnapshotEntry] => [name, { ...each, ruleset: RULESET }]),
  );
  return judged.map((each) => {
    const { snapshot, name } = each.expectation;
    const now = fresh.get(name);
    if (snapshot === undefined || now === undefined) return each;
    return { ...each, verdict: 'holds', expectation: { ...each.expectation, snapshot: { ...snapshot, kept: now } } };
  });
}
