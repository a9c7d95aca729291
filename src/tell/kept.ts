/** What `run --out`, `run --prepare` and `run --shard` print. */
import type { KeptResult, KeptRun, RunShardResult } from '../work/node.ts';
import { head, type Label } from './json.ts';
import { clean } from './text/clean.ts';
import { duration, grouped, significant } from './text/digits.ts';
import { dotted, flowed, type Look, said } from './text/table.ts';

const headed = (label: Label, { manifest }: KeptRun) => head(label, manifest.sweep.scenario, manifest.scenarioHash);

/** What all of them say of the run. */
function ofRun({ folder, manifest, from, to, parts }: KeptRun) {
  const { seed, rangeSize = 0 } = manifest.sweep;
  return { folder, seed: String(seed), from, to, rangeSize, parts };
}

/** What `run --json` says besides with --out. */
export function keptJson({ folder, parts, before }: KeptResult) {
  return { folder, parts, before };
}

export function runPreparedJson(prepared: KeptRun, label: Label) {
  const { manifest, digest = null } = prepared;
  return { ...headed(label, prepared), ...ofRun(prepared), complete: manifest.complete, digest };
}

export function runShardJson(result: RunShardResult, label: Label) {
  const { shard, ranges, done, before, battles, seconds, complete } = result;
  const played = { ranges, done, before, battles, complete, elapsedSeconds: seconds };
  return { ...headed(label, result), ...ofRun(result), shard, ...played };
}

function titled(name: string, facts: readonly string[], look: Look): string[] {
  return dotted([look.paint.bold(clean(name)), ...facts], look);
}

const battlesIn = ({ from, to }: KeptRun): string => `${grouped(to - from)} battles`;

export function runPreparedSheet(prepared: KeptRun, title: string, look: Look): string {
  const { folder, manifest, parts } = prepared;
  const { complete, sweep } = manifest;
  const { seed, rangeSize = 0, precision } = sweep;
  const most = precision === undefined ? '' : 'at most ';
  const lines = [
    ...titled(title, [`${most}${battlesIn(prepared)}`, `seed ${String(seed)}`], look),
    '',
    ...flowed(`${clean(folder)}: ${most}${grouped(parts)} parts of ${grouped(rangeSize)} battles`, look),
    ...said(
      complete
        ? 'All of them are there.'
        : 'The same command with --shard i/n in the place of --prepare plays a share of them, with --resume all.',
      look,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

export function runShardSheet(result: RunShardResult, title: string, look: Look): string {
  const { folder, manifest, shard, ranges, done, before, battles, seconds, complete } = result;
  const { seed } = manifest.sweep;
  const rate = seconds > 0 ? `, ${significant(battles / seconds, 3)} battles/s` : '';
  const played = battles === 0 ? '' : `; ${grouped(battles)} battles in ${duration(seconds)}${rate}`;
  const there = before === 0 ? '' : ` (${grouped(before)} were there)`;
  const next = complete
    ? 'When all shards are there, the same command with --resume in the place of --shard tells the result.'
    : 'The same command goes on.';
  const lines = [
    ...titled(title, [battlesIn(result), `seed ${String(seed)}`, `shard ${shard.index}/${shard.of}`], look),
    '',
    ...flowed(`${clean(folder)}: ${grouped(done)} of ${grouped(ranges)} parts${there}${played}`, look),
    ...said(next, look),
  ];
  return `${lines.join('\n')}\n`;
}
