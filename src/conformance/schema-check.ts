/** Checks of reading scenarios: fields, defaults, examples. */

import { InputError } from '../core/index.ts';
import {
  formatFew,
  formatValue,
  listDifferences,
  type System,
  type SystemRegistry,
  serializeValue,
  systemJsonSchema,
} from '../rules/index.ts';
import { type CheckMessage, describeError } from './findings.ts';

/** Field that no system has. */
const UNKNOWN = 'noSuchField';

/** Checks how one scenario is read. */
export function checkReading(system: System, input: unknown): CheckMessage[] {
  const first = system.schema.safeParse(input);
  if (!first.success) return [];
  const complete = first.data;
  const found: CheckMessage[] = [];
  const add = (message: string, advice: string): void => void found.push({ message, advice });
  const again = system.schema.safeParse(complete);
  if (!again.success)
    add('the complete scenario is rejected', 'The schema must accept its own output: check transforms of fields.');
  else if (serializeValue(again.data) !== serializeValue(complete))
    add(
      `the scenario changes when it is read again: ${formatFew(listDifferences(complete, again.data))}`,
      'Stores and threads read complete scenarios again. A transform must not change its own result.',
    );
  const plain = JSON.parse(JSON.stringify(complete)) as unknown;
  if (serializeValue(plain) !== serializeValue(complete))
    add(
      `JSON cannot hold the scenario: ${formatFew(listDifferences(complete, plain))}`,
      'Hashes and threads need plain data: numbers, text, lists and objects.',
    );
  if (system.schema.safeParse({ ...(input as object), [UNKNOWN]: 1 }).success)
    add('an undeclared field is accepted', 'Misspelled fields would be ignored. Use z.strictObject in fields.');
  return found;
}

/** Checks the schema itself. */
export function checkSchema(system: System, registry: SystemRegistry): CheckMessage[] {
  try {
    systemJsonSchema(system.id, { systems: registry });
    return [];
  } catch (error) {
    const advice =
      'Editors, messages and generated scenarios need it. Use fields that JSON can hold, without transforms.';
    return [{ message: `its scenarios have no JSON Schema: ${describeError(error)}`, advice }];
  }
}

/** Describes the rejection of an example. */
export function createRejection(error: unknown): CheckMessage {
  const advice = 'Correct the example or the declaration of the field.';
  if (error instanceof InputError) return { message: error.message, advice };
  return { message: describeError(error), advice };
}

/** Lists declared names that were not observed. */
export function findUnobserved(what: string, declared: readonly string[], seen: ReadonlySet<string>): CheckMessage[] {
  const never = declared.filter((name) => !seen.has(name));
  if (never.length === 0) return [];
  return [
    {
      ok: true,
      message: `${what} not observed in any simulated battle: ${formatValue(never).slice(1, -1)}`,
    },
  ];
}
