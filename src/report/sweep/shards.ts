/** Output of `sweep --prepare`, `sweep --shard` and `merge`. */

import { version } from '../../core/index.ts';
import { pickModuleFields } from '../../stats/index.ts';
import type { MergeResult, ShardResult, StoreManifest, StoreStatus } from '../../storage/node.ts';
import { formatDuration, formatGrouped, formatSignificant } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import { type TerminalStyle, wrapSentence } from '../text/table.ts';
import { formatFaults } from './verification.ts';

/** Maximum number of listed ranges of segments. */
const MAX_LISTED = 20;

const isRun = ({ sweep }: StoreManifest): boolean => sweep.rangeSize !== undefined;

const formatTitle = (folder: string, { sweep }: StoreManifest, rest: string, { paint }: TerminalStyle): string =>
  `${paint.bold(sanitizeLine(sweep.name ?? folder))}${paint.dim(' · ')}${rest}`;

/** Creates the first keys of the JSON of a store: rules and hashes. */
export function createStoreHeader({ folder, manifest }: Pick<StoreStatus, 'folder' | 'manifest'>) {
  const { ruleset, sweepHash, scenarioHash } = manifest;
  const own = pickModuleFields(manifest);
  return { warpool: version(), folder, ruleset, ...own, sweep: sweepHash, scenario: scenarioHash };
}

/** Formats the next steps for a prepared store. */
export function formatPreparedStoreSheet({ folder, manifest, segments }: StoreStatus, look: TerminalStyle): string {
  const state = manifest.complete ? 'already complete' : 'ready for shards';
  const next = [
    `on each of n machines:  warpool sweep <file> --out ${sanitizeLine(folder)} --shard i/n`,
    `when all are done:      warpool merge ${sanitizeLine(folder)}`,
  ];
  const many = `${formatGrouped(segments)} segments: use at most this many shards.`;
  const text = [
    formatTitle(folder, manifest, state, look),
    '',
    ...wrapSentence(many, look),
    '',
    ...next.map(look.paint.dim),
  ];
  return `${text.join('\n')}\n`;
}

export function createPreparedStoreJson(prepared: StoreStatus) {
  const { segmentSize, complete } = prepared.manifest;
  return { ...createStoreHeader(prepared), segments: prepared.segments, segmentSize, complete };
}

/** Formats the result of a shard. */
export function formatSweepShardSheet(result: ShardResult, look: TerminalStyle): string {
  const { folder, manifest, shard, segments, done, cells, before, complete, elapsedSeconds } = result;
  const played = done - before;
  const rate = elapsedSeconds > 0 ? `, ${formatSignificant(played / elapsedSeconds, 3)} cells/s` : '';
  const there = before === 0 ? '' : ` (${formatGrouped(before)} already done)`;
  const what = played === 0 ? 'nothing' : `${formatGrouped(played)} cells in ${formatDuration(elapsedSeconds)}${rate}`;
  const title = `shard ${String(shard.index)}/${String(shard.of)} · ${formatGrouped(done)} of ${formatGrouped(cells)} cells`;
  const into = folder.includes('://') ? '<folder> ' : '';
  const next = complete
    ? `when all shards are done: warpool merge ${into}${sanitizeLine(folder)}`
    : 'run the same command again to continue';
  const about = `simulated ${what}${there}; ${formatGrouped(segments)} segments`;
  return `${[formatTitle(folder, manifest, title, look), '', ...wrapSentence(about, look), '', look.paint.dim(next)].join('\n')}\n`;
}

export function createSweepShardJson(result: ShardResult) {
  const { shard, segments, done, cells, before, complete, elapsedSeconds } = result;
  return {
    ...createStoreHeader(result),
    shard: { ...shard },
    segments,
    cells,
    done,
    doneBefore: before,
    complete,
    elapsedSeconds,
  };
}

const formatSegmentRange = ([from, to]: readonly [number, number]): string =>
  from === to ? String(from) : `${String(from)}-${String(to)}`;

/** Joins the first texts, with the number of the others. */
function limitTexts(texts: readonly string[]): string {
  const more = texts.length - MAX_LISTED;
  return `${texts.slice(0, MAX_LISTED).join(', ')}${more > 0 ? ` and ${formatGrouped(more)} more` : ''}`;
}

/** Lists the missing battles of a run. */
function missingBattles({ manifest: { sweep }, missing }: MergeResult): string[] {
  const { from = 0, rangeSize = 1, battles } = sweep;
  return missing.segments.map(([first, last]) => {
    const end = Math.min(
      from + (last + 1) * rangeSize,
      battles === undefined ? Number.POSITIVE_INFINITY : from + battles,
    );
    return `battles ${formatGrouped(from + first * rangeSize)}..${formatGrouped(end - 1)} are missing`;
  });
}

function formatMissing(merged: MergeResult): string[] {
  const { segments, cells, shards } = merged.missing;
  if (segments.length === 0) return [];
  const again = shards === undefined ? [] : [`shards to run again: ${limitTexts(shards.map(String))}`];
  if (isRun(merged.manifest)) return [limitTexts(missingBattles(merged)), ...again];
  const count = segments.reduce((sum, [from, to]) => sum + to - from + 1, 0);
  return [
    `${formatGrouped(cells)} cells are missing, in ${formatGrouped(count)} segments: ${limitTexts(segments.map(formatSegmentRange))}`,
    ...again,
  ];
}

function formatNextStep({ folder, manifest, complete, missing, faults }: MergeResult): string {
  const command = isRun(manifest) ? 'run' : 'sweep';
  if (complete) return `warpool ${command === 'run' ? 'verify' : 'report'} ${sanitizeLine(folder)}`;
  const damaged = faults.length > 0 ? 'remove the faulty files; ' : '';
  const play = `run the missing shards, or "warpool ${command} <file> --out ${sanitizeLine(folder)} --resume"`;
  return `${damaged}${missing.segments.length > 0 ? play : 'then merge again'}`;
}

/** Formats the result of a merge, with missing parts. */
export function formatMergeSheet(result: MergeResult, look: TerminalStyle): string {
  const { paint } = look;
  const { folder, manifest, cells, segments, done, copied, faults, complete } = result;
  const there = isRun(manifest)
    ? `${formatGrouped(segments)} parts`
    : `${formatGrouped(done)} of ${formatGrouped(cells)} cells`;
  const digest = result.result?.digest ?? manifest.digest;
  const state = complete ? paint.green('complete') : paint.red('not complete');
  const lines = [
    formatTitle(folder, manifest, state, look),
    '',
    ...wrapSentence(`${there}; ${formatGrouped(copied)} parts copied from other folders`, look),
    ...formatMissing(result).flatMap((line) => wrapSentence(line, look)),
    ...(digest === undefined ? [] : [`digest ${digest}`]),
    ...formatFaults(faults, paint),
    '',
    ...wrapSentence(formatNextStep(result), look).map(paint.dim),
  ];
  return `${lines.join('\n')}\n`;
}

export function createMergeJson({ folder, manifest, missing, result, ...merged }: MergeResult) {
  const { digest = null, rows = null } = manifest;
  const { shards = null, ...rest } = missing;
  const reported = { ...merged, missing: { ...rest, shards }, rows, digest };
  return { ...createStoreHeader({ folder, manifest }), ...reported, ...(result && { result: result.toJSON() }) };
}
