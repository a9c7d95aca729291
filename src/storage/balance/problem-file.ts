/** Schema of balance problems: scenarios, fields and targets. */

import { z } from 'zod';
import { PROBLEM_FIELDS_MAX } from '../../analysis/index.ts';
import { ALWAYS, checkAcrossFields, reject } from '../../rules/index.ts';
import { describeSchema, fieldPath } from '../sweep/sweep-file.ts';

/** Maximum number of scenarios, and of targets. */
const SCENARIOS_MAX = 20;
const TARGETS_MAX = 50;

const scenarioName = z
  .string()
  .regex(/^[\p{L}_][\p{L}\p{N}_]{0,49}$/u, 'a name of letters, digits and _, which begins with a letter');

const scenario = z.union([
  describeSchema(z.string().min(1), 'Path of the scenario, relative to this file.'),
  z.strictObject({
    scenario: describeSchema(
      z.union([z.string().min(1), z.record(z.string(), z.unknown())]),
      'Path of the scenario, relative to this file, or the scenario itself.',
    ),
    set: describeSchema(
      z.record(fieldPath, z.unknown()).default({}),
      'Changed fields of the scenario, by path: { attacker.hp: 25 }.',
    ),
  }),
]);

const paths = z.union([fieldPath, z.array(fieldPath).min(1).max(100)]);

const field = z.strictObject({
  name: describeSchema(z.string().min(1).max(100).optional(), 'Name of the field in tables. Default: its first path.'),
  path: describeSchema(
    paths.optional(),
    'Path of the field, or list of paths that all get the value, in each of the scenarios.',
  ),
  scenarios: describeSchema(
    z.array(scenarioName).min(1).optional(),
    'Names of the scenarios that have the field. Default: all.',
  ),
  paths: describeSchema(
    z.record(scenarioName, paths).optional(),
    'Instead of path: paths by scenario, if they differ: { plain: attacker.hp, hill: defender.hp }.',
  ),
  range: describeSchema(z.tuple([z.number(), z.number()]), 'Least and greatest value, both included.'),
  step: describeSchema(z.number().positive().optional(), 'Step between values. Default for integer fields: 1.'),
  current: describeSchema(
    z.number().optional(),
    'Value from which changes are counted. Default: the value in the scenarios.',
  ),
  cost: describeSchema(
    z.number().min(0).default(0),
    'Cost of one unit. The cost of a setting is the sum over all fields of cost times value.',
  ),
  monotone: describeSchema(
    z.boolean().default(false),
    'True if every value of a target always rises, or always falls, with the field. The search then needs fewer settings.',
  ),
});

const target = z.union([
  describeSchema(z.string().min(1).max(400), 'Target: plain.attacker = 50%, rounds <= 6.'),
  z.strictObject({
    target: describeSchema(z.string().min(1).max(400), 'Target: plain.attacker = 50%, rounds <= 6.'),
    tolerance: describeSchema(
      z.union([z.number().positive(), z.string().min(1).max(40)]).optional(),
      'Accepted deviation of an equality, and unit of misses: 0.01 or 1pp. Default: 0.01, or 1 % of the bound if that is more.',
    ),
  }),
]);

const fileSchema = z.strictObject({
  name: describeSchema(z.string().min(1).max(120).optional(), 'Label. It does not change results.'),
  scenarios: describeSchema(
    z
      .record(scenarioName, scenario)
      .refine((scenarios) => Object.keys(scenarios).length > 0, { error: 'at least one scenario' })
      .refine((scenarios) => Object.keys(scenarios).length <= SCENARIOS_MAX, {
        error: `at most ${String(SCENARIOS_MAX)} scenarios`,
      }),
    'Scenarios by name: { plain: plain.yaml, hill: { scenario: plain.yaml, set: { cover: forest } } }.',
  ),
  fields: describeSchema(z.array(field).min(1).max(PROBLEM_FIELDS_MAX), 'Fields whose values are searched.'),
  targets: describeSchema(z.array(target).min(1).max(TARGETS_MAX), 'Targets that a setting must meet together.'),
});

type ProblemFields = z.output<typeof fileSchema>;

/** Reports a problem of a field. */
type RejectField = (expected: string, found: string) => void;

function checkField(
  { path, paths: byScenario, scenarios: names = [] }: ProblemFields['fields'][number],
  known: readonly string[],
  rejectField: RejectField,
): void {
  if ((path === undefined) === (byScenario === undefined))
    rejectField('either path or paths', path === undefined ? 'neither' : 'both');
  if (byScenario !== undefined && names.length > 0)
    rejectField('no scenarios, because paths names them', names.join(', '));
  for (const name of [...names, ...Object.keys(byScenario ?? {})])
    if (!known.includes(name)) rejectField(`scenarios of the problem: ${known.join(', ')}`, `"${name}"`);
}

const rule = checkAcrossFields<ProblemFields>(({ scenarios, fields }, context) => {
  for (const [f, field] of fields.entries())
    checkField(field, Object.keys(scenarios), (expected, found) => {
      reject(context, ['fields', f], expected, found);
    });
});

/** Schema of a balance problem. */
export const problemSchema = fileSchema.superRefine(rule, ALWAYS);

export type ProblemFile = z.output<typeof problemSchema>;

export type ProblemFieldFile = ProblemFile['fields'][number];
