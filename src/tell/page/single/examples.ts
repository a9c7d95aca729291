/** Three battles of a run in its page: why these, and what happened in them. */

import { valueCounts } from '../../../answers/tally.ts';
import type { SimulationResult } from '../../../studies/simulate.ts';
import { commonest, middlesOf, quantileOf, type Rarity } from '../../examples/choose.ts';
import { type Example, type Examples, type Kind, LOOKED } from '../../examples/examples.ts';
import { inPercent, percent } from '../../figure.ts';
import { cleanText } from '../../text/clean.ts';
import { exactly, grouped, plain, significant } from '../../text/digits.ts';
import { type Markup, markup, table } from '../markup.ts';
import { commandOf, paragraphs } from './parts.ts';
import { taleOf } from './tale.ts';
import { phraseOf } from './words.ts';

interface Told {
  readonly result: SimulationResult;
  readonly examples: Examples;
  /** Whether the exact law is known. */
  readonly exact: boolean;
  /** The command that tells a battle. */
  readonly replay: (battle: number) => string;
}

const TITLES: Readonly<Record<Kind, string>> = {
  typical: 'typical',
  closest: 'closest',
  strangest: 'strangest',
};

/** `Typical and closest: battle 17` */
function titleOf({ kinds, battle }: Example): string {
  const names = kinds.map((kind) => TITLES[kind]);
  const last = names.pop() ?? '';
  const joined = names.length === 0 ? last : `${names.join(', ')} and ${last}`;
  return `${joined.charAt(0).toUpperCase()}${joined.slice(1)}: battle ${grouped(battle)}`;
}

/** Half of the battles are not few. */
const HALF = 0.5;

function shareText(share: number): string {
  return percent(exactly, share, share < 0.001 ? 4 : 2);
}

/** `with hp.attacker 30 or more`; nothing if the outcome alone is rare. */
function endText({ metric }: Rarity, { result: { shape } }: Told): string {
  if (metric === undefined) return '';
  const { name = '', unit = 1 } = shape.metrics[metric.index] ?? {};
  return ` with ${cleanText(name)} ${plain(metric.value * unit)} or ${metric.end === 'most' ? 'more' : 'less'}`;
}

function reasonOf(kind: Kind, example: Example, told: Told): string {
  const { result, examples, exact } = told;
  const outcome = cleanText(result.shape.outcomes[example.outcome] ?? '');
  if (kind === 'typical') return `It ends as most battles do, “${outcome}”, with metrics near their medians.`;
  if (kind === 'strangest') {
    const rarity = examples.rarityOf(example);
    if (rarity.share === 1) return 'No battle ends otherwise.';
    const known = exact ? 'of all battles, by the exact law,' : 'of the battles of the run';
    return `${rarity.share < HALF ? 'Only ' : ''}${shareText(rarity.share)} ${known} end “${outcome}”${endText(rarity, told)}.`;
  }
  const { figure = 0, player = '', lead = 0 } = examples.closenessOf(example) ?? {};
  if (examples.by === 'margin') return `It was decided by a margin of ${plain(figure)}.`;
  const gap = `${inPercent(significant, figure, 3)} points ${lead < 0 ? 'less' : 'more'}`;
  return `Of what it began with, ${cleanText(player)} had ${gap} left than the other side of its own.`;
}

/** The metrics of a battle beside those of the run; those that never vary are left out. */
function metricsOf(example: Example, { result: { shape, tally } }: Told): Markup {
  const middles = middlesOf(shape, tally, example.outcome);
  const so = `median, “${cleanText(shape.outcomes[example.outcome] ?? '')}”`;
  const heads = ['metric', 'this battle', so, 'median of all'].map((head, c) => ({
    head,
    number: c > 0,
    wide: c === 0,
  }));
  const rows = shape.metrics.flatMap(({ name, unit = 1 }, m) => {
    const counts = valueCounts(tally, m);
    const shown = (value: number | undefined): string => (value === undefined ? '' : plain(value * unit));
    if (counts.length < 2) return [];
    return [[cleanText(name), shown(example.metrics[m]), shown(middles[m]?.median), shown(quantileOf(counts, 0.5))]];
  });
  return rows.length === 0 ? markup`` : markup`<details><summary>Metrics</summary>${table(heads, rows)}</details>`;
}

function exampleOf(example: Example, told: Told): Markup {
  const { result, replay } = told;
  const phrase = phraseOf(result.shape.outcomes[example.outcome] ?? '');
  return markup`<article id="battle-${example.battle}"><h3>${titleOf(example)}</h3>
<p><b>${phrase.charAt(0).toUpperCase()}${phrase.slice(1)}.</b> ${example.kinds.map((kind) => reasonOf(kind, example, told)).join(' ')}</p>
${metricsOf(example, told)}
${taleOf(result.scenario, result.seed, example.battle)}
${commandOf(replay(example.battle))}</article>`;
}

/** What the examples are, exactly. */
function definitions({ result, examples, exact }: Told): string[] {
  const { shape, tally, from, to } = result;
  const looked = examples.battles.length;
  const which =
    looked === to - from ? `all ${grouped(looked)} battles` : `the first ${grouped(LOOKED)} battles of the run`;
  const common = cleanText(shape.outcomes[commonest(tally)] ?? '');
  const measures = {
    margin: 'closest: the battle with the least absolute value of the metric margin.',
    strength:
      'closest: of the battles that somebody won, the one with the least lead of the winner: what is left of its side, as a share of what it began with, less that of the others, in percentage points. Where nobody won any of them, the lead of whoever is ahead counts.',
    none: 'closest: left out, for this system has no measure of how close a battle was.',
  };
  return [
    `They are chosen among ${which}; of several that are equal, the one with the least index.`,
    `typical: of the battles that end ${common}, the outcome of most battles of the run, the one whose metrics are nearest to their medians given that outcome: the sum over the metrics of the distance from the median, each divided by its mean distance in the run.`,
    measures[examples.by ?? 'none'],
    `strangest: the battle whose ending is least probable: for each metric the share of ${exact ? 'battles, by the exact law,' : 'battles of the run'} that end with the same outcome and a value at least as great, or at least as small; the least of these shares counts.`,
  ];
}

/** The section of the examples. */
export function examplesOf(told: Told): Markup {
  return markup`<section id="battles"><h2>Battles told</h2>
<div class="tales">${told.examples.told.map((example) => exampleOf(example, told))}</div>
${paragraphs(definitions(told), 'note')}</section>`;
}
