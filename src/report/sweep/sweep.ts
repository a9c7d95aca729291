/** Output of `sweep`. */

import { version } from '../../core/index.ts';
import { identifyRules } from '../../stats/index.ts';
import type { AxisColumn, Sweep, SweepSpec } from '../../storage/index.ts';
import type { SweepEstimate, SweepResult } from '../../storage/node.ts';
import { formatPrices } from '../scenario/costs.ts';
import { formatDuration, formatGrouped, formatSignificant, formatThreadCount } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import { type TerminalStyle, wrapText } from '../text/table.ts';
import { createStoreHeader } from './shards.ts';

/** `1.3 MB` */
function formatBytes(count: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let [value, unit] = [count, 0];
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return `${formatSignificant(value, 3)} ${units[unit] ?? ''}`;
}

/** `attacker.hp (31 values)` */
function formatAxis({ name, labels, range }: AxisColumn): string {
  const size = labels === undefined ? (range ?? []).map(String).join('..') : `${formatGrouped(labels.length)} values`;
  return `${sanitizeLine(name)} (${size})`;
}

function formatDesign({ design }: SweepSpec, points: number): string {
  const kind = design === 'grid' ? 'grid' : design.kind;
  return `${kind} of ${formatGrouped(points)} points`;
}

function formatCellEffort({ battles, precision, precisionOf = 'outcomes', exact }: SweepSpec, each: number): string {
  const solved = {
    auto: ', solved exactly if cheap',
    always: ', solved exactly',
    never: '',
    instead: ', or solved exactly if cheap',
  }[exact];
  if (precision !== undefined) {
    const most = battles === undefined ? '' : `, at most ${formatGrouped(battles)} battles`;
    return `simulated until ${sanitizeLine(precisionOf)} are within ±${sanitizeLine(String(precision))}${most}${solved}`;
  }
  return each === 0 ? 'solved exactly' : `${formatGrouped(each)} battles each${solved}`;
}

function formatFacts(
  lines: readonly (readonly [name: string, text: string])[],
  { paint, width }: TerminalStyle,
): string {
  const indent = Math.max(...lines.map(([name]) => name.length)) + 2;
  const formatFact = ([name, text]: readonly [name: string, text: string]): string =>
    paint.dim(name.padEnd(indent)) + wrapText(text, indent, width).join('\n').trimStart();
  return lines.map(formatFact).join('\n');
}

function createCommonFacts({ spec, columns, points, battles }: Sweep): [string, string][] {
  const set = columns.filter(({ prices }) => prices === undefined);
  const priced = columns.flatMap(({ paths, prices }) =>
    prices === undefined ? [] : [formatPrices({ paths, prices })],
  );
  return [
    ['design', formatDesign(spec, points)],
    ['axes', set.map(formatAxis).join(', ')],
    ...(priced.length === 0 ? [] : [['prices', priced.join(', ')] as [string, string]]),
    ...(spec.where === undefined ? [] : [['where', sanitizeLine(spec.where)] as [string, string]]),
    ['cells', formatCellEffort(spec, battles)],
  ];
}

/** Facts on the segments of a sweep, and on the part of a shard. */
function createPartitionFacts({ segments, segmentSize, cells, shard }: SweepEstimate): [string, string][] {
  const most = `${formatGrouped(segments)} of up to ${formatGrouped(segmentSize)} points: use at most this many shards`;
  if (shard === undefined) return [['segments', most]];
  const share = cells === 0 ? 0 : (100 * shard.cells) / cells;
  const own = `${formatGrouped(shard.cells)} cells (${formatSignificant(share, 3)} %) in ${formatGrouped(shard.segments)} segments`;
  return [
    ['segments', most],
    [`shard ${String(shard.index)}/${String(shard.of)}`, `${own}; time and disk are for this shard`],
  ];
}

/** Formats the estimated effort of a sweep or shard. */
export function formatSweepEstimateSheet(estimate: SweepEstimate, sweep: Sweep, look: TerminalStyle): string {
  const { cells, points, checked, tried, seconds, workers, bytes: disk } = estimate;
  const left = points === cells ? '' : `, ${formatGrouped(points - cells)} points excluded`;
  const time =
    seconds === undefined ? 'none' : `about ${formatDuration(Math.max(0.1, seconds))} on ${formatThreadCount(workers)}`;
  const title = look.paint.bold(`${formatGrouped(cells)} cells`) + left;
  const lines: [string, string][] = [
    ...createCommonFacts(sweep),
    ...createPartitionFacts(estimate),
    ['time', time],
    ['disk', disk === undefined ? 'none' : `about ${formatBytes(disk)}`],
    ['pilot', `${formatGrouped(tried)} cells; the scenarios of ${formatGrouped(checked)} cells were checked`],
  ];
  return `${title}\n\n${formatFacts(lines, look)}\n`;
}

export function createSweepEstimateJson(estimate: SweepEstimate, { spec, columns }: Sweep) {
  const { seconds = null, bytes: disk = null, ...rest } = estimate;
  return { warpool: version(), ...identifyRules(spec.scenario), axes: columns, ...rest, seconds, bytes: disk };
}

/** Result of a sweep; with a queue, including quarantined workers. */
type QueueSweepResult = SweepResult & { readonly quarantined?: readonly string[] };

/** Hints for an interrupted sweep. */
const RESUME_HINT = 'continue: add --resume to the same command';
const QUEUE_RESUME_HINT = 'continue: run the same command again, or replace --queue by --resume';

/** Maximum number of listed damaged parts. */
const MAX_NAMED_PARTS = 3;

/** `2 damaged or missing parts, computed again: table/part-00000.parquet, ...` */
function createRepairFacts(files: readonly string[]): [string, string][] {
  if (files.length === 0) return [];
  const parts = files.length === 1 ? 'part' : 'parts';
  const named = [...files.slice(0, MAX_NAMED_PARTS), ...(files.length > MAX_NAMED_PARTS ? ['...'] : [])].join(', ');
  return [['repaired', `${formatGrouped(files.length)} damaged or missing ${parts}, computed again: ${named}`]];
}

/** Formats the result of a sweep. */
export function formatSweepSheet(
  { folder, manifest, repaired, done, cells, before, complete, elapsedSeconds, quarantined }: QueueSweepResult,
  look: TerminalStyle,
) {
  const played = done - before;
  const { digest, rows, parts = [], sweep } = manifest;
  const rate = elapsedSeconds > 0 ? `, ${formatSignificant(played / elapsedSeconds, 3)} cells/s` : '';
  const size = parts.reduce((sum, part) => sum + part.bytes, 0);
  const title = [
    look.paint.bold(sanitizeLine(sweep.name ?? folder)),
    `${formatGrouped(done)} of ${formatGrouped(cells)} cells`,
  ];
  const new_ = before === 0 ? '' : ` (${formatGrouped(before)} already done)`;
  const lines: [string, string][] = [
    [
      'computed',
      played === 0
        ? complete
          ? 'nothing: all cells were complete'
          : 'nothing yet'
        : `${formatGrouped(played)} cells in ${formatDuration(elapsedSeconds)}${rate}${new_}`,
    ],
    ...createRepairFacts(repaired),
    ...(complete
      ? ([
          [
            'results',
            `${sanitizeLine(folder)}/table, ${formatGrouped(rows ?? 0)} rows; ${formatBytes(size)} in ${formatGrouped(parts.length)} parts`,
          ],
          ['digest', digest ?? ''],
        ] as [string, string][])
      : []),
  ];
  const goesOn = quarantined === undefined ? RESUME_HINT : QUEUE_RESUME_HINT;
  const next = complete ? `warpool report ${sanitizeLine(folder)}` : goesOn;
  return `${title.join(look.paint.dim(' · '))}\n\n${formatFacts(lines, look)}\n\n${look.paint.dim(next)}\n`;
}

export function createSweepJson(result: QueueSweepResult) {
  const { repaired, done, cells, before, complete, elapsedSeconds, quarantined } = result;
  const { digest = null, rows = null } = result.manifest;
  return {
    ...createStoreHeader(result),
    cells,
    done,
    doneBefore: before,
    ...(repaired.length > 0 && { repaired }),
    complete,
    rows,
    digest,
    ...(quarantined && { quarantined }),
    elapsedSeconds,
  };
}
