/** The page of a system: what its scenarios say, what can come of them, who decides, by which rules, and a battle told. */
import { type Rule, type Scenario, sourceOf } from '../../../rules/system.ts';
import { type Entry, shownDefault } from '../../catalogue.ts';
import { cleanText } from '../../text/clean.ts';
import { type Head, type Markup, markup, table } from '../markup.ts';
import { shellOf } from '../shell.ts';
import { SINGLE_STYLE } from './dress.ts';
import { commandOf, factsOf, paragraphs, type Subject, scenarioOf } from './parts.ts';
import { taleOf } from './tale.ts';

/** What the page needs beside what is declared: examples as complete scenarios. */
export interface SystemSubject extends Omit<Subject, 'name'> {
  readonly examples: readonly { readonly name: string; readonly scenario: Scenario }[];
}

/** A part with a table; nothing where that has no rows. */
function part(id: string, title: string, heads: readonly Head[], rows: readonly (readonly string[])[], open = false) {
  const body: Markup =
    rows.length === 0 && !open
      ? markup``
      : markup`<section id="${id}"><h2>${title}</h2>
${rows.length === 0 ? paragraphs(['None.'], 'note') : table(heads, rows, { filter: rows.length > 20 })}</section>`;
  return { id, title, body };
}

function resultParts({ results, modes }: Entry) {
  const heads: Head[] = [
    { head: modes.length > 0 ? 'mode' : 'example' },
    { head: 'outcomes', wide: true },
    { head: 'metrics', wide: true },
  ];
  const rows = results.map(({ of, outcomes, metrics }) => [of, outcomes.join(', '), metrics.join(', ')]);
  return part('results', 'Outcomes and metrics', heads, rows);
}

function fieldPart({ fields, modes }: Entry) {
  const heads: Head[] = [
    { head: 'field', wide: true },
    { head: 'accepts', wide: true },
    { head: 'default', wide: true },
    { head: 'meaning', wide: true },
    ...(modes.length > 0 ? [{ head: 'modes', wide: true }] : []),
  ];
  const rows = fields.map((field) => [
    ...[field.path, field.accepts, shownDefault(field), field.about],
    ...(modes.length > 0 ? [field.modes.join(', ')] : []),
  ]);
  return part('fields', 'Fields of a scenario', heads, rows);
}

function decisionPart({ decisions }: Entry) {
  const heads: Head[] = [
    { head: 'decision' },
    { head: 'who' },
    { head: 'what is decided', wide: true },
    { head: 'policies, the default first', wide: true },
  ];
  const rows = decisions.map(({ point, who, about, policies }) => [point, who, about, policies.join(', ')]);
  return part('decisions', 'Decisions', heads, rows, true);
}

function rulePart({ rules }: Entry) {
  const rows = rules.map((rule) => [rule.id, sourceOf(rule as Pick<Rule, 'source' | 'outside'>)]);
  return part('rules', 'Rules', [{ head: 'rule' }, { head: 'where it comes from', wide: true }], rows);
}

function examplePart(examples: SystemSubject['examples']) {
  const [first] = examples;
  const body =
    first === undefined
      ? markup``
      : markup`<section id="examples"><h2>Examples</h2>
${examples.map(({ name, scenario }) => scenarioOf(scenario, `${name}: the scenario, complete with all defaults`))}
<h3>Battle 0 of seed 1 of ${first.name}</h3>
${taleOf(first.scenario, '1', 0)}</section>`;
  return { id: 'examples', title: 'Examples', body };
}

/** All that is declared of a system, as a page. */
export function systemPage(entry: Entry, { version, command, examples }: SystemSubject): string {
  const { id, title, about, systemHash, systemPackage } = entry;
  const facts = [
    ['system', id],
    ...(systemPackage === undefined ? [] : [['package', systemPackage] as const]),
    ...(systemHash === undefined ? [] : [['hash of the rules', systemHash] as const]),
    ['version', `warpool ${version}`],
  ] as const;
  const asked = markup`<section id="made"><h2>How it was made</h2>
${factsOf(facts)}
${commandOf(command)}</section>`;
  return shellOf({
    title,
    lead: `system: ${id}`,
    warpool: version,
    style: SINGLE_STYLE,
    before: paragraphs([cleanText(about)]),
    sections: [
      ...[resultParts(entry), fieldPart(entry), decisionPart(entry), rulePart(entry), examplePart(examples)],
      { id: 'made', title: 'How it was made', body: asked },
    ],
  });
}
