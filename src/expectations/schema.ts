/** Files of expectations: their fields. */
import { z } from 'zod';
import { MAX_BATTLES } from '../chance/stream.ts';
import { countField } from '../scenario/count.ts';
import type { JsonSchema } from '../scenario/json-schema.ts';
import { integer } from '../systems/fields.ts';

const EXPECTATIONS_MAX = 1000;

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

const expectation = z.strictObject({
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
        'then "between a and b", "at least a" or "at most b".',
    }),
  seed: seed.optional(),
  battles: battles.optional(),
  error: error.optional(),
  bounded: bounded.optional(),
});

/** What a file of expectations holds. Fields at its top hold for all expectations that do not have their own. */
export const expectationsFile = z.strictObject({
  scenario: scenario.optional(),
  seed: seed.default(1),
  battles: battles.default(1_000_000),
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
  const { '~standard': _, ...schema } = z.toJSONSchema(expectationsFile, { io: 'input' });
  return {
    $id: 'urn:warpool:expectations',
    title: 'Expectations of warpool',
    description: 'What must hold of the outcomes and metrics of scenarios.',
    ...schema,
  };
}
