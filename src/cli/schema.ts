/** `warpool schema` */

import { expectationsJsonSchema } from '../analysis/node.ts';
import { InputError, suggestName } from '../core/index.ts';
import { createOutputJsonSchema, describeOutput, formatTable, OUTPUT_NAMES } from '../report/index.ts';
import { createScenarioJsonSchema, type JsonSchema, type SystemRegistry, systemJsonSchema } from '../rules/index.ts';
import { balanceProblemJsonSchema, rosterJsonSchema, sweepJsonSchema } from '../storage/node.ts';
import { type CommandDeclaration, formatExamples } from './command.ts';
import { loadFullRegistry, type RegistryOptions } from './registry.ts';
import { print, readTextStyle } from './terminal.ts';

/** Kinds of files and results with a JSON Schema: a new one needs a line here and one in MAKERS. */
const SCHEMA_KINDS = [
  { name: 'scenario', also: ['all'], about: 'scenario files of all systems' },
  { name: 'sweep', also: [], about: 'sweep files, for "warpool sweep"' },
  { name: 'expectations', also: [], about: 'expectation files, for "warpool assert"' },
  { name: 'roster', also: [], about: 'roster files, for "warpool matchup"' },
  { name: 'problem', also: [], about: 'balance problems, for "warpool balance"' },
] as const;

/** Name of a kind in the list above. */
type SchemaKindName = (typeof SCHEMA_KINDS)[number]['name'];

/** Describes the scenario files of one system. */
const describeSystemFiles = (id: string): string => `scenario files of ${id}`;

export interface SchemaKind {
  readonly names: readonly string[];
  /** Description in one line. */
  readonly about: string;
  readonly schema: () => JsonSchema;
}

const SCHEMA_FACTORIES: Readonly<Record<SchemaKindName, (registry: SystemRegistry) => JsonSchema>> = {
  scenario: createScenarioJsonSchema,
  sweep: sweepJsonSchema,
  expectations: expectationsJsonSchema,
  roster: rosterJsonSchema,
  problem: balanceProblemJsonSchema,
};

/** Lists kinds of files, including one for each system. */
export const listSchemaKinds = (registry: SystemRegistry): readonly SchemaKind[] => [
  ...SCHEMA_KINDS.map(({ name, also, about }) => ({
    names: [name, ...also],
    about,
    schema: () => SCHEMA_FACTORIES[name](registry),
  })),
  ...OUTPUT_NAMES.map((name) => ({
    names: [name],
    about: describeOutput(name),
    schema: () => createOutputJsonSchema(name),
  })),
  ...registry.names.map((id) => ({
    names: [id],
    about: describeSystemFiles(id),
    schema: () => systemJsonSchema(id, { systems: registry }),
  })),
];

/** @param name of a kind; by default all are listed */
export async function printSchema(name: string | undefined, options: RegistryOptions): Promise<void> {
  const kinds = listSchemaKinds(await loadFullRegistry(options));
  if (name === undefined) {
    const heads = [
      { head: 'kind', align: 'left' as const },
      { head: 'JSON Schema of', align: 'left' as const },
    ];
    const rows = kinds.map(({ names, about }) => [names.join(', '), about]);
    print(`${formatTable(heads, rows, readTextStyle(process.stdout)).join('\n')}\n`);
    return;
  }
  const found = kinds.find(({ names }) => names.includes(name));
  const words = kinds.flatMap(({ names }) => names);
  if (found === undefined)
    throw new InputError('kind', `one of ${words.join(', ')}`, `"${name}"${suggestName(name, words)}`);
  print(`${JSON.stringify(found.schema(), undefined, 2)}\n`);
}

const SCHEMA_NOTES = `
Kinds:
${[
  ...SCHEMA_KINDS,
  { name: '<system>', also: [], about: `${describeSystemFiles('one system')}; "warpool systems" lists them` },
]
  .map(
    ({ name, also, about }) => `${name.padEnd(12)}  ${[about, ...also.map((other) => `also "${other}"`)].join('; ')}`,
  )
  .join('\n')}
Output of commands with --json: ${OUTPUT_NAMES.join(', ')}.`;

export const command: CommandDeclaration = {
  description:
    'Prints the JSON Schema of a kind of file, for completion and validation in editors; without a kind, lists the kinds.',
  parameters: ['one of the kinds below'],
  settings: {},
  notes: [
    SCHEMA_NOTES,
    formatExamples('schema', 'schema scenario', 'schema attrition > attrition.schema.json', 'schema sweep'),
  ],
  action: (kind: string | undefined, options: RegistryOptions) => printSchema(kind, options),
};
