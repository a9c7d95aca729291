/** Checks how scenarios of a system are read: fields, defaults, examples. */

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

/** A field that no system has. */
const UNKNOWN = 'noSuchField';

/** What is wrong with how one scenario is read. */
export function checkReading(system: System, input: unknown): CheckMessage[] {
  const first = system.schema.safeParse(input);
  if (!first.success) return [];
  const complete = first.data;
  const found: CheckMessage[] = [];
  const add = (message: string, advice: string): void => void found.push({ message, advice });
  const again = system.schema.safeParse(complete);
  if (!again.success)
    add('the complete scenario is refused', 'What is read must be readable: mind transforms of fields.');
  else if (serializeValue(again.data) !== serializeValue(complete))
    add(
      `read a second time the scenario is another: ${formatFew(listDifferences(complete, again.data))}`,
      'Stores and threads read complete scenarios again. A transform must leave its own result as it is.',
    );
  const plain = JSON.parse(JSON.stringify(complete)) as unknown;
  if (serializeValue(plain) !== serializeValue(complete))
    add(
      `JSON cannot hold the scenario: ${formatFew(listDifferences(complete, plain))}`,
      'Hashes and threads need plain data: numbers, text, lists and objects.',
    );
  if (system.schema.safeParse({ ...(input as object), [UNKNOWN]: 1 }).success)
    add(
      'a field that is not declared is accepted',
      'Misspelt fields would be passed over. Use z.strictObject in fields.',
    );
  return found;
}

/** What is wrong with the schema itself. */
export function checkSchema(system: System, registry: SystemRegistry): CheckMessage[] {
  try {
    systemJsonSchema(system.id, { systems: registry });
    return [];
  } catch (error) {
    const advice = 'Editors, messages and made scenarios need it. Use fields that JSON can hold, without transforms.';
    return [{ message: `there is no JSON Schema of its scenarios: ${describeError(error)}`, advice }];
  }
}

/** Why an example is refused. */
export function createRejection(error: unknown): CheckMessage {
  const advice = 'Mend the example, or the declaration of the field.';
  if (error instanceof InputError) return { message: error.message, advice };
  return { message: describeError(error), advice };
}

/** What is declared but never came. */
export function findUnobserved(what: string, declared: readonly string[], seen: ReadonlySet<string>): CheckMessage[] {
  const never = declared.filter((name) => !seen.has(name));
  if (never.length === 0) return [];
  return [
    {
      ok: true,
      message: `${what} that never came in the battles that were played: ${formatValue(never).slice(1, -1)}`,
    },
  ];
}
