/** What a scenario must hold beyond what each of its fields says. */
import type { z } from 'zod';
import { BAG_MAX } from '../../core/chance/bag.ts';
import { refuse } from '../fields.ts';
import { ENEMY, SIDES, type Side } from './army.ts';
import { BONUSES } from './bonus.ts';
import { hostOf } from './cubes.ts';
import type { Written } from './fields.ts';
import { ADDED_STRUCTURES, GROUP_WORDS, MILITARY } from './policies.ts';
import { buildingsOf } from './structures.ts';
import { isPrinted, STRUCTURE_TYPES, structureHpOf, unitTypesOf } from './units.ts';

/** Types that a scenario can add. */
const ADDED_TYPES_MAX = 100;

type Context = z.core.$RefinementCtx<Written>;

/** Types must be complete. */
function checkTypes({ unitTypes, unitSet }: Written, context: Context): void {
  const given = Object.entries(unitTypes);
  const added = given.filter(([name]) => !isPrinted(name));
  if (added.length > ADDED_TYPES_MAX) {
    refuse(context, ['unitTypes'], `at most ${String(ADDED_TYPES_MAX)} added types`, String(added.length));
  }
  for (const [name, type] of added) {
    const missing = (['class', 'kind'] as const).filter((field) => type[field] === undefined);
    if (missing.length === 0) continue;
    const found = `no ${missing.join(' and no ')}`;
    refuse(context, ['unitTypes', name], 'class and kind, for the unit table has no such type', found);
  }
  for (const [name] of given) {
    const type = unitTypesOf(unitTypes, unitSet).get(name);
    if (type === undefined || type.kind === 'none' || type.range.length > 0) continue;
    refuse(context, ['unitTypes', name], `a range, for units of kind ${type.kind} need one`, 'none');
  }
}

/** Types of structures are few, and called as no unit is. */
function checkStructureTypes({ structureTypes, unitTypes }: Written, context: Context): void {
  const names = Object.keys(structureTypes);
  const added = names.length - names.filter((name) => STRUCTURE_TYPES.includes(name as never)).length;
  if (added > ADDED_TYPES_MAX) {
    refuse(context, ['structureTypes'], `at most ${String(ADDED_TYPES_MAX)} added types`, String(added));
  }
  for (const name of names.filter((each) => Object.hasOwn(unitTypes, each))) {
    refuse(context, ['structureTypes', name], 'a name that no unit type has', `"${name}"`);
  }
}

type Path = readonly (string | number)[];

/** Every name must be one of those known. */
function checkNames(
  names: readonly string[],
  known: readonly string[],
  path: (index: number) => Path,
  context: Context,
) {
  for (const [index, name] of names.entries()) {
    if (!known.includes(name)) refuse(context, path(index), `one of ${known.join(', ')}`, `"${name}"`);
  }
}

/** Units must be known, and so must be what lists name. */
function checkWords(scenario: Written, context: Context): void {
  const types = [...unitTypesOf(scenario.unitTypes, scenario.unitSet).keys(), ...Object.keys(scenario.unitTypes)];
  const known = [...new Set(types)];
  const structures = [...structureHpOf(scenario.structureTypes).keys()];
  const objects = [...known, ...GROUP_WORDS, ...structures];
  for (const [group, words] of scenario.priority.entries()) {
    const isWord = typeof words === 'string';
    const path = (index: number): Path => ['priority', group, ...(isWord ? [] : [index])];
    checkNames(isWord ? [words] : words, [...objects, MILITARY, ADDED_STRUCTURES], path, context);
  }
  for (const of of SIDES) {
    const built = scenario[of].structures.map(({ type }) => type);
    checkNames(built, structures, (index) => [of, 'structures', index, 'type'], context);
    checkNames(scenario[of].removal, objects, (index) => [of, 'removal', index], context);
    for (const [index, { units, active, bonus }] of scenario[of].armies.entries()) {
      checkNames([bonus], [...BONUSES, ...known], () => [of, 'armies', index, 'bonus'], context);
      for (const [field, named] of Object.entries({ units, active })) {
        const names = Object.keys(named);
        checkNames(names, known, (each) => [of, 'armies', index, field, names[each] ?? ''], context);
      }
    }
  }
}

/** An attacker needs a unit, a defender something that can be lost. */
function checkPresence(scenario: Written, of: Side, context: Context): void {
  const units = scenario[of].armies.flatMap((each) => Object.values(each.units));
  const structures = of === 'defender' ? scenario[of].structures.length : 0;
  if (structures > 0 || units.some((count) => (count ?? 0) > 0)) return;
  refuse(context, [of, 'armies'], of === 'defender' ? 'at least one unit or structure' : 'at least one unit', 'none');
}

function checkMarks(scenario: Written, of: Side, context: Context): void {
  for (const [index, { type, marks, hp }] of buildingsOf(scenario.structureTypes, scenario[of].structures).entries()) {
    if (hp === 0 || marks <= hp) continue;
    const expected = `an integer 0..${String(hp)}, for a ${type} has ${String(hp)} hp`;
    refuse(context, [of, 'structures', index, 'marks'], expected, String(marks));
  }
}

/** Structures stand where an army of their side does, or on the target hex. */
function checkHexes(scenario: Written, of: Side, context: Context): void {
  const hexes = new Set(scenario[of].armies.flatMap(({ hex }) => (hex === undefined ? [] : [hex])));
  for (const [index, { hex }] of scenario[of].structures.entries()) {
    if (hex === undefined || hexes.has(hex)) continue;
    const names = [...hexes].join(', ');
    const expected =
      hexes.size === 0 ? 'no hex, for no army of the side has one' : `a hex of an army of the side: ${names}`;
    refuse(context, [of, 'structures', index, 'hex'], expected, `"${hex}"`);
  }
}

/** Numbers must be those of the enemy's armies. */
function checkConvert(scenario: Written, of: Side, context: Context): void {
  const { convert } = scenario[of];
  const armies = scenario[ENEMY[of]].armies.length;
  for (const [index, army] of convert === 'easiest' ? [] : convert.entries()) {
    if (army <= armies) continue;
    const expected =
      armies === 0 ? 'no army, for the enemy has none' : `the number of an enemy army, 1..${String(armies)}`;
    refuse(context, [of, 'convert', index], expected, String(army));
  }
}

/** Draws are exact from bags of a limited size only. Fields that are wrong have no size: "5" and 1 would add up to 51. */
function checkSize(scenario: Written, context: Context): void {
  if (context.issues.length > 0) return;
  const cubes = SIDES.map((each) => {
    const { own, neutral, choices } = hostOf(scenario, each);
    return choices.reduce(
      (all, { options }) => all + Math.max(...options.map((o) => o.own + o.neutral)),
      own + neutral,
    );
  });
  const [first = 0, second = 0] = cubes;
  if (first + second <= BAG_MAX) return;
  const path = [first >= second ? 'attacker' : 'defender', 'armies'];
  refuse(context, path, `sides that prepare at most ${String(BAG_MAX)} cubes in all`, String(first + second));
}

/** A condition needs cubes that are drawn one by one, and something to wait for. */
function checkUntil({ drawing, attacker, defender }: Written, context: Context): void {
  const policies = [
    ['attacker', 'draw', attacker.draw],
    ['defender', 'extraDraw', defender.extraDraw],
  ] as const;
  for (const [of, field, policy] of policies) {
    if (typeof policy !== 'object') continue;
    const path = [of, field, 'until'];
    const isEmpty = Object.values(policy.until).every((count) => count === undefined);
    if (isEmpty) refuse(context, path, 'one at least of own, enemy, drawn', 'none');
    // What is neither is refused at its own place.
    if (drawing !== 'number-first') continue;
    refuse(context, path, 'drawing: cube-by-cube, for a number that is named first knows no conditions', drawing);
  }
}

export function checkTogether(scenario: Written, context: Context): void {
  checkTypes(scenario, context);
  checkStructureTypes(scenario, context);
  checkWords(scenario, context);
  checkSize(scenario, context);
  checkUntil(scenario, context);
  for (const of of SIDES) {
    checkMarks(scenario, of, context);
    checkHexes(scenario, of, context);
    checkConvert(scenario, of, context);
    checkPresence(scenario, of, context);
  }
}
