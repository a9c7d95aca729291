/** What `sweep --prepare`, `sweep --shard` and `merge` print. */
import { ownRules } from '../answers/index.ts';
import { version } from '../core/index.ts';
import type { Manifest, Merged, Prepared, ShardResult } from '../work/node.ts';
import { clean } from './text/clean.ts';
import { duration, grouped, significant } from './text/digits.ts';
import { flowed, type Look } from './text/table.ts';
import { faultLines } from './verify.ts';

/** Runs of segments that are told. */
const TOLD = 20;

const isRun = ({ sweep }: Manifest): boolean => sweep.rangeSize !== undefined;

const titled = (folder: string, { sweep }: Manifest, rest: string, { paint }: Look): string =>
  `${paint.bold(clean(sweep.name ?? folder))}${paint.dim(' · ')}${rest}`;

/** What the JSON about a store begins with: by which rules, and of what. */
export function storeHead({ folder, manifest }: Pick<Prepared, 'folder' | 'manifest'>) {
  const { ruleset, sweepHash, scenarioHash } = manifest;
  const own = ownRules(manifest);
  return { warpool: version(), folder, ruleset, ...own, sweep: sweepHash, scenario: scenarioHash };
}

/** What is to be done with a store that is ready. */
export function preparedSheet({ folder, manifest, segments }: Prepared, look: Look): string {
  const state = manifest.complete ? 'complete already' : 'ready for shards';
  const next = [
    `each of n machines:  warpool sweep <file> --out ${clean(folder)} --shard i/n`,
    `when all are done:   warpool merge ${clean(folder)}`,
  ];
  const many = `${grouped(segments)} segments: at most so many shards have something to play.`;
  const text = [titled(folder, manifest, state, look), '', ...flowed(many, look), '', ...next.map(look.paint.dim)];
  return `${text.join('\n')}\n`;
}

export function preparedJson(prepared: Prepared) {
  const { segmentSize, complete } = prepared.manifest;
  return { ...storeHead(prepared), segments: prepared.segments, segmentSize, complete };
}

/** What came of a shard. */
export function shardSheet(result: ShardResult, look: Look): string {
  const { folder, manifest, shard, segments, done, cells, before, complete, elapsedSeconds } = result;
  const played = done - before;
  const rate = elapsedSeconds > 0 ? `, ${significant(played / elapsedSeconds, 3)} cells/s` : '';
  const there = before === 0 ? '' : ` (${grouped(before)} were there)`;
  const what = played === 0 ? 'nothing' : `${grouped(played)} cells in ${duration(elapsedSeconds)}${rate}`;
  const title = `shard ${String(shard.index)}/${String(shard.of)} · ${grouped(done)} of ${grouped(cells)} cells`;
  const into = folder.includes('://') ? '<folder> ' : '';
  const next = complete
    ? `when all shards are done: warpool merge ${into}${clean(folder)}`
    : 'the same command goes on';
  const about = `played ${what}${there}; ${grouped(segments)} segments`;
  return `${[titled(folder, manifest, title, look), '', ...flowed(about, look), '', look.paint.dim(next)].join('\n')}\n`;
}

export function shardJson(result: ShardResult) {
  const { shard, segments, done, cells, before, complete, elapsedSeconds } = result;
  return { ...storeHead(result), shard: { ...shard }, segments, cells, done, before, complete, elapsedSeconds };
}

const run = ([from, to]: readonly [number, number]): string =>
  from === to ? String(from) : `${String(from)}-${String(to)}`;

/** The first of several, and how many there are more. */
function first(texts: readonly string[]): string {
  const more = texts.length - TOLD;
  return `${texts.slice(0, TOLD).join(', ')}${more > 0 ? ` and ${grouped(more)} more` : ''}`;
}

/** What is missing of a run. */
function missingBattles({ manifest: { sweep }, missing }: Merged): string[] {
  const { from = 0, rangeSize = 1, battles } = sweep;
  return missing.segments.map(([first, last]) => {
    const end = Math.min(
      from + (last + 1) * rangeSize,
      battles === undefined ? Number.POSITIVE_INFINITY : from + battles,
    );
    return `battles ${grouped(from + first * rangeSize)}..${grouped(end - 1)} are missing`;
  });
}

function missingLines(merged: Merged): string[] {
  const { segments, cells, shards } = merged.missing;
  if (segments.length === 0) return [];
  const again = shards === undefined ? [] : [`shards to play again: ${first(shards.map(String))}`];
  if (isRun(merged.manifest)) return [first(missingBattles(merged)), ...again];
  const count = segments.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  return [`${grouped(cells)} cells are missing, in ${grouped(count)} segments: ${first(segments.map(run))}`, ...again];
}

function nextOf({ folder, manifest, complete, missing, faults }: Merged): string {
  const command = isRun(manifest) ? 'run' : 'sweep';
  if (complete) return `warpool ${command === 'run' ? 'verify' : 'report'} ${clean(folder)}`;
  const damaged = faults.length > 0 ? 'remove the files that are damaged or wrong; ' : '';
  const play = `play what is missing: its shards, or "warpool ${command} <file> --out ${clean(folder)} --resume"`;
  return `${damaged}${missing.segments.length > 0 ? play : 'then merge again'}`;
}

/** What a merge found, and what is missing. */
export function mergeSheet(result: Merged, look: Look): string {
  const { paint } = look;
  const { folder, manifest, cells, segments, done, taken, faults, complete } = result;
  const there = isRun(manifest) ? `${grouped(segments)} parts` : `${grouped(done)} of ${grouped(cells)} cells`;
  const digest = result.result?.digest ?? manifest.digest;
  const state = complete ? paint.green('complete') : paint.red('not complete');
  const lines = [
    titled(folder, manifest, state, look),
    '',
    ...flowed(`${there}; ${grouped(taken)} parts taken from other folders`, look),
    ...missingLines(result).flatMap((line) => flowed(line, look)),
    ...(digest === undefined ? [] : [`digest ${digest}`]),
    ...faultLines(faults, paint),
    '',
    ...flowed(nextOf(result), look).map(paint.dim),
  ];
  return `${lines.join('\n')}\n`;
}

export function mergeJson({ folder, manifest, missing, result, ...merged }: Merged) {
  const { digest = null, rows = null } = manifest;
  const { shards = null, ...rest } = missing;
  const told = { ...merged, missing: { ...rest, shards }, rows, digest };
  return { ...storeHead({ folder, manifest }), ...told, ...(result && { result: result.toJSON() }) };
}
