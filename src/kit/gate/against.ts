/**
 * This build against another one on the same machine: both play the same battles in one process, in samples that take
 * turns. No stored figure is involved, so that the verdict holds on any machine.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { type Build, ownBuild, withBuild } from './build.ts';
import type { Described } from './describe.ts';
import type { GateReport } from './gate.ts';
import { type GateFinding, judgeRatio, ratioLimit } from './judge.ts';
import type { Layer } from './layers.ts';
import { thisMachine } from './machine.ts';
import type { PlayerEntry } from './player.ts';
import { describedBy, pairRatios } from './process.ts';
import { measureRounds } from './rounds.ts';
import type { Pair } from './sample.ts';
import { decide } from './sequential.ts';

export interface AgainstOptions {
  /** By which part a battle may take longer than in the other build. */
  readonly budget?: number | undefined;
  /** Says what is under way. */
  readonly say?: ((text: string) => void) | undefined;
}

/** Half of the 2 % that are to be found. */
const BUDGET = 0.01;

/** The other build itself. */
const EQUAL = { ratio: 1, ratioMost: Number.POSITIVE_INFINITY };

interface Both extends Pair {
  readonly digests: readonly [mine: string, theirs: string];
}

/** What both builds have, and the names of what only one has. */
function matched(mine: readonly Described[], theirs: readonly Described[]): { both: Both[]; single: string[] } {
  const others = new Map(theirs.map((each) => [each.entry.name, each]));
  const both: Both[] = [];
  const single: string[] = [];
  for (const { entry, digest } of mine) {
    const other = others.get(entry.name);
    others.delete(entry.name);
    if (other === undefined) single.push(entry.name);
    else both.push({ name: entry.name, mine: entry, theirs: other.entry, digests: [digest, other.digest] });
  }
  return { both, single: [...single, ...others.keys()] };
}

/** All that decides how long an entry takes: its compiled kernel, what that reads, and the program that opens it. */
async function identityOf({ path, shape, made }: PlayerEntry, { player }: Build): Promise<string> {
  const hash = createHash('sha256').update(JSON.stringify([shape, made]));
  for (const file of [path, player]) {
    hash.update(
      createHash('sha256')
        .update(await readFile(file))
        .digest(),
    );
  }
  return hash.digest('hex');
}

async function differing(pairs: readonly Both[], mine: Build, theirs: Build): Promise<Both[]> {
  const found: Both[] = [];
  for (const pair of pairs) {
    if ((await identityOf(pair.mine, mine)) !== (await identityOf(pair.theirs, theirs))) found.push(pair);
  }
  return found;
}

function judgeDigest({ name, digests: [value, baseline] }: Both): GateFinding {
  const status = value === baseline ? 'ok' : 'broken';
  return { layer: 'counters', benchmark: name, what: 'digest', unit: '', value, baseline, status };
}

async function judgeTimes(pairs: readonly Pair[], players: Parameters<typeof pairRatios>[1], budget: number) {
  const budgets = { ratio: budget, beyond: 0 };
  const limit = ratioLimit(EQUAL, budgets);
  const rounds = await measureRounds(
    pairs,
    (left, round) => pairRatios(left, players, round % 2 > 0),
    (_, so) => decide(so, limit) === 'undecided',
  );
  return pairs.map(({ name }) => judgeRatio(name, 'of the other build', rounds.get(name) ?? [], EQUAL, budgets));
}

const list = (some: readonly { readonly name: string }[]): string => some.map(({ name }) => name).join(', ');

function notesOf(single: readonly string[], other: readonly Both[], equal: readonly Both[], all: boolean): string[] {
  return [
    ...(single.length > 0 ? [`only one of the builds has it: ${single.join(', ')}`] : []),
    ...(other.length > 0 ? [`plays other battles: ${list(other)} cannot be compared by time`] : []),
    ...(all ? ['nothing that is measured differs: the kernels, what they read and the program that opens them'] : []),
    ...(!all && equal.length > 0 ? [`not measured, for nothing that is measured differs: ${list(equal)}`] : []),
  ];
}

/**
 * @param path the other build: its folder, or a tarball of npm pack
 * @throws InputError if it is no build that can be compared
 * @throws RunError if a process of the gate fails
 */
export function against(path: string, { budget = BUDGET, say }: AgainstOptions): Promise<GateReport> {
  return withBuild(path, async (theirs): Promise<GateReport> => {
    const mine = await ownBuild();
    const seconds: Partial<Record<Layer, number>> = {};
    const began = performance.now();
    say?.('counters: fixed runs of both builds');
    const { both, single } = matched(await describedBy(mine.sampler), await describedBy(theirs.sampler));
    const same = both.filter(({ digests: [one, other] }) => one === other);
    const measured = await differing(same, mine, theirs);
    const findings = both.map(judgeDigest);
    const compared = performance.now();
    seconds.counters = (compared - began) / 1000;
    if (measured.length > 0) {
      say?.('ratio: the kernels of both builds in turns');
      const players = { mine: mine.player, theirs: theirs.player };
      findings.push(...(await judgeTimes(measured, players, budget)));
      seconds.ratio = (performance.now() - compared) / 1000;
    }
    const other = both.filter((pair) => !same.includes(pair));
    const equal = same.filter((pair) => !measured.includes(pair));
    const notes = notesOf(single, other, equal, equal.length === both.length && single.length === 0);
    const held = findings.every(({ status }) => status !== 'broken');
    return {
      machine: thisMachine(),
      against: `${path} (${theirs.version})`,
      here: true,
      findings,
      notes,
      seconds,
      held,
    };
  });
}
