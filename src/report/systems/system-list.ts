/** Output of `systems`. */

import {
  costsField,
  type Decision,
  formatRuleSource,
  type GameInfo,
  getDeclaration,
  type Rule,
  type System,
  type SystemModule,
} from '../../rules/index.ts';
import { identifyModuleRules } from '../../stats/index.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import { type TerminalStyle, wrapText } from '../text/table.ts';
import { type FieldDescription, listModes, listSystemFields } from './field-list.ts';

/** Outcomes and metrics of the scenarios of one mode, from its example. */
interface ModeResults {
  /** Mode, or name of the example if there are no modes. */
  readonly of: string;
  readonly outcomes: readonly string[];
  readonly metrics: readonly string[];
}

export interface SystemEntry {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  /** Hash of the module of a custom system. */
  readonly systemHash?: string;
  readonly systemPackage?: string;
  readonly modes: readonly string[];
  readonly results: readonly ModeResults[];
  readonly decisions: readonly Pick<Decision, 'point' | 'who' | 'about' | 'policies'>[];
  readonly fields: readonly FieldDescription[];
  readonly rules: readonly ({ readonly id: string } & Omit<Rule, 'describe'>)[];
}

/** Lists outcomes and metrics of the first example of every mode. */
function listModeResults(system: System): ModeResults[] {
  const found = new Map<string, ModeResults>();
  for (const { name, scenario } of system.examples) {
    const complete = system.schema.parse(scenario);
    const of = 'mode' in complete ? String(complete.mode) : name;
    const { outcomes, metrics } = system.model(complete);
    if (!found.has(of)) found.set(of, { of, outcomes, metrics: metrics.map((metric) => metric.name) });
  }
  return [...found.values()];
}

/** Fields that all systems have. */
const COSTS = {
  path: 'costs',
  accepts: 'prices by path',
  required: false,
  about: costsField.description ?? '',
};

/** Creates the entry of a system. @param module module of a custom system */
export function createSystemEntry(system: System, module?: SystemModule): SystemEntry {
  const { id, title, about, decisions, rules } = system;
  const declared = getDeclaration(system.schema);
  return {
    id,
    title,
    about,
    ...identifyModuleRules(module),
    modes: listModes(declared),
    results: listModeResults(system),
    decisions: decisions.map(({ point, who, about: what, policies }) => ({ point, who, about: what, policies })),
    fields: [...listSystemFields(declared), { ...COSTS, modes: listModes(declared) }],
    rules: Object.entries(rules).map(([rule, { describe: _describe, ...listed }]) => ({ id: rule, ...listed })),
  };
}

/** Formats package and hash of a custom system. */
function formatOrigin(
  { systemHash, systemPackage }: Pick<SystemEntry, 'systemHash' | 'systemPackage'>,
  { width, paint }: TerminalStyle,
): string[] {
  if (systemHash === undefined) return [];
  return wrapText(`${sanitizeLine(systemPackage ?? 'a module')}, hash ${systemHash}`, 2, width).map((line) =>
    paint.dim(line),
  );
}

const GAMES_HEAD = 'Systems for well-known games';

const EXAMPLES =
  'Examples of custom systems, for --systems warpool/examples/systems/<name>.mjs (docs/reference/games.md): volley (a ' +
  'volley of fire with morale), feint and hand (secret choices).';

/**
 * Formats the list of systems, one paragraph each.
 * @param games games after the systems
 */
export function formatSystemList(
  entries: readonly SystemEntry[],
  games: readonly GameInfo[],
  look: TerminalStyle,
): string {
  const { width, paint } = look;
  const formatTitle = (id: string, title: string): string => `${paint.bold(id)}  ${title}`;
  const paragraphs = entries.map(({ id, title, about, modes, ...entry }) => [
    formatTitle(id, title),
    ...(modes.length > 0 ? wrapText(`modes ${modes.join(', ')}`, 2, width) : []),
    ...wrapText(about, 2, width),
    ...formatOrigin(entry, look),
  ]);
  const gallery = games.map(({ id, title, about, played }) => [
    formatTitle(id, title),
    ...wrapText(about, 2, width),
    ...wrapText(`As in ${played.join(', ')}.`, 2, width).map((line) => paint.dim(line)),
  ]);
  if (gallery.length > 0) paragraphs.push([GAMES_HEAD], ...gallery);
  const hint = paint.dim('Details of a system: warpool systems <id>');
  const more = wrapText(EXAMPLES, 0, width).map((line) => paint.dim(line));
  return `${[...paragraphs.map((lines) => lines.join('\n')), more.join('\n'), hint].join('\n\n')}\n`;
}

/** `default 4`, `required`, `optional` */
export function formatDefault(field: FieldDescription): string {
  if (field.default !== undefined) {
    const { default: value } = field;
    return `default ${typeof value === 'string' ? value : JSON.stringify(value).replaceAll(',', ', ')}`;
  }
  return field.required ? 'required' : 'optional';
}

function formatField(field: FieldDescription, pathWidth: number, { width, paint }: TerminalStyle): string[] {
  const facts = `${field.accepts}; ${formatDefault(field)}`;
  const about = wrapText(field.about, 6, width).map((text) => paint.dim(text));
  const path = `  ${paint.bold(field.path.padEnd(pathWidth))}`;
  if (field.path.length > pathWidth) return [path, ...wrapText(facts, pathWidth + 4, width), ...about];
  const [first = '', ...more] = wrapText(facts, pathWidth + 4, width);
  return [`${path}  ${first.trimStart()}`, ...more, ...about];
}

/** Formats the fields by modes, fields of all modes first. */
function formatFieldSections({ fields, modes }: SystemEntry, look: TerminalStyle): string[][] {
  const sets = [...new Set(fields.map((field) => field.modes.join(', ')))];
  const widest = Math.min(28, Math.floor(look.width / 3));
  const pathWidth = Math.min(widest, Math.max(...fields.map(({ path }) => path.length)));
  return sets
    .toSorted((a, b) => b.split(',').length - a.split(',').length)
    .map((of) => {
      const heading = of === modes.join(', ') ? 'Fields' : `Fields in mode ${of.replace(/, ([^,]*)$/, ' and $1')}`;
      const members = fields.filter((field) => field.modes.join(', ') === of);
      return [heading, ...members.flatMap((field) => formatField(field, pathWidth, look))];
    });
}

function formatResults({ of, outcomes, metrics }: ModeResults, width: number): string[] {
  const outcomeLines = wrapText(`${of}: outcomes ${outcomes.join(', ')}`, 2, width);
  return [...outcomeLines, ...wrapText(`metrics ${metrics.join(', ')}`, 6, width)];
}

function formatDecisions({ decisions }: SystemEntry, width: number): string[] {
  if (decisions.length === 0) return ['Decisions', '  None.'];
  return [
    'Decisions',
    ...decisions.flatMap(({ point, who, about, policies }) => [
      ...wrapText(`${point} (${who}): ${about}`, 2, width),
      ...wrapText(
        `policies ${policies.map((policy, p) => (p === 0 ? `${policy} (default)` : policy)).join(', ')}`,
        6,
        width,
      ),
    ]),
  ];
}

function formatRules({ rules }: SystemEntry, width: number): string[] {
  return ['Rules', ...rules.flatMap((rule) => [`  ${rule.id}`, ...wrapText(formatRuleSource(rule), 6, width)])];
}

/**
 * Formats the declarations of one system.
 * @param rules true to include its rules with their sources
 */
export function formatSystemSheet(entry: SystemEntry, rules: boolean, look: TerminalStyle): string {
  const { id, title, about, modes } = entry;
  const { width, paint } = look;
  const blocks = [
    [`${paint.bold(id)}  ${title}`, ...wrapText(about, 2, width), ...formatOrigin(entry, look)],
    ['Results', ...entry.results.flatMap((results) => formatResults(results, width))],
    formatDecisions(entry, width),
    ...(modes.length > 0 ? [['Modes', `  mode: ${modes.join(' | ')}`]] : []),
    ...formatFieldSections(entry, look),
    ...(rules ? [formatRules(entry, width)] : []),
  ];
  return `${blocks.map((block) => block.join('\n')).join('\n\n')}\n`;
}
