/** Output of `run --out`, `run --prepare` and `run --shard`. */
import type { ResumableRun, RunShardResult, StoredSimulationResult } from '../../storage/node.ts';
import { createScenarioHeader, type ScenarioLabel } from '../json.ts';
import { formatDuration, formatGrouped, formatSignificant } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import { formatDimSentence, joinFacts, type TerminalStyle, wrapSentence } from '../text/table.ts';

const createRunHeader = (label: ScenarioLabel, { manifest }: ResumableRun) =>
  createScenarioHeader(label, manifest.sweep.scenario, manifest.scenarioHash);

/** Creates the part of the JSON that all three commands share. */
function createFolderJson({ folder, manifest, from, to, parts }: ResumableRun) {
  const { seed, rangeSize = 0 } = manifest.sweep;
  return { folder, seed: String(seed), from, to, rangeSize, parts };
}

/** Creates the part of the JSON of `run` that --out adds. */
export function createResumableRunJson({ folder, parts, battlesBefore }: StoredSimulationResult['store']) {
  return { folder, parts, battlesBefore };
}

export function createPreparedRunJson(prepared: ResumableRun, label: ScenarioLabel) {
  const { manifest, digest = null } = prepared;
  return { ...createRunHeader(label, prepared), ...createFolderJson(prepared), complete: manifest.complete, digest };
}

export function createRunShardJson(result: RunShardResult, label: ScenarioLabel) {
  const { shard, ranges, done, doneBefore, battles, seconds, complete } = result;
  const played = { ranges, done, doneBefore, battles, complete, elapsedSeconds: seconds };
  return { ...createRunHeader(label, result), ...createFolderJson(result), shard, ...played };
}

function formatTitle(name: string, facts: readonly string[], look: TerminalStyle): string[] {
  return joinFacts([look.paint.bold(sanitizeLine(name)), ...facts], look);
}

const formatBattleCount = ({ from, to }: ResumableRun): string => `${formatGrouped(to - from)} battles`;

export function formatPreparedRunSheet(prepared: ResumableRun, title: string, look: TerminalStyle): string {
  const { folder, manifest, parts } = prepared;
  const { complete, sweep } = manifest;
  const { seed, rangeSize = 0, precision } = sweep;
  const most = precision === undefined ? '' : 'at most ';
  const lines = [
    ...formatTitle(title, [`${most}${formatBattleCount(prepared)}`, `seed ${String(seed)}`], look),
    '',
    ...wrapSentence(
      `${sanitizeLine(folder)}: ${most}${formatGrouped(parts)} parts of ${formatGrouped(rangeSize)} battles`,
      look,
    ),
    ...formatDimSentence(
      complete
        ? 'All parts are complete.'
        : 'Replace --prepare by --shard i/n to simulate one shard, or by --resume to simulate all parts.',
      look,
    ),
  ];
  return `${lines.join('\n')}\n`;
}

export function formatRunShardSheet(result: RunShardResult, title: string, look: TerminalStyle): string {
  const { folder, manifest, shard, ranges, done, doneBefore, battles, seconds, complete } = result;
  const { seed } = manifest.sweep;
  const rate = seconds > 0 ? `, ${formatSignificant(battles / seconds, 3)} battles/s` : '';
  const played = battles === 0 ? '' : `; ${formatGrouped(battles)} battles in ${formatDuration(seconds)}${rate}`;
  const there = doneBefore === 0 ? '' : ` (${formatGrouped(doneBefore)} already done)`;
  const next = complete
    ? 'When all shards are complete, replace --shard by --resume to print the result.'
    : 'Run the same command again to continue.';
  const lines = [
    ...formatTitle(
      title,
      [formatBattleCount(result), `seed ${String(seed)}`, `shard ${shard.index}/${shard.of}`],
      look,
    ),
    '',
    ...wrapSentence(
      `${sanitizeLine(folder)}: ${formatGrouped(done)} of ${formatGrouped(ranges)} parts${there}${played}`,
      look,
    ),
    ...formatDimSentence(next, look),
  ];
  return `${lines.join('\n')}\n`;
}
