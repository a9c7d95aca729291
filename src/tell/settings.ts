/** Settings of a scenario: the fields that decide a battle besides its units. */
import {
  alternatives,
  type Declared,
  declaredIn,
  isMapping,
  likeliest,
  opened,
  type Path,
  pathOf,
  type Scenario,
  within,
} from '../rules/index.ts';
import { countersOf, nameInSide } from './odds/counters.ts';
import { sideIn, sidesOf } from './sides.ts';
import { clean } from './text/clean.ts';
import { sentence } from './text/sentence.ts';

export interface Setting {
  /** `attacker.losses` */
  readonly path: string;
  /** The side that it is of, as the scenario calls it; undefined if it is of the battle. */
  readonly side: string | undefined;
  /** `losses`, `weapons 1 skill` */
  readonly name: string;
  /** `gun`, `true`, `20` */
  readonly value: string;
  /** The declared description. */
  readonly about: string;
  /** The value is the declared default. */
  readonly isDefault: boolean;
}

interface Leaf {
  readonly path: Path;
  readonly value: unknown;
  readonly declared: Declared;
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Returns the value as it stands in a line: `gun, infantry`, `afterRounds 2`. */
function valueText(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(valueText).join(', ');
  if (!isMapping(value)) return clean(String(value));
  const fields = Object.entries(value).map(([name, inner]) => `${clean(name)} ${valueText(inner)}`);
  return fields.length === 0 ? 'none' : fields.join(', ');
}

/**
 * Finds the fields that may be left out; of an optional list its length, too.
 * @param isDue the field is required, or has one of the scenario's own names
 */
function leavesIn(declared: Declared, value: unknown, path: Path, isDue: boolean): Leaf[] {
  const [simple] = likeliest(alternatives(declared), value);
  if (value === undefined || simple === undefined || path.at(-1) === 'name') return [];
  const isList = Array.isArray(value) && value.some(isMapping);
  if (isSame(value, declared.default) || (!isList && (!isMapping(value) || simple.kind !== 'group')))
    return isDue ? [] : [{ path, value, declared }];
  // What must stand in it is chosen with it.
  const isChosen = !isDue && !isMapping(declared.default);
  const inner = (isList ? [...value.entries()] : Object.entries(value)).flatMap(([step, each]): Leaf[] => {
    const field = within(simple, step);
    const isOption =
      simple.kind === 'group' && simple.fields.has(String(step)) && !simple.required.includes(String(step));
    return field === undefined ? [] : leavesIn(field, each, [...path, step], !isOption && !isChosen);
  });
  return isList && isChosen ? [{ path, value: value.length, declared }, ...inner] : inner;
}

/** Whether a field says which units there are: it has a price, or is a part of `units` without a default of its own. */
const isUnit = ({ path, value, declared }: Leaf, priced: ReadonlySet<string>): boolean =>
  priced.has(pathOf(path)) ||
  (path.includes('units') &&
    (declared.default === undefined || (typeof value === 'number' && path.at(-2) === 'units')));

/** Returns the settings in the order of the scenario. */
export function settingsOf(scenario: Scenario): Setting[] {
  const { system, scenario: complete } = opened(scenario);
  const sides = sidesOf(scenario);
  const counters = sides.flatMap((side) => countersOf(scenario, sides, side));
  const priced = new Set(counters.filter(({ price }) => price !== undefined).map(({ path }) => path));
  const leaves = leavesIn(declaredIn(system.schema), complete, [], true);
  return leaves
    .filter((leaf) => !isUnit(leaf, priced))
    .map(({ path: steps, value, declared }) => {
      const path = pathOf(steps);
      const side = sideIn(path, sides);
      return {
        path,
        side: side && sentence(clean(side.name)),
        name: nameInSide(scenario, path, side?.id),
        value: valueText(value),
        about: declared.about,
        isDefault: isSame(value, declared.default),
      };
    });
}
