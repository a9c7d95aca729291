/** What `rollout` prints: how episodes ended, what agents earned, how many decisions it took. */
import type { PlayedEpisodes, PlayedVariant, VectorEnv } from '../agents/index.ts';
import { battlesIn, type Interval, RULESET, summarise } from '../answers/index.ts';
import { metricTable, outcomeTable } from './estimates.ts';
import { decimalsOf, intervalText, MEAN } from './figure.ts';
import { bold, type DeclaredColumn, grid, linesOf, sheetText } from './parts.ts';
import { clean } from './text/clean.ts';
import { duration, fixed, grouped, significant } from './text/digits.ts';
import { dotted, type Look } from './text/table.ts';

/** What belongs to the result but not to the episodes: names of scenarios, and seconds. */
export interface RolloutLabel {
  readonly names: readonly string[];
  readonly seconds: number;
}

function variantLines({ shape, tally }: PlayedVariant, look: Look): string[] {
  const battles = battlesIn(tally);
  if (battles === 0) return ['no battle came to its end'];
  const summary = summarise(shape, tally);
  const parts = [outcomeTable(summary, battles, undefined), metricTable(summary, battles, undefined)];
  return parts.flatMap((table, t) => [...(t > 0 ? [''] : []), ...linesOf(table, look)]);
}

interface ReturnRow {
  readonly agent: string;
  readonly mean: number;
  readonly ci95: Interval | undefined;
  readonly episodes: number;
}

/** What agents earned. */
export const RETURN_COLUMNS: readonly DeclaredColumn<ReturnRow>[] = [
  { head: 'agent', align: 'left', about: 'who decides in an environment', cell: ({ agent }) => clean(agent) },
  {
    head: 'mean return',
    align: 'point',
    about: 'the mean sum of rewards in an episode',
    cell: ({ mean, ci95 }) => bold(fixed(mean, Math.max(4, decimalsOf({ value: mean, interval: ci95 }, MEAN, 4)))),
  },
  {
    head: '95 % interval of it',
    about: 'confidence interval of the mean return, which counts what never came',
    cell: ({ mean, ci95 }) => intervalText(MEAN, { value: mean, interval: ci95 }),
  },
  { head: 'episodes', about: 'episodes of all environments', cell: ({ episodes }) => grouped(episodes) },
];

function returnTable(env: VectorEnv, { returns, returnsCi95, episodes }: PlayedEpisodes, look: Look): string[] {
  const rows = env.agents.map((agent, a): ReturnRow => {
    return { agent, mean: returns[a] ?? 0, ci95: returnsCi95[a], episodes: episodes * env.numEnvs };
  });
  return rows.length === 0 ? [] : linesOf([grid(RETURN_COLUMNS, rows)], look);
}

/** The sheet of a rollout. */
export function rolloutSheet(env: VectorEnv, played: PlayedEpisodes, label: RolloutLabel, look: Look): string {
  const { paint } = look;
  const { steps, episodes, truncated, variants, policy, seed } = played;
  const all = episodes * env.numEnvs;
  const facts = [
    `${grouped(env.numEnvs)} environments`,
    `${grouped(episodes)} episode${episodes === 1 ? '' : 's'} each`,
    `policy ${policy}`,
    ...(env.asked.length < env.points.length ? [`asked at ${env.asked.join(', ')}`] : []),
    `seed ${seed}`,
  ];
  const blocks = variants.map((variant, v) => {
    const battles = grouped(battlesIn(variant.tally));
    const title = [paint.bold(clean(label.names[v] ?? '')), variant.scenario.system, `${battles} battles`];
    return [...dotted(title, look), '', ...variantLines(variant, look)];
  });
  const footer = [
    `ruleset ${RULESET}`,
    `${grouped(steps)} steps`,
    `${significant(steps / Math.max(1, all), 3)} an episode`,
    duration(label.seconds),
  ];
  const end = [
    ...(truncated > 0 ? [`${grouped(truncated)} episodes were cut short`] : []),
    ...(played.digest === undefined ? [] : [paint.dim(`digest ${played.digest}`)]),
    ...dotted(footer, look).map(paint.dim),
  ];
  return sheetText([dotted(facts, look), ...blocks, returnTable(env, played, look), end]);
}

/** The result of `rollout --json`: the shape is a contract; only additional keys may come. */
export function rolloutJson(played: PlayedEpisodes, label: RolloutLabel) {
  const { scenarios, ...rest } = played.toJSON();
  return {
    ...rest,
    elapsedSeconds: label.seconds,
    scenarios: scenarios.map((scenario, v) => ({ ...scenario, name: label.names[v] ?? '' })),
  };
}
