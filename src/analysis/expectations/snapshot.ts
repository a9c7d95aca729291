/**
 * Snapshots: what expectations are compared with that ask for what was. The file stands beside that of the expectations;
 * it is written on demand alone, whole or not at all.
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
  /** What was asked; an expectation that asks otherwise has no snapshot. */
  of: z.string(),
  scenario: z.string(),
  /** Exact, unless there is an interval. */
  value: z.number().optional(),
  interval: z.tuple([z.number(), z.number()]).optional(),
  digest: z.string().optional(),
});

const snapshotFile = z.strictObject({
  warpool: z.string(),
  ruleset: z.string(),
  /** The name of the file of expectations. */
  snapshotOf: z.string(),
  kept: z.array(entry),
});

/** The file of the snapshot of a file of expectations. */
export const getSnapshotPath = (expectations: string): string => `${expectations}.snapshot.json`;

/** The expectations of a file that are compared with its snapshot. */
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
 * Expectations with what the snapshot beside their file has of them.
 * @param path of the file of expectations
 * @throws InputError if the file of the snapshot is none, or the expectations are of the standard input
 */
export async function attachSnapshot(expectations: readonly Expectation[], path: string): Promise<Expectation[]> {
  const asked = expectations.find(hasSnapshot);
  if (asked === undefined) return [...expectations];
  if (path === '-') throw new InputError(asked.place, 'a file, as the snapshot is next to it', 'the standard input');
  const known = await readSnapshot(getSnapshotPath(path));
  return expectations.map((expectation) => {
    const { snapshot } = expectation;
    const kept = known.get(expectation.name);
    if (snapshot === undefined || kept === undefined) return expectation;
    return { ...expectation, snapshot: { ...snapshot, ...(kept.of === snapshot.of ? { kept } : { other: kept.of }) } };
  });
}

/**
 * Refuses, before any work is done, what cannot be updated.
 * @param reads other files that the command reads
 * @throws InputError if no expectation is compared with a snapshot, or its file would be that of something else
 */
export async function checkUpdate(expectations: readonly Expectation[], path: string, reads: readonly string[]) {
  if (!expectations.some(hasSnapshot))
    throw new InputError('--update', 'an expectation "as in the snapshot"', `none in ${path}`);
  await checkOutput(getSnapshotPath(path), '--update', reads);
}

/** Expectations that nothing is known of, so that the whole of each is found. */
export function clearSnapshotValues(expectations: readonly Expectation[]): Expectation[] {
  return expectations.map((each) => (each.snapshot ? { ...each, snapshot: { of: each.snapshot.of } } : each));
}

/**
 * Keeps what was found; what was kept before is gone.
 * @param judged of `withoutKept`, none of them interrupted
 * @returns the same; those that are kept hold
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
