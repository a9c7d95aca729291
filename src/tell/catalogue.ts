/** What `systems` tells of the battle systems. */

import { moduleRules } from '../answers/index.ts';
import {
  costsField,
  type Decision,
  declaredIn,
  type KnownGame,
  type Rule,
  type System,
  type SystemModule,
  sourceOf,
} from '../rules/index.ts';
import { type Field, fieldsOf, modesOf } from './fields.ts';
import { clean } from './text/clean.ts';
import { type Look, wrapped } from './text/table.ts';

/** What can come of the scenarios of one mode, as its examples show. */
interface Results {
  /** The mode, or the name of the example where there are no modes. */
  readonly of: string;
  readonly outcomes: readonly string[];
  readonly metrics: readonly string[];
}

export interface Entry {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** Of a system of a user: its module, and the package of that. */
  readonly systemHash?: string;
  readonly systemPackage?: string;
  readonly modes: readonly string[];
  readonly results: readonly Results[];
  readonly decisions: readonly Pick<Decision, 'point' | 'who' | 'about' | 'policies'>[];
  readonly fields: readonly Field[];
  readonly rules: readonly ({ readonly id: string } & Omit<Rule, 'tell'>)[];
}

/** Outcomes and metrics of the first example of every mode. */
function resultsOf(system: System): Results[] {
  const found = new Map<string, Results>();
  for (const { name, scenario } of system.examples) {
    const complete = system.schema.parse(scenario);
    const of = 'mode' in complete ? String(complete.mode) : name;
    const { outcomes, metrics } = system.model(complete);
    if (!found.has(of)) found.set(of, { of, outcomes, metrics: metrics.map((metric) => metric.name) });
  }
  return [...found.values()];
}

/** What every scenario may have beside the fields of its system. */
const COSTS = {
  path: 'costs',
  accepts: 'prices by path',
  required: false,
  about: costsField.description ?? '',
};

/** All that is declared of a system. @param module that it was loaded from */
export function entryOf(system: System, module?: SystemModule): Entry {
  const { id, title, about, decisions, rules } = system;
  const declared = declaredIn(system.schema);
  return {
    id,
    title,
    about,
    ...moduleRules(module),
    modes: modesOf(declared),
    results: resultsOf(system),
    decisions: decisions.map(({ point, who, about: what, policies }) => ({ point, who, about: what, policies })),
    fields: [...fieldsOf(declared), { ...COSTS, modes: modesOf(declared) }],
    rules: Object.entries(rules).map(([rule, { tell: _tell, ...stands }]) => ({ id: rule, ...stands })),
  };
}

/** Where the rules come from, if they are of a user. */
function originLines(
  { systemHash, systemPackage }: Pick<Entry, 'systemHash' | 'systemPackage'>,
  { width, paint }: Look,
): string[] {
  if (systemHash === undefined) return [];
  return wrapped(`${clean(systemPackage ?? 'a module')}, hash ${systemHash}`, 2, width).map((line) => paint.dim(line));
}

/** What stands above the games. */
const GAMES_HEAD = 'Games that people know, by what they roll';

const EXAMPLES =
  'Examples of systems of your own, by --systems warpool/examples/systems/<name>.mjs (docs/reference/games.md): volley (a ' +
  'volley of fire with morale), feint and hand (secret choices).';

/**
 * One system a paragraph.
 * @param games that are told behind them
 */
export function systemList(entries: readonly Entry[], games: readonly KnownGame[], look: Look): string {
  const { width, paint } = look;
  const titled = (id: string, title: string): string => `${paint.bold(id)}  ${title}`;
  const paragraphs = entries.map(({ id, title, about, modes, ...entry }) => [
    titled(id, title),
    ...(modes.length > 0 ? wrapped(`modes ${modes.join(', ')}`, 2, width) : []),
    ...wrapped(about, 2, width),
    ...originLines(entry, look),
  ]);
  const gallery = games.map(({ id, title, about, played }) => [
    titled(id, title),
    ...wrapped(about, 2, width),
    ...wrapped(`As in ${played.join(', ')}.`, 2, width).map((line) => paint.dim(line)),
  ]);
  if (gallery.length > 0) paragraphs.push([GAMES_HEAD], ...gallery);
  const hint = paint.dim('warpool systems <id> tells more of one.');
  const more = wrapped(EXAMPLES, 0, width).map((line) => paint.dim(line));
  return `${[...paragraphs.map((lines) => lines.join('\n')), more.join('\n'), hint].join('\n\n')}\n`;
}

/** `default 4`, `required`, `optional` */
export function shownDefault(field: Field): string {
  if (field.default !== undefined) {
    const { default: value } = field;
    return `default ${typeof value === 'string' ? value : JSON.stringify(value).replaceAll(',', ', ')}`;
  }
  return field.required ? 'required' : 'optional';
}

function fieldLines(field: Field, pathWidth: number, { width, paint }: Look): string[] {
  const facts = `${field.accepts}; ${shownDefault(field)}`;
  const about = wrapped(field.about, 6, width).map((text) => paint.dim(text));
  const path = `  ${paint.bold(field.path.padEnd(pathWidth))}`;
  if (field.path.length > pathWidth) return [path, ...wrapped(facts, pathWidth + 4, width), ...about];
  const [first = '', ...more] = wrapped(facts, pathWidth + 4, width);
  return [`${path}  ${first.trimStart()}`, ...more, ...about];
}

/** Fields by the modes that have them, those of all modes first. */
function fieldSections({ fields, modes }: Entry, look: Look): string[][] {
  const sets = [...new Set(fields.map((field) => field.modes.join(', ')))];
  const widest = Math.min(28, Math.floor(look.width / 3));
  const pathWidth = Math.min(widest, Math.max(...fields.map(({ path }) => path.length)));
  return sets
    .toSorted((a, b) => b.split(',').length - a.split(',').length)
    .map((of) => {
      const heading = of === modes.join(', ') ? 'Fields' : `Fields in mode ${of.replace(/, ([^,]*)$/, ' and $1')}`;
      const members = fields.filter((field) => field.modes.join(', ') === of);
      return [heading, ...members.flatMap((field) => fieldLines(field, pathWidth, look))];
    });
}

function resultLines({ of, outcomes, metrics }: Results, width: number): string[] {
  const outcomeLines = wrapped(`${of}: outcomes ${outcomes.join(', ')}`, 2, width);
  return [...outcomeLines, ...wrapped(`metrics ${metrics.join(', ')}`, 6, width)];
}

function decisionLines({ decisions }: Entry, width: number): string[] {
  if (decisions.length === 0) return ['Decisions', '  None: nobody decides anything.'];
  return [
    'Decisions',
    ...decisions.flatMap(({ point, who, about, policies }) => [
      ...wrapped(`${point} (${who}): ${about}`, 2, width),
      ...wrapped(
        `policies ${policies.map((policy, p) => (p === 0 ? `${policy} (default)` : policy)).join(', ')}`,
        6,
        width,
      ),
    ]),
  ];
}

function ruleLines({ rules }: Entry, width: number): string[] {
  return ['Rules', ...rules.flatMap((rule) => [`  ${rule.id}`, ...wrapped(sourceOf(rule), 6, width)])];
}

/**
 * All that is declared of one system.
 * @param rules also the catalogue of its rules with their sources
 */
export function systemSheet(entry: Entry, rules: boolean, look: Look): string {
  const { id, title, about, modes } = entry;
  const { width, paint } = look;
  const blocks = [
    [`${paint.bold(id)}  ${title}`, ...wrapped(about, 2, width), ...originLines(entry, look)],
    ['Results', ...entry.results.flatMap((results) => resultLines(results, width))],
    decisionLines(entry, width),
    ...(modes.length > 0 ? [['Modes', `  mode: ${modes.join(' | ')}`]] : []),
    ...fieldSections(entry, look),
    ...(rules ? [ruleLines(entry, width)] : []),
  ];
  return `${blocks.map((block) => block.join('\n')).join('\n\n')}\n`;
}
