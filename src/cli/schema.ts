/** `warpool schema` */

import { didYouMean, InputError } from '../core/index.ts';
import { type JsonSchema, jsonSchema, type Registry, scenarioJsonSchema } from '../rules/index.ts';
import { expectationsJsonSchema } from '../studies/node.ts';
import { columns, OUTPUT_NAMES, outputJsonSchema, outputOf } from '../tell/index.ts';
import { sweepJsonSchema } from '../work/node.ts';
import { type DeclaredCommand, examples } from './command.ts';
import { type Known, wholeRegistry } from './registry.ts';
import { look, print } from './terminal.ts';

/** The kinds of files, and of results, that have a JSON Schema: a new one is a line here and one in MAKERS. */
const KINDS = [
  { name: 'scenario', also: ['all'], about: 'scenario files of all systems' },
  { name: 'sweep', also: [], about: 'sweep files, for "warpool sweep"' },
  { name: 'expectations', also: [], about: 'files of expectations, for "warpool assert"' },
] as const;

/** The name of a kind of the list above. */
type KindName = (typeof KINDS)[number]['name'];

/** What it says of the files of one system. */
const ofSystem = (id: string): string => `scenario files of ${id}`;

export interface Kind {
  readonly names: readonly string[];
  /** What it describes, in one line. */
  readonly about: string;
  readonly schema: () => JsonSchema;
}

const MAKERS: Readonly<Record<KindName, (registry: Registry) => JsonSchema>> = {
  scenario: scenarioJsonSchema,
  sweep: sweepJsonSchema,
  expectations: expectationsJsonSchema,
};

/** Kinds of files, with one for each system. */
export const kindsOf = (registry: Registry): readonly Kind[] => [
  ...KINDS.map(({ name, also, about }) => ({
    names: [name, ...also],
    about,
    schema: () => MAKERS[name](registry),
  })),
  ...OUTPUT_NAMES.map((name) => ({ names: [name], about: outputOf(name), schema: () => outputJsonSchema(name) })),
  ...registry.names.map((id) => ({
    names: [id],
    about: ofSystem(id),
    schema: () => jsonSchema(id, { systems: registry }),
  })),
];

/** @param name of a kind; without one all are listed */
export async function schema(name: string | undefined, options: Known): Promise<void> {
  const kinds = kindsOf(await wholeRegistry(options));
  if (name === undefined) {
    const heads = [
      { head: 'kind', align: 'left' as const },
      { head: 'JSON Schema of', align: 'left' as const },
    ];
    const rows = kinds.map(({ names, about }) => [names.join(', '), about]);
    print(`${columns(heads, rows, look(process.stdout)).join('\n')}\n`);
    return;
  }
  const found = kinds.find(({ names }) => names.includes(name));
  const words = kinds.flatMap(({ names }) => names);
  if (found === undefined)
    throw new InputError('kind', `one of ${words.join(', ')}`, `"${name}"${didYouMean(name, words)}`);
  print(`${JSON.stringify(found.schema(), undefined, 2)}\n`);
}

const SCHEMA_NOTES = `
Kinds:
${[...KINDS, { name: '<system>', also: [], about: `${ofSystem('one system')}; "warpool systems" lists them` }]
  .map(
    ({ name, also, about }) => `${name.padEnd(12)}  ${[about, ...also.map((other) => `also "${other}"`)].join('; ')}`,
  )
  .join('\n')}
What commands print with --json: ${OUTPUT_NAMES.join(', ')}.`;

export const command: DeclaredCommand = {
  description:
    'Prints the JSON Schema of a kind of file, with which editors complete and check such files; without a kind, ' +
    'lists the kinds.',
  takes: ['one of the kinds below'],
  asked: {},
  after: [
    SCHEMA_NOTES,
    examples('schema', 'schema scenario', 'schema attrition > attrition.schema.json', 'schema sweep'),
  ],
  action: (kind: string | undefined, options: Known) => schema(kind, options),
};
