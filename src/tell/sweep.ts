/** What `sweep` prints. */
import { rulesOf } from '../answers/index.ts';
import { version } from '../core/index.ts';
import type { Column, Sweep, SweepSpec } from '../work/index.ts';
import type { Estimate, SweepResult } from '../work/node.ts';
import { pricesText } from './costs.ts';
import { storeHead } from './shards.ts';
import { clean } from './text/clean.ts';
import { duration, grouped, significant, threadsText } from './text/digits.ts';
import { type Look, wrapped } from './text/table.ts';

/** `1.3 MB` */
function bytes(count: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB'];
  let [value, unit] = [count, 0];
  for (; value >= 1000 && unit < units.length - 1; unit++) value /= 1000;
  return `${significant(value, 3)} ${units[unit] ?? ''}`;
}

/** `attacker.hp (31 values)` */
function axisText({ name, labels, range }: Column): string {
  const size = labels === undefined ? (range ?? []).map(String).join('..') : `${grouped(labels.length)} values`;
  return `${clean(name)} (${size})`;
}

function designText({ design }: SweepSpec, points: number): string {
  const kind = design === 'grid' ? 'grid' : design.kind;
  return `${kind} of ${grouped(points)} points`;
}

function cellText({ battles, precision, precisionOf = 'outcomes', exact }: SweepSpec, each: number): string {
  const solved = { auto: ', solved where that is cheap', always: ', solved exactly', never: '' }[exact];
  if (precision !== undefined) {
    const most = battles === undefined ? '' : `, at most ${grouped(battles)} battles`;
    return `played until ${clean(precisionOf)} are within ±${clean(String(precision))}${most}${solved}`;
  }
  return each === 0 ? 'solved exactly, not played' : `${grouped(each)} battles each${solved}`;
}

function facts(lines: readonly (readonly [name: string, text: string])[], { paint, width }: Look): string {
  const indent = Math.max(...lines.map(([name]) => name.length)) + 2;
  const fact = ([name, text]: readonly [name: string, text: string]): string =>
    paint.dim(name.padEnd(indent)) + wrapped(text, indent, width).join('\n').trimStart();
  return lines.map(fact).join('\n');
}

function shared({ spec, columns, points, battles }: Sweep): [string, string][] {
  const set = columns.filter(({ prices }) => prices === undefined);
  const priced = columns.flatMap(({ paths, prices }) => (prices === undefined ? [] : [pricesText({ paths, prices })]));
  return [
    ['design', designText(spec, points)],
    ['axes', set.map(axisText).join(', ')],
    ...(priced.length === 0 ? [] : [['prices', priced.join(', ')] as [string, string]]),
    ...(spec.where === undefined ? [] : [['where', clean(spec.where)] as [string, string]]),
    ['cells', cellText(spec, battles)],
  ];
}

/** How a sweep is cut, and the part of it that a shard has. */
function cutText({ segments, segmentSize, cells, shard }: Estimate): [string, string][] {
  const most = `${grouped(segments)} of up to ${grouped(segmentSize)} points: at most so many shards have cells`;
  if (shard === undefined) return [['segments', most]];
  const share = cells === 0 ? 0 : (100 * shard.cells) / cells;
  const own = `${grouped(shard.cells)} cells (${significant(share, 3)} %) in ${grouped(shard.segments)} segments`;
  return [
    ['segments', most],
    [`shard ${String(shard.index)}/${String(shard.of)}`, `${own}; time and disk are those of this shard`],
  ];
}

/** What a sweep, or a shard of it, will take. */
export function estimateSheet(estimate: Estimate, sweep: Sweep, look: Look): string {
  const { cells, points, checked, tried, seconds, workers, bytes: disk } = estimate;
  const left = points === cells ? '' : `, ${grouped(points - cells)} points left out`;
  const time = seconds === undefined ? 'none' : `about ${duration(Math.max(0.1, seconds))} on ${threadsText(workers)}`;
  const title = look.paint.bold(`${grouped(cells)} cells`) + left;
  const lines: [string, string][] = [
    ...shared(sweep),
    ...cutText(estimate),
    ['time', time],
    ['disk', disk === undefined ? 'none' : `about ${bytes(disk)}`],
    ['tried', `${grouped(tried)} cells; the scenarios of ${grouped(checked)} cells were checked`],
  ];
  return `${title}\n\n${facts(lines, look)}\n`;
}

export function estimateJson(estimate: Estimate, { spec, columns }: Sweep) {
  const { seconds = null, bytes: disk = null, ...rest } = estimate;
  return { warpool: version(), ...rulesOf(spec.scenario), axes: columns, ...rest, seconds, bytes: disk };
}

/** Over a queue, workers that were set aside. */
type RemoteResult = SweepResult & { readonly aside?: readonly string[] };

/** How a sweep that was stopped goes on. */
const RESUME = 'the same command with --resume goes on';
const RESUME_ON = 'the same command goes on; or, without --on, with --resume';

/** Parts that are named where some were damaged. */
const NAMED = 3;

/** `2 damaged or missing parts, played again: table/part-00000.parquet, ...` */
function mendedLine(files: readonly string[]): [string, string][] {
  if (files.length === 0) return [];
  const parts = files.length === 1 ? 'part' : 'parts';
  const named = [...files.slice(0, NAMED), ...(files.length > NAMED ? ['...'] : [])].join(', ');
  return [['mended', `${grouped(files.length)} damaged or missing ${parts}, played again: ${named}`]];
}

/** What came of a sweep. */
export function sweepSheet(
  { folder, manifest, mended, done, cells, before, complete, elapsedSeconds, aside }: RemoteResult,
  look: Look,
) {
  const played = done - before;
  const { digest, rows, parts = [], sweep } = manifest;
  const rate = elapsedSeconds > 0 ? `, ${significant(played / elapsedSeconds, 3)} cells/s` : '';
  const size = parts.reduce((sum, part) => sum + part.bytes, 0);
  const title = [look.paint.bold(clean(sweep.name ?? folder)), `${grouped(done)} of ${grouped(cells)} cells`];
  const new_ = before === 0 ? '' : ` (${grouped(before)} were there)`;
  const lines: [string, string][] = [
    [
      'played',
      played === 0
        ? complete
          ? 'nothing: all was there'
          : 'nothing yet'
        : `${grouped(played)} cells in ${duration(elapsedSeconds)}${rate}${new_}`,
    ],
    ...mendedLine(mended),
    ...(complete
      ? ([
          [
            'results',
            `${clean(folder)}/table, ${grouped(rows ?? 0)} rows; ${bytes(size)} in ${grouped(parts.length)} parts`,
          ],
          ['digest', digest ?? ''],
        ] as [string, string][])
      : []),
  ];
  const goesOn = aside === undefined ? RESUME : RESUME_ON;
  const next = complete ? `warpool report ${clean(folder)}` : goesOn;
  return `${title.join(look.paint.dim(' · '))}\n\n${facts(lines, look)}\n\n${look.paint.dim(next)}\n`;
}

export function sweepJson(result: RemoteResult) {
  const { mended, done, cells, before, complete, elapsedSeconds, aside } = result;
  const { digest = null, rows = null } = result.manifest;
  return {
    ...storeHead(result),
    cells,
    done,
    before,
    ...(mended.length > 0 && { mended }),
    complete,
    rows,
    digest,
    ...(aside && { aside }),
    elapsedSeconds,
  };
}
