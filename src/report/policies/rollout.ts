/** Report of `rollout`: outcomes of episodes, returns of agents, and numbers of decisions. */
import type { EpisodesResult, VariantResult, VectorEnv } from '../../environments/index.ts';
import { getBattleCount, type Interval, RULESET, summarizeBattles } from '../../stats/index.ts';
import { createMetricTable, createOutcomeTable } from '../run/estimate-tables.ts';
import { countDecimals, formatInterval, MEAN } from '../sheet/estimated-value.ts';
import { bold, createTable, type DeclaredColumn, formatBlocks, joinBlocks } from '../sheet/sheet.ts';
import { formatDuration, formatFixed, formatGrouped, formatSignificant } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import { joinFacts, type TerminalStyle } from '../text/table.ts';

/** Names of the scenarios, and elapsed seconds. */
export interface RolloutLabel {
  readonly names: readonly string[];
  readonly seconds: number;
}

function formatVariant({ shape, counts }: VariantResult, look: TerminalStyle): string[] {
  const battles = getBattleCount(counts);
  if (battles === 0) return ['no complete battles'];
  const summary = summarizeBattles(shape, counts);
  const parts = [createOutcomeTable(summary, battles, undefined), createMetricTable(summary, battles, undefined)];
  return parts.flatMap((table, t) => [...(t > 0 ? [''] : []), ...formatBlocks(table, look)]);
}

interface ReturnRow {
  readonly agent: string;
  readonly mean: number;
  readonly ci95: Interval | undefined;
  readonly episodes: number;
}

/** Columns of the returns of agents. */
export const RETURN_COLUMNS: readonly DeclaredColumn<ReturnRow>[] = [
  { head: 'agent', align: 'left', about: 'player of an environment', cell: ({ agent }) => sanitizeLine(agent) },
  {
    head: 'mean return',
    align: 'point',
    about: 'mean sum of rewards in an episode',
    cell: ({ mean, ci95 }) =>
      bold(formatFixed(mean, Math.max(4, countDecimals({ value: mean, interval: ci95 }, MEAN, 4)))),
  },
  {
    head: 'return, 95 % interval',
    about: 'confidence interval of the mean return, including unobserved values',
    cell: ({ mean, ci95 }) => formatInterval(MEAN, { value: mean, interval: ci95 }),
  },
  { head: 'episodes', about: 'episodes in all environments', cell: ({ episodes }) => formatGrouped(episodes) },
];

function formatReturnTable(
  env: VectorEnv,
  { returns, returnsCi95, episodes }: EpisodesResult,
  look: TerminalStyle,
): string[] {
  const rows = env.agents.map((agent, a): ReturnRow => {
    return { agent, mean: returns[a] ?? 0, ci95: returnsCi95[a], episodes: episodes * env.numEnvs };
  });
  return rows.length === 0 ? [] : formatBlocks([createTable(RETURN_COLUMNS, rows)], look);
}

/** Formats the report of a rollout. */
export function formatRolloutSheet(
  env: VectorEnv,
  result: EpisodesResult,
  label: RolloutLabel,
  look: TerminalStyle,
): string {
  const { paint } = look;
  const { steps, episodes, truncated, variants, policy, seed } = result;
  const all = episodes * env.numEnvs;
  const facts = [
    `${formatGrouped(env.numEnvs)} environments`,
    `${formatGrouped(episodes)} episode${episodes === 1 ? '' : 's'} each`,
    `policy ${policy}`,
    ...(env.decisions.length < env.decisionPoints.length ? [`decisions ${env.decisions.join(', ')}`] : []),
    `seed ${seed}`,
  ];
  const blocks = variants.map((variant, v) => {
    const battles = formatGrouped(getBattleCount(variant.counts));
    const title = [paint.bold(sanitizeLine(label.names[v] ?? '')), variant.scenario.system, `${battles} battles`];
    return [...joinFacts(title, look), '', ...formatVariant(variant, look)];
  });
  const footer = [
    `ruleset ${RULESET}`,
    `${formatGrouped(steps)} steps`,
    `${formatSignificant(steps / Math.max(1, all), 3)} per episode`,
    formatDuration(label.seconds),
  ];
  const end = [
    ...(truncated > 0 ? [`${formatGrouped(truncated)} episodes truncated`] : []),
    ...(result.digest === undefined ? [] : [paint.dim(`digest ${result.digest}`)]),
    ...joinFacts(footer, look).map(paint.dim),
  ];
  return joinBlocks([joinFacts(facts, look), ...blocks, formatReturnTable(env, result, look), end]);
}

/** Creates the JSON of `rollout`. Its shape is stable: new versions may only add keys. */
export function createRolloutJson(result: EpisodesResult, label: RolloutLabel) {
  const { scenarios, ...rest } = result.toJSON();
  return {
    ...rest,
    elapsedSeconds: label.seconds,
    scenarios: scenarios.map((scenario, v) => ({ ...scenario, name: label.names[v] ?? '' })),
  };
}
