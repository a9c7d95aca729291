/** Files of expectations: their fields. */
import { z } from 'zod';
import { MAX_BATTLES } from '../../core/chance/stream.ts';
import { integer, refuse } from '../../rules/fields.ts';
import type { JsonSchema } from '../../rules/scenario/json-schema.ts';
import { countField } from '../../rules/scenario/settings.ts';
import { BATTLES } from '../asked.ts';
import { AS_SNAPSHOT } from './sentence.ts';

export const EXPECTATIONS_MAX = 1000;

const scenario = z
  .union([z.string().min(1), z.record(z.string(), z.unknown())])
  .meta({ description: 'A scenario: its file, as seen from this one, or what that would hold.' });

const seed = integer(0, Number.MAX_SAFE_INTEGER, 'The seed of what is played.');
const battles = countField(1, MAX_BATTLES, 'How many battles may be played where the exact answer is not affordable.');
const error = z
  .number()
  .min(1e-9)
  .max(0.25)
  .meta({ description: 'With what probability the verdict may be wrong at most, where it is by playing.' });

const bounded = z
  .boolean()
  .meta({ description: 'Whether intervals of means hold for every law in the declared range of their metric.' });

const DIGEST = new RegExp(`^(?:[0-9a-f]{64}|${AS_SNAPSHOT})$`, 'u');

const fields = z.strictObject({
  name: z.string().min(1).max(200).meta({ description: 'What is expected, for people. No two alike.' }),
  scenario: scenario.optional(),
  set: z
    .record(z.string(), z.unknown())
    .default({})
    .meta({ description: 'Fields of the scenario that are changed, by path: { attacker.hp: 25 }.' }),
  expect: z
    .string()
    .min(1)
    .max(400)
    .meta({
      description:
        'An outcome (its probability) or a metric (its mean), or a share like "95% of rounds", ' +
        `then "between a and b", "at least a" or "at most b"; or "attacker ${AS_SNAPSHOT}". Either this or digest.`,
    })
    .optional(),
  digest: z
    .string()
    .regex(DIGEST, `64 hexadecimal digits, or "${AS_SNAPSHOT}"`)
    .meta({
      description:
        'The digest of the run of these battles and this seed, as "warpool run" prints it, ' +
        `or "${AS_SNAPSHOT}". --seed and --battles do not replace those of a digest.`,
    })
    .optional(),
  seed: seed.optional(),
  battles: battles.optional(),
  error: error.optional(),
  bounded: bounded.optional(),
});

const expectation = fields.superRefine((entry, context) => {
  const { expect, digest } = entry;
  const both = expect !== undefined && digest !== undefined;
  if (both || (expect === undefined && digest === undefined))
    refuse(context, [], 'either expect or digest', both ? 'both' : 'neither');
  for (const name of ['error', 'bounded'] as const)
    if (digest !== undefined && entry[name] !== undefined)
      refuse(context, [name], `no ${name} beside digest, which is compared as it is`, String(entry[name]));
});

/** What a file of expectations holds. Fields at its top hold for all expectations that do not have their own. */
export const expectationsFile = z.strictObject({
  scenario: scenario.optional(),
  seed: seed.default(1),
  battles: battles.default(BATTLES),
  error: error.default(0.01),
  bounded: bounded.default(false),
  expectations: z
    .array(expectation)
    .min(1)
    .max(EXPECTATIONS_MAX)
    .meta({ description: 'What must hold of the scenarios.' }),
});

export type ExpectationsFile = z.output<typeof expectationsFile>;

/** The JSON Schema (draft 2020-12) of files of expectations, with defaults and descriptions. */
export function expectationsJsonSchema(): JsonSchema {
  const { '~standard': _, ...schema } = z.toJSONSchema(expectationsFile, {
    io: 'input',
    override({ zodSchema, jsonSchema }) {
      if (Object.is(zodSchema, expectation)) jsonSchema.oneOf = [{ required: ['expect'] }, { required: ['digest'] }];
    },
  });
  return {
    $id: 'urn:warpool:expectations',
    title: 'Expectations of warpool',
    description: 'What must hold of the outcomes and metrics of scenarios.',
    ...schema,
  };
}
