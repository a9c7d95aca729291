/** Prints the sheet of a command as a page: the parts that a terminal shows, with pictures, battles and the origin. */
import { stringify } from 'yaml';
import { scenarioHash } from '../../../answers/index.ts';
import type { Scenario } from '../../../rules/index.ts';
import { marksOf } from '../../marks.ts';
import { rulesText } from '../../origin.ts';
import { explained, leftOutText, type Sheet, type SheetBlock, withWords, wordsOf } from '../../parts.ts';
import type { Picture } from '../../pictures/picture.ts';
import { type ShownSide, sidesOf } from '../../sides.ts';
import { headLine } from '../../text/column.ts';
import { figureOf } from '../figure.ts';
import { Markup, markup, table } from '../markup.ts';
import { type Section, shellOf } from '../shell.ts';
import { SINGLE_STYLE } from './dress.ts';

/** The origin of a page, as the command line knows it. */
export interface Subject {
  /** The version of the package. */
  readonly version: string;
  /** The name of the scenario, or of all of them together. */
  readonly name: string;
  /** The command that gives the same result again. */
  readonly command: string;
}

/** Names and values. */
type Facts = readonly (readonly [name: string, text: string])[];

/** A page of an answer. */
export interface AnswerPage {
  readonly title: string;
  readonly sheet: Sheet;
  /** Sentences in place of the answer of the sheet; the first one is in large letters. */
  readonly answer?: readonly string[];
  /** The warning on a result that was interrupted. */
  readonly alarm?: string | undefined;
  /** Next to the first table. */
  readonly pictures: readonly Picture[];
  readonly sections?: readonly Section[];
  /** Further facts of the origin. */
  readonly facts?: Facts;
  readonly scenarios: readonly (readonly [name: string, scenario: Scenario])[];
}

export function factsOf(facts: Facts): Markup {
  const rows = facts.map(([name, text]) => markup`<tr><th scope="row">${name}</th><td>${text}</td></tr>`);
  return markup`<table class="facts"><tbody>${rows}</tbody></table>`;
}

export function paragraphs(texts: readonly string[], kind = ''): Markup {
  const of = kind === '' ? markup`` : markup` class="${kind}"`;
  return markup`${texts.map((text) => markup`<p${of}>${text}</p>`)}`;
}

/** A command to copy. */
export const commandOf = (command: string): Markup => markup`<pre class="command">${command}</pre>`;

/** A section with a heading; nothing without a body. */
export function sectionOf(id: string, title: string, body: Markup): Section {
  return {
    id,
    title,
    body: body.text === '' ? body : markup`<section id="${id}"><h2>${title}</h2>\n${body}</section>`,
  };
}

export const detailsOf = (title: string, body: Markup): Markup =>
  markup`<details><summary>${title}</summary>${body}</details>`;

/** A scenario to unfold, complete with all defaults; as a file it gives the same battles. */
export function scenarioOf(name: string, scenario: Scenario): Markup {
  const lines = stringify(scenario).trimEnd().split('\n');
  const text = new Markup(lines.map((line) => markup`${line}`.text).join('\n'));
  return detailsOf(`${name}: the scenario, complete with all defaults`, markup`<pre>${text}</pre>`);
}

/** The last section of a page: the facts, the command and the scenarios that give the result again. */
export const originOf = (facts: Facts, command: string, scenarios: AnswerPage['scenarios']): Section =>
  sectionOf(
    'made',
    'How it was made',
    markup`${factsOf(facts)}
${commandOf(command)}
${scenarios.map(([name, scenario]) => scenarioOf(name, scenario))}`,
  );

/** @param footer small print beneath each */
export async function picturesOf(pictures: readonly Picture[], footer: string): Promise<Markup> {
  const figures: Markup[] = [];
  for (const [p, picture] of pictures.entries())
    figures.push(await figureOf(picture, footer, `${picture.kind}-${String(p + 1)}`));
  return figures.length === 0 ? markup`` : markup`<div class="pictures">${figures}</div>`;
}

/** Texts of so many characters break into lines. */
const LONG = 30;

function partOf(part: SheetBlock, sides: readonly ShownSide[]): Markup {
  switch (part.kind) {
    case 'note': {
      const [tone] = part.tones;
      const kind = tone === 'dim' ? 'note' : tone === undefined ? '' : 'open';
      return paragraphs([part.text], kind);
    }
    case 'left-out':
      return paragraphs([leftOutText(part)], 'note');
    case 'facts':
      return markup``;
    case 'drawing':
      return sheetOf(part.instead, sides);
    case 'table': {
      const { heads, rows } = withWords(part);
      const isLong = (c: number): boolean => c === 0 || rows.some((row) => (row[c] ?? '').length > LONG);
      const shown = heads.map((column, c) => {
        const isText = column.align === 'left';
        return { head: headLine(column), number: !isText, wide: isText && (column.breaks === true || isLong(c)) };
      });
      return table(shown, rows, { marks: marksOf(part, sides) });
    }
  }
}

/**
 * Tables without rows are left out.
 * @param sides whose outcomes, metrics and fields have their colours
 */
export function sheetOf(parts: readonly SheetBlock[], sides: readonly ShownSide[] = []): Markup {
  const shown = parts.filter((part) => part.kind !== 'table' || part.rows.length > 0);
  return markup`${shown.map((part) => partOf(part, sides))}`;
}

/** The columns of all tables with what they mean. */
function columnsOf(parts: readonly SheetBlock[]): Facts {
  const heads = parts.flatMap((part) => (part.kind === 'table' && part.rows.length > 0 ? part.heads : []));
  return explained(heads).map(([together, about]) => [together.join(', '), about]);
}

/** Blocks below each other; the first table has the pictures next to it. */
function bodyOf(blocks: Sheet, pictures: Markup, sides: readonly ShownSide[]): Markup {
  const first = blocks.findIndex((block) => block.some(({ kind }) => kind === 'table'));
  const shown = blocks.map((block, b) => {
    const body = sheetOf(block, sides);
    return b === first && pictures.text !== ''
      ? markup`<div class="beside"><div>${body}</div><div>${pictures}</div></div>`
      : body;
  });
  return markup`${shown}${first < 0 ? pictures : markup``}`;
}

/** Prints a page as text. */
export async function answerPage(page: AnswerPage, { version, name, command }: Subject): Promise<string> {
  const { title, sheet, alarm, scenarios, sections = [], facts = [] } = page;
  const [heading = [], ...blocks] = sheet.map((block) =>
    block.flatMap((part) => (part.kind === 'drawing' ? part.instead : [part])),
  );
  const parts = blocks.flat();
  const said = parts.flatMap((part) => (part.kind === 'note' && part.isAnswer ? [part.text] : []));
  const [first = '', ...others] = page.answer ?? [said.join(' ')];
  const wrong = parts.filter((part) => part.kind === 'note' && part.tones.includes('red'));
  const shown = blocks.map((block) =>
    block.filter((part) => !wrong.includes(part) && !(part.kind === 'note' && part.isAnswer)),
  );
  const lead = heading
    .flatMap((part) => (part.kind === 'facts' ? part.facts : []))
    .filter((fact) => !(typeof fact === 'object' && 'tones' in fact && fact.tones.includes('bold')))
    .map(wordsOf);
  const [[, scenario] = []] = scenarios;
  const system: Facts = scenario ? [['system', rulesText(scenario)]] : [];
  const drawn = await picturesOf(page.pictures, [name, ...lead, `warpool ${version}`].join(' · '));
  const columns = columnsOf(parts);
  return shellOf({
    title,
    lead: lead.join(' · '),
    warpool: version,
    style: SINGLE_STYLE,
    before: markup`${paragraphs(alarm === undefined ? [] : [alarm], 'open')}${sheetOf(wrong)}<p class="answer">${first}</p>${paragraphs(others)}`,
    sections: [
      sectionOf('result', 'Result', bodyOf(shown, drawn, scenario ? sidesOf(scenario) : [])),
      ...sections,
      sectionOf('columns', 'Columns', columns.length === 0 ? markup`` : factsOf(columns)),
      originOf(
        [
          ...scenarios.map(([each, of]) => [each, scenarioHash(of)] as const),
          ...system,
          ...facts,
          ['version', `warpool ${version}`],
        ],
        command,
        scenarios,
      ),
    ],
  });
}
