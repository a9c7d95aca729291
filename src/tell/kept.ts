/** What `run --out`, `run --prepare`, `run --shard` and merging a run print. */
import { rulesOf } from '../answers/index.ts';
import { version } from '../core/index.ts';
import type { KeptResult, KeptRun, MergedRun, Range, RunShardResult } from '../work/node.ts';
import { head, type Label } from './json.ts';
import { clean } from './text/clean.ts';
import { duration, grouped, significant } from './text/digits.ts';
import { dotted, flowed, type Look, said } from './text/table.ts';
import { faultLine, firstLines } from './verify.ts';

/** Ranges, parts and faults that are told. */
const TOLD = 10;

const headed = (label: Label, { manifest }: KeptRun) => head(label, manifest.scenario, manifest.scenarioHash);

/** What all of them say of the run. */
function ofRun({ folder, manifest, parts }: KeptRun) {
  const { seed, from, to, rangeSize, complete, digest = null } = manifest;
  return { folder, seed, from, to, rangeSize, parts, complete, digest };
}

/** What `run --json` says besides with --out. */
export function keptJson({ folder, parts, before }: KeptResult) {
  return { folder, parts, before };
}

export function runPreparedJson(prepared: KeptRun, label: Label) {
  return { ...headed(label, prepared), ...ofRun(prepared) };
}

export function runShardJson(result: RunShardResult, label: Label) {
  const { shard, ranges, done, before, battles, seconds, complete } = result;
  const { complete: _whole, digest: _digest, ...run } = ofRun(result);
  const played = { ranges, done, before, battles, complete, elapsedSeconds: seconds };
  return { ...headed(label, result), ...run, shard, ...played };
}

export function mergedRunJson(merged: MergedRun) {
  const { manifest, added, missing, disagreeing, damaged, result } = merged;
  const { scenario, scenarioHash } = manifest;
  const sheet = { ...rulesOf(scenario), ruleset: manifest.ruleset, scenario: scenarioHash };
  const told = { added, missing, disagreeing, damaged };
  return { warpool: version(), ...sheet, ...ofRun(merged), ...told, ...(result && { result: result.toJSON() }) };
}

function titled(name: string, facts: readonly string[], look: Look): string[] {
  return dotted([look.paint.bold(clean(name)), ...facts], look);
}

const battlesIn = ({ from, to }: Range): string => `${grouped(to - from)} battles`;

export function runPreparedSheet(prepared: KeptRun, title: string, look: Look): string {
  const { folder, manifest, parts } = prepared;
  const { seed, rangeSize, complete, precision } = manifest;
  const most = precision === undefined ? '' : 'at most ';
  const lines = [
    ...titled(title, [`${most}${battlesIn(manifest)}`, `seed ${seed}`], look),
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
  const rate = seconds > 0 ? `, ${significant(battles / seconds, 3)} battles/s` : '';
  const played = battles === 0 ? '' : `; ${grouped(battles)} battles in ${duration(seconds)}${rate}`;
  const there = before === 0 ? '' : ` (${grouped(before)} were there)`;
  const next = complete
    ? 'When all shards are there, the same command with --resume in the place of --shard tells the result.'
    : 'The same command goes on.';
  const lines = [
    ...titled(title, [battlesIn(manifest), `seed ${manifest.seed}`, `shard ${shard.index}/${shard.of}`], look),
    '',
    ...flowed(`${clean(folder)}: ${grouped(done)} of ${grouped(ranges)} parts${there}${played}`, look),
    ...said(next, look),
  ];
  return `${lines.join('\n')}\n`;
}

const told = (lines: readonly string[]): string[] => firstLines(lines, TOLD);

/** What came of a merge, but for the result of the run. */
export function mergedRunSheet(merged: MergedRun, look: Look): string {
  const { folder, manifest, parts, added, missing, disagreeing, damaged, result } = merged;
  const { paint } = look;
  const verdict = result === undefined ? paint.red('not finished') : paint.green('all is there');
  const lines = [
    ...titled(folder, [verdict], look),
    '',
    ...flowed(`${grouped(parts)} parts, ${grouped(added)} of them from other folders`, look),
    ...told(damaged.map((fault) => faultLine(fault, paint))),
    ...told(
      disagreeing.map(({ file, from, to, digests }) => {
        const each = digests.map((one) => `${clean(one.folder)} ${one.digest.slice(0, 12)}`).join(', ');
        const replay = `run --seed ${manifest.seed} --from ${String(from)} --battles ${String(to - from)}`;
        return `${paint.red('✗')} ${file}: ${each}; the digest of "${replay}" tells which is right`;
      }),
    ),
    ...told(missing.map(({ from, to }) => `battles ${grouped(from)}..${grouped(to - 1)} are missing`)),
    ...(result === undefined ? [] : [paint.dim(`digest ${result.digest}`)]),
  ];
  return `${lines.join('\n')}\n`;
}
