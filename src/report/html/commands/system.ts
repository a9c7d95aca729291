/** HTML description of a system: outcomes and metrics, fields, decisions, rules, and a battle of its first example. */
import { formatRuleSource, type Scenario } from '../../../rules/index.ts';
import { formatDefault, type SystemEntry } from '../../systems/system-list.ts';
import { sanitizeXmlText } from '../../text/sanitize.ts';
import { createHtmlTable, markup } from '../markup.ts';
import { type PageSection, renderPage } from '../page-template.ts';
import { createReplayMarkup } from './battles.ts';
import {
  createOriginSection,
  createParagraphs,
  createScenarioDetails,
  createSection,
  type PageOrigin,
} from './command-page.ts';
import { SINGLE_STYLE } from './stylesheet.ts';

/** Data that the system does not declare: examples as complete scenarios. */
export interface SystemPageOrigin extends Pick<PageOrigin, 'version' | 'command'> {
  readonly examples: readonly { readonly name: string; readonly scenario: Scenario }[];
}

/** Creates a section with a table, with wrapped last columns. */
function createTableSection(
  id: string,
  title: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  narrow = 1,
): PageSection {
  const shown = heads.map((head, h) => ({ head, wide: h >= narrow }));
  return createSection(
    id,
    title,
    rows.length === 0 ? markup`` : createHtmlTable(shown, rows, { filter: rows.length > 20 }),
  );
}

function createExamplesSection(examples: SystemPageOrigin['examples']): PageSection {
  const [first] = examples;
  if (first === undefined) return createSection('examples', '', markup``);
  const scenarios = examples.map(({ name, scenario }) => createScenarioDetails(name, scenario));
  const body = markup`${scenarios}\n<h3>Battle 0 of seed 1 of ${first.name}</h3>\n${createReplayMarkup(first.scenario, '1', 0)}`;
  return createSection('examples', 'Examples', body);
}

/** Renders the declarations of a system. */
export function renderSystemPage(entry: SystemEntry, { version, command, examples }: SystemPageOrigin): string {
  const { id, title, about, modes, results, fields, decisions, rules, systemHash, systemPackage } = entry;
  const facts = Object.entries({ system: id, package: systemPackage, 'hash of the rules': systemHash });
  const inModes = modes.length > 0;
  return renderPage({
    title,
    lead: `system: ${id}`,
    warpool: version,
    style: SINGLE_STYLE,
    before: createParagraphs([sanitizeXmlText(about)]),
    sections: [
      createTableSection(
        'results',
        'Outcomes and metrics',
        [inModes ? 'mode' : 'example', 'outcomes', 'metrics'],
        results.map(({ of, outcomes, metrics }) => [of, outcomes.join(', '), metrics.join(', ')]),
      ),
      createTableSection(
        'fields',
        'Fields of a scenario',
        ['field', 'accepts', 'default', 'meaning', ...(inModes ? ['modes'] : [])],
        fields.map((field) => [
          ...[field.path, field.accepts, formatDefault(field), field.about],
          ...(inModes ? [field.modes.join(', ')] : []),
        ]),
        0,
      ),
      decisions.length === 0
        ? createSection('decisions', 'Decisions', createParagraphs(['None.'], 'note'))
        : createTableSection(
            'decisions',
            'Decisions',
            ['decision', 'who', 'decision', 'policies, the default first'],
            decisions.map((each) => [each.point, each.who, each.about, each.policies.join(', ')]),
            2,
          ),
      createTableSection(
        'rules',
        'Rules',
        ['rule', 'source'],
        rules.map((rule) => [rule.id, formatRuleSource(rule)]),
      ),
      createExamplesSection(examples),
      createOriginSection(
        [
          ...facts.flatMap(([name, text]) => (text === undefined ? [] : [[name, text] as const])),
          ['version', `warpool ${version}`],
        ],
        command,
        [],
      ),
    ],
  });
}
