/** Schema of roster files: armies of two sides, terrains, a payoff, and options of simulating and solving matchups. */
import { z } from 'zod';
import { ARMIES_MAX, EXACTNESS, RUN_LENGTH } from '../../analysis/index.ts';
import { MAX_BATTLES } from '../../core/index.ts';
import { ALWAYS, checkAcrossFields, costsField, countField, createFieldSchemas, reject } from '../../rules/index.ts';
import { describeSchema, fieldPath, limitFields } from '../sweep/sweep-file.ts';

/** Terrains of a roster. */
const TERRAINS_MAX = 100;

/** Unit types of a price list. */
const TYPES_MAX = 40;

const name = z.string().min(1).max(100);
const fields = z.record(fieldPath, z.json());

const army = z.strictObject({
  name: describeSchema(name, 'Name of the army. It must be unique.'),
  set: describeSchema(
    fields.optional(),
    'Fields of the side, by path: { units.infantry: 10 }. Other fields are those of the scenario.',
  ),
  value: describeSchema(z.json().optional(), 'Value of the whole side, instead of fields.'),
});

const limits = z.strictObject({
  min: describeSchema(z.int().min(0).default(0), 'Minimum number of units.'),
  max: describeSchema(z.int().min(0).optional(), 'Maximum number of units. Default: what the points allow.'),
});

const priceList = z.strictObject({
  points: describeSchema(z.number().positive(), 'Points that an army may cost.'),
  spend: describeSchema(
    z.enum(['at most', 'exactly']).default('at most'),
    'Whether an army costs at most the points, or exactly the points.',
  ),
  units: describeSchema(
    z.record(fieldPath, limits).refine((types) => Object.keys(types).length <= TYPES_MAX, {
      error: `at most ${String(TYPES_MAX)} unit types`,
    }),
    'Unit types, by the path of their number in the side: { units.infantry: { max: 10 }, units.tank: {} }.',
  ),
});

const armies = describeSchema(
  z.union([z.array(army).min(1).max(ARMIES_MAX), priceList]).optional(),
  'List of armies, or a price list: all armies that the points allow.',
);

const terrain = z.strictObject({
  name: describeSchema(name, 'Name of the terrain.'),
  weight: describeSchema(z.number().positive().default(1), 'Weight of its payoffs, relative to the other terrains.'),
  scenario: describeSchema(
    z.string().min(1).optional(),
    'Path of its scenario, relative to the roster. Default: the scenario of the roster.',
  ),
  set: describeSchema(fields.default({}), 'Fields of the scenario, by path: { site: open }.'),
});

const fileSchema = z.strictObject({
  name: describeSchema(z.string().min(1).max(120).optional(), 'Label. It does not change results.'),
  scenario: describeSchema(
    z.union([z.string().min(1), z.record(z.string(), z.json())]),
    'Scenario of all matchups: path of a file, relative to this one, or the scenario itself.',
  ),
  sides: describeSchema(
    z
      .strictObject({ attacker: fieldPath, defender: fieldPath })
      .default({ attacker: 'attacker', defender: 'defender' }),
    'Paths of the sides in the scenario: { attacker: "combatants[0]", defender: "combatants[1]" }.',
  ),
  costs: costsField,
  armies,
  attackers: armies,
  defenders: armies,
  terrains: describeSchema(
    z.array(terrain).min(1).max(TERRAINS_MAX).optional(),
    'Terrains. The payoff of a matchup is the weighted mean over all terrains.',
  ),
  payoff: describeSchema(
    z.string().min(1).max(400).default('difference'),
    'Payoff of the attacker: difference (probability that the attacker wins, minus the one of the defender), win (everything except a victory counts for the defender), or a sum of outcomes and metrics with factors.',
  ),
  expect: describeSchema(
    z.array(z.string().min(1).max(400)).max(1000).default([]),
    'Sentences that "warpool assert" checks: no army exceeds 60 % against the field.',
  ),
  battles: countField(
    1,
    MAX_BATTLES,
    'Number of battles of a matchup that is not solved exactly. Default without a precision: 100 000.',
  ).optional(),
  ...createFieldSchemas(RUN_LENGTH),
  exact: describeSchema(
    z.enum(EXACTNESS).default('auto'),
    'Exact results instead of battles: if they are cheap (auto), always or never.',
  ),
  ...limitFields,
});

type RosterFields = z.output<typeof fileSchema>;

const ARMY_FIELDS = ['armies', 'attackers', 'defenders'] as const;

/** Reports a value at a path of the file. */
type Reject = (path: (string | number)[], expected: string, found: string) => void;

function checkSides(file: RosterFields, report: Reject): void {
  const found = ARMY_FIELDS.filter((field) => file[field] !== undefined).join(', ') || 'nothing';
  if (found !== 'armies' && found !== 'attackers, defenders') report([], 'armies, or attackers and defenders', found);
}

/** Checks that each army has either fields or a value. */
function checkArmies(file: RosterFields, report: Reject): void {
  for (const field of ARMY_FIELDS) {
    const list = file[field];
    if (!Array.isArray(list)) continue;
    for (const [a, { set, value }] of list.entries()) {
      if ((set === undefined) !== (value === undefined)) continue;
      report([field, a], 'either set or value', set === undefined ? 'neither' : 'both');
    }
  }
}

function checkNames(file: RosterFields, report: Reject): void {
  for (const field of [...ARMY_FIELDS, 'terrains'] as const) {
    const list = file[field];
    if (!Array.isArray(list)) continue;
    const names = list.map(({ name }) => name);
    const twice = names.findIndex((each, a) => names.indexOf(each) < a);
    if (twice >= 0) report([field, twice, 'name'], 'unique names', `"${names[twice] ?? ''}" again`);
  }
}

function checkRun(file: RosterFields, report: Reject): void {
  for (const option of ['battles', 'precision'] as const)
    if (file.exact === 'always' && file[option] !== undefined)
      report([option], 'nothing, because exact: always simulates no battles', String(file[option]));
}

const rule = checkAcrossFields<RosterFields>((file, context) => {
  for (const check of [checkSides, checkArmies, checkNames, checkRun])
    check(file, (...problem) => {
      reject(context, ...problem);
    });
});

/** Schema of a roster file. */
export const rosterSchema = fileSchema.superRefine(rule, ALWAYS);

export type RosterFile = z.output<typeof rosterSchema>;

/** Armies of a roster file: a list, or a price list. */
export type ArmiesFile = NonNullable<RosterFile['armies']>;

export type PriceListFile = Exclude<ArmiesFile, readonly unknown[]>;
