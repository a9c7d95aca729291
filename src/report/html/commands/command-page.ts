/** HTML reports of commands: the parts of the terminal output, with figures, battles and the origin. */
import { stringify } from 'yaml';
import type { Scenario } from '../../../rules/index.ts';
import { hashScenario } from '../../../stats/index.ts';
import type { Figure } from '../../figures/figure.ts';
import { formatRules } from '../../origin.ts';
import { getSides, type ScenarioSide } from '../../scenario/sides.ts';
import { createTableTones } from '../../scenario/table-tones.ts';
import {
  explainColumns,
  formatOmission,
  type Sheet,
  type SheetBlock,
  toPlainTable,
  toPlainText,
} from '../../sheet/sheet.ts';
import { joinHeading } from '../../text/column.ts';
import { createFigureMarkup, type SvgRenderer } from '../figure-markup.ts';
import { createHtmlTable, Markup, markup } from '../markup.ts';
import { type PageSection, renderPage } from '../page-template.ts';
import { SINGLE_STYLE } from './stylesheet.ts';

/** Origin of a report, and the renderer of its figures. */
export interface PageOrigin {
  readonly version: string;
  /** Name of the scenario, or of the group of scenarios. */
  readonly name: string;
  /** Command that reproduces the result. */
  readonly command: string;
  readonly renderSvg: SvgRenderer;
}

/** Pairs of names and values. */
type PageFacts = readonly (readonly [name: string, text: string])[];

/** Content of a report. */
export interface CommandPage {
  readonly title: string;
  readonly sheet: Sheet;
  /** Sentences that replace the answer of the sheet; the first one is in large letters. */
  readonly answer?: readonly string[];
  /** Warning about an interrupted result. */
  readonly warning?: string | undefined;
  /** Figures next to the first table. */
  readonly pictures: readonly Figure[];
  readonly sections?: readonly PageSection[];
  /** Further facts of the origin. */
  readonly facts?: PageFacts;
  readonly scenarios: readonly (readonly [name: string, scenario: Scenario])[];
}

export function createFacts(facts: PageFacts): Markup {
  const rows = facts.map(([name, text]) => markup`<tr><th scope="row">${name}</th><td>${text}</td></tr>`);
  return markup`<table class="facts"><tbody>${rows}</tbody></table>`;
}

export function createParagraphs(texts: readonly string[], kind = ''): Markup {
  const of = kind === '' ? markup`` : markup` class="${kind}"`;
  return markup`${texts.map((text) => markup`<p${of}>${text}</p>`)}`;
}

/** Creates a block with a command. */
export const createCommandBlock = (command: string): Markup => markup`<pre class="command">${command}</pre>`;

/** Creates a section with a heading. Its body is empty if `body` is. */
export function createSection(id: string, title: string, body: Markup): PageSection {
  return {
    id,
    title,
    body: body.text === '' ? body : markup`<section id="${id}"><h2>${title}</h2>\n${body}</section>`,
  };
}

export const createDetails = (title: string, body: Markup): Markup =>
  markup`<details><summary>${title}</summary>${body}</details>`;

/** Creates a collapsed scenario with all defaults. As a file, it gives the same battles. */
export function createScenarioDetails(name: string, scenario: Scenario): Markup {
  const lines = stringify(scenario).trimEnd().split('\n');
  const text = new Markup(lines.map((line) => markup`${line}`.text).join('\n'));
  return createDetails(`${name}: the scenario, complete with all defaults`, markup`<pre>${text}</pre>`);
}

/** Creates the last section: facts, command and scenarios that reproduce the result. */
export const createOriginSection = (
  facts: PageFacts,
  command: string,
  scenarios: CommandPage['scenarios'],
): PageSection =>
  createSection(
    'made',
    'Origin',
    markup`${createFacts(facts)}
${createCommandBlock(command)}
${scenarios.map(([name, scenario]) => createScenarioDetails(name, scenario))}`,
  );

/** @param footer footer of each figure */
export async function createFigures(
  pictures: readonly Figure[],
  footer: string,
  renderSvg: SvgRenderer,
): Promise<Markup> {
  const figures: Markup[] = [];
  for (const [p, picture] of pictures.entries())
    figures.push(await createFigureMarkup(picture, footer, `${picture.kind}-${String(p + 1)}`, renderSvg));
  return figures.length === 0 ? markup`` : markup`<div class="pictures">${figures}</div>`;
}

/** Longer texts are wrapped, in characters. */
const LONG_TEXT = 30;

function createBlockMarkup(part: SheetBlock, sides: readonly ScenarioSide[]): Markup {
  switch (part.kind) {
    case 'note': {
      const [tone] = part.tones;
      const kind = tone === 'dim' ? 'note' : tone === undefined ? '' : 'open';
      return createParagraphs([part.text], kind);
    }
    case 'left-out':
      return createParagraphs([formatOmission(part)], 'note');
    case 'facts':
      return markup``;
    case 'drawing':
      return createSheetMarkup(part.fallback, sides);
    case 'table': {
      const { heads, rows } = toPlainTable(part);
      const isLong = (c: number): boolean => c === 0 || rows.some((row) => (row[c] ?? '').length > LONG_TEXT);
      const shown = heads.map((column, c) => {
        const isText = column.align === 'left';
        return { head: joinHeading(column), number: !isText, wide: isText && (column.breaks === true || isLong(c)) };
      });
      return createHtmlTable(shown, rows, { tones: createTableTones(part, sides) });
    }
  }
}

/**
 * Creates the markup of blocks, without tables that have no rows.
 * @param sides sides that color their outcomes, metrics and fields
 */
export function createSheetMarkup(parts: readonly SheetBlock[], sides: readonly ScenarioSide[] = []): Markup {
  const shown = parts.filter((part) => part.kind !== 'table' || part.rows.length > 0);
  return markup`${shown.map((part) => createBlockMarkup(part, sides))}`;
}

/** Creates the glossary of the columns of all tables. */
function listColumnExplanations(parts: readonly SheetBlock[]): PageFacts {
  const heads = parts.flatMap((part) => (part.kind === 'table' && part.rows.length > 0 ? part.heads : []));
  return explainColumns(heads).map(([together, about]) => [together.join(', '), about]);
}

/** Creates the markup of all blocks, with the figures next to the first table. */
function createBody(blocks: Sheet, pictures: Markup, sides: readonly ScenarioSide[]): Markup {
  const first = blocks.findIndex((block) => block.some(({ kind }) => kind === 'table'));
  const shown = blocks.map((block, b) => {
    const body = createSheetMarkup(block, sides);
    return b === first && pictures.text !== ''
      ? markup`<div class="beside"><div>${body}</div><div>${pictures}</div></div>`
      : body;
  });
  return markup`${shown}${first < 0 ? pictures : markup``}`;
}

/** Renders a report. */
export async function renderCommandPage(page: CommandPage, origin: PageOrigin): Promise<string> {
  const { title, sheet, warning, scenarios, sections = [], facts = [] } = page;
  const { version, name, command, renderSvg } = origin;
  const [heading = [], ...blocks] = sheet.map((block) =>
    block.flatMap((part) => (part.kind === 'drawing' ? part.fallback : [part])),
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
    .map(toPlainText);
  const [[, scenario] = []] = scenarios;
  const system: PageFacts = scenario ? [['system', formatRules(scenario)]] : [];
  const drawn = await createFigures(page.pictures, [name, ...lead, `warpool ${version}`].join(' · '), renderSvg);
  const columns = listColumnExplanations(parts);
  return renderPage({
    title,
    lead: lead.join(' · '),
    warpool: version,
    style: SINGLE_STYLE,
    before: markup`${createParagraphs(warning === undefined ? [] : [warning], 'open')}${createSheetMarkup(wrong)}<p class="answer">${first}</p>${createParagraphs(others)}`,
    sections: [
      createSection('result', 'Result', createBody(shown, drawn, scenario ? getSides(scenario) : [])),
      ...sections,
      createSection('columns', 'Columns', columns.length === 0 ? markup`` : createFacts(columns)),
      createOriginSection(
        [
          ...scenarios.map(([each, of]) => [each, hashScenario(of)] as const),
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
