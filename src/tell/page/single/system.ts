/** The page of a system: its outcomes and metrics, fields, decisions and rules, and a battle of each example. */
import { type Scenario, sourceOf } from '../../../rules/index.ts';
import { type Entry, shownDefault } from '../../catalogue.ts';
import { cleanText } from '../../text/clean.ts';
import { markup, table } from '../markup.ts';
import { type Section, shellOf } from '../shell.ts';
import { originOf, paragraphs, type Subject, scenarioOf, sectionOf } from './answer.ts';
import { taleOf } from './battles.ts';
import { SINGLE_STYLE } from './dress.ts';

/** What the page needs beside what is declared: examples as complete scenarios. */
export interface SystemSubject extends Omit<Subject, 'name'> {
  readonly examples: readonly { readonly name: string; readonly scenario: Scenario }[];
}

/** A section with a table; the last columns break into lines. */
function tableSection(
  id: string,
  title: string,
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  narrow = 1,
): Section {
  const shown = heads.map((head, h) => ({ head, wide: h >= narrow }));
  return sectionOf(id, title, rows.length === 0 ? markup`` : table(shown, rows, { filter: rows.length > 20 }));
}

function examplesOf(examples: SystemSubject['examples']): Section {
  const [first] = examples;
  if (first === undefined) return sectionOf('examples', '', markup``);
  const scenarios = examples.map(({ name, scenario }) => scenarioOf(name, scenario));
  const body = markup`${scenarios}\n<h3>Battle 0 of seed 1 of ${first.name}</h3>\n${taleOf(first.scenario, '1', 0)}`;
  return sectionOf('examples', 'Examples', body);
}

/** All that is declared of a system, as a page. */
export function systemPage(entry: Entry, { version, command, examples }: SystemSubject): string {
  const { id, title, about, modes, results, fields, decisions, rules, systemHash, systemPackage } = entry;
  const facts = Object.entries({ system: id, package: systemPackage, 'hash of the rules': systemHash });
  const inModes = modes.length > 0;
  return shellOf({
    title,
    lead: `system: ${id}`,
    warpool: version,
    style: SINGLE_STYLE,
    before: paragraphs([cleanText(about)]),
    sections: [
      tableSection(
        'results',
        'Outcomes and metrics',
        [inModes ? 'mode' : 'example', 'outcomes', 'metrics'],
        results.map(({ of, outcomes, metrics }) => [of, outcomes.join(', '), metrics.join(', ')]),
      ),
      tableSection(
        'fields',
        'Fields of a scenario',
        ['field', 'accepts', 'default', 'meaning', ...(inModes ? ['modes'] : [])],
        fields.map((field) => [
          ...[field.path, field.accepts, shownDefault(field), field.about],
          ...(inModes ? [field.modes.join(', ')] : []),
        ]),
        0,
      ),
      decisions.length === 0
        ? sectionOf('decisions', 'Decisions', paragraphs(['None.'], 'note'))
        : tableSection(
            'decisions',
            'Decisions',
            ['decision', 'who', 'what is decided', 'policies, the default first'],
            decisions.map((each) => [each.point, each.who, each.about, each.policies.join(', ')]),
            2,
          ),
      tableSection(
        'rules',
        'Rules',
        ['rule', 'where it comes from'],
        rules.map((rule) => [rule.id, sourceOf(rule)]),
      ),
      examplesOf(examples),
      originOf(
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
