/** Battles in a page, event by event: those of a run that stand for others, or one in two scenarios. */
import { valueCounts } from '../../../answers/index.ts';
import { opened, type Scenario } from '../../../rules/index.ts';
import { replay, type SimulationResult } from '../../../studies/index.ts';
import { middlesOf, quantileOf, type Seen } from '../../examples/choose.ts';
import type { Example, Examples, Kind } from '../../examples/examples.ts';
import { inPercent, percent } from '../../figure.ts';
import { clauseOf } from '../../odds/names.ts';
import { type DeclaredColumn, grid } from '../../parts.ts';
import { type ShownSide, sideNamed, sidesOf } from '../../sides.ts';
import { type Passage, passagesOf } from '../../story.ts';
import { cleanText } from '../../text/clean.ts';
import { exactly, grouped, plain, significant } from '../../text/digits.ts';
import { PLAIN } from '../../text/look.ts';
import { sentence } from '../../text/sentence.ts';
import { Markup, markOf, markup } from '../markup.ts';
import type { Section } from '../shell.ts';
import { commandOf, detailsOf, paragraphs, sectionOf, sheetOf } from './answer.ts';

/** Events of a battle that are shown: about 200 rounds of two sides. */
const EVENTS = 1500;

/** Where bold text begins and ends; cleaned texts have no such character. */
const MARK = '\u0001';

/** A text with its bold parts. */
function marked(text: string): Markup {
  const pieces = text.split(MARK).map((piece, p) => (p % 2 === 1 ? markup`<b>${piece}</b>` : markup`${piece}`));
  return new Markup(pieces.map((piece) => piece.text).join(''));
}

/** A step of a battle, with the color of the side that it is about. */
function stepOf({ opens, text, notes }: Passage, sides: readonly ShownSide[]): Markup {
  if (opens) return markup`<h4>${text}</h4>`;
  const seen = marked(notes.join('; '));
  const tone = markOf(sideNamed(text.trim(), sides)?.tone ?? 'none');
  if (text === '') return markup`<p>${tone}${seen}</p>`;
  const deep = text.startsWith(' ') ? markup` class="deep"` : markup``;
  return markup`<p${deep}>${tone}${text.trim()}${notes.length === 0 ? seen : markup` <i>[</i>${seen}<i>]</i>`}</p>`;
}

/** A battle event by event, the beginning of a long one. */
export function taleOf(scenario: Scenario, seed: string, battle: number): Markup {
  const { events } = replay(scenario, { seed, battle });
  const paint = { ...PLAIN, bold: (text: string) => MARK + text + MARK };
  const passages = passagesOf(events.slice(0, EVENTS), opened(scenario).system, paint);
  if (passages.length === 0) return paragraphs(['Nothing is rolled, decided or lost in it.'], 'note');
  const rest = events.length > EVENTS ? ['The battle goes on; the command tells all of it.'] : [];
  const sides = sidesOf(scenario);
  return markup`<div class="tale" tabindex="0">${passages.map((each) => stepOf(each, sides))}${paragraphs(rest, 'note')}</div>`;
}

/** A battle of a page. */
interface Told {
  readonly title: string;
  readonly scenario: Scenario;
  readonly seed: string;
  readonly seen: Seen;
  /** The command that shows the battle. */
  readonly replay: (battle: number) => string;
  /** Why this battle. */
  readonly why?: string;
  readonly details?: Markup;
}

export function battleOf({ title, scenario, seed, seen, why = '', details = markup``, ...told }: Told): Markup {
  const end = sentence(clauseOf(opened(scenario).model.outcomes[seen.outcome] ?? '', sidesOf(scenario)));
  return markup`<article><h3>${title}: battle ${grouped(seen.battle)}</h3>
<p><b>${end}.</b> ${why}</p>${details}
${taleOf(scenario, seed, seen.battle)}
${commandOf(told.replay(seen.battle))}</article>`;
}

/** Battles next to each other, and why they were chosen. */
export const battlesOf = (title: string, battles: readonly Markup[], why: string): Section =>
  sectionOf('battles', title, markup`<div class="tales">${battles}</div>${paragraphs([why], 'note')}`);

/** A run and its example battles. */
interface ToldRun {
  readonly result: SimulationResult;
  readonly examples: Examples;
  /** Whether the exact distribution is known. */
  readonly exact: boolean;
  readonly replay: (battle: number) => string;
}

function rarityText(example: Example, outcome: string, { result: { shape }, examples, exact }: ToldRun): string {
  const { share, metric } = examples.rarityOf(example);
  if (share === 1) return 'No battle ends otherwise.';
  const { name = '', unit = 1 } = shape.metrics[metric?.index ?? -1] ?? {};
  const end =
    metric && ` with ${cleanText(name)} ${plain(metric.value * unit)} or ${metric.end === 'most' ? 'more' : 'less'}`;
  const known = exact ? 'of all battles, by the exact law,' : 'of the battles of the run';
  return `${share < 0.5 ? 'Only ' : ''}${percent(exactly, share, share < 0.001 ? 4 : 2)} ${known} end “${outcome}”${end ?? ''}.`;
}

function closenessText(example: Example, examples: Examples): string {
  const { figure = 0, player = '', lead = 0 } = examples.closenessOf(example) ?? {};
  if (examples.by === 'margin') return `It was decided by a margin of ${plain(figure)}.`;
  const gap = `${inPercent(significant, figure, 3)} points ${lead < 0 ? 'less' : 'more'}`;
  return `Of what it began with, ${cleanText(player)} had ${gap} left than the other side of its own.`;
}

/** The metrics of a battle next to those of the run; those that never vary are left out. */
function metricsOf(example: Example, outcome: string, { result: { shape, tally } }: ToldRun): Markup {
  const middles = middlesOf(shape, tally, example.outcome);
  const of = (head: string, value: (metric: number) => number | undefined): DeclaredColumn<number> => ({
    ...{ head, about: '' },
    cell: (m) => plain((value(m) ?? Number.NaN) * (shape.metrics[m]?.unit ?? 1)),
  });
  const columns = [
    { head: 'metric', align: 'left', about: '', cell: (m) => shape.metrics[m]?.name ?? '' } as DeclaredColumn<number>,
    of('this battle', (m) => example.metrics[m]),
    of(`median, “${outcome}”`, (m) => middles[m]?.median),
    of('median of all', (m) => quantileOf(valueCounts(tally, m), 0.5)),
  ];
  const rows = [...shape.metrics.keys()].filter((m) => valueCounts(tally, m).length > 1);
  return rows.length === 0 ? markup`` : detailsOf('Metrics', sheetOf([grid(columns, rows)]));
}

function exampleOf(example: Example, run: ToldRun): Markup {
  const { result, examples, replay } = run;
  const outcome = cleanText(result.shape.outcomes[example.outcome] ?? '');
  const reasons: Record<Kind, () => string> = {
    typical: () => `It ends as most battles do, “${outcome}”, with metrics near their medians.`,
    closest: () => closenessText(example, examples),
    strangest: () => rarityText(example, outcome, run),
  };
  const title = sentence(example.kinds.join(', ').replace(/, (\w+)$/, ' and $1'));
  const why = example.kinds.map((kind) => reasons[kind]()).join(' ');
  const { scenario, seed } = result;
  return battleOf({ title, scenario, seed, seen: example, replay, why, details: metricsOf(example, outcome, run) });
}

/** The section of the example battles of a run. */
export function examplesOf(run: ToldRun): Section {
  const { result, examples } = run;
  const looked = examples.battles.length;
  const which = looked === result.to - result.from ? 'all' : 'the first';
  return battlesOf(
    'Example battles',
    examples.told.map((example) => exampleOf(example, run)),
    `They are chosen among ${which} ${grouped(looked)} battles; of several that are equal, the one with the least index.`,
  );
}
