/** Settings of a scenario: the fields other than its units. */
import {
  type Declaration,
  formatPath,
  getBoundScenario,
  getChildDeclaration,
  getDeclaration,
  isMapping,
  listAlternatives,
  type Path,
  type Scenario,
  selectLikeliest,
} from '../../rules/index.ts';
import { formatNameInSide, listUnitCounts } from '../odds/unit-counts.ts';
import { capitalize } from '../text/capitalize.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import { findSide, getSides } from './sides.ts';

export interface ScenarioSetting {
  /** `attacker.losses` */
  readonly path: string;
  /** Name of its side; undefined for settings of the battle. */
  readonly side: string | undefined;
  /** `losses`, `weapons 1 skill` */
  readonly name: string;
  /** `gun`, `true`, `20` */
  readonly value: string;
  /** Declared description. */
  readonly about: string;
  /** True if the value is the declared default. */
  readonly isDefault: boolean;
}

interface OptionalField {
  readonly path: Path;
  readonly value: unknown;
  readonly declared: Declaration;
}

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Formats a value as one line: `gun, infantry`, `afterRounds 2`. */
function formatSettingValue(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.map(formatSettingValue).join(', ');
  if (!isMapping(value)) return sanitizeLine(String(value));
  const fields = Object.entries(value).map(([name, inner]) => `${sanitizeLine(name)} ${formatSettingValue(inner)}`);
  return fields.length === 0 ? 'none' : fields.join(', ');
}

/**
 * Lists optional fields, and the lengths of optional lists.
 * @param isDue true if the field is required, or its name is chosen by the scenario
 */
function listOptionalFields(declared: Declaration, value: unknown, path: Path, isDue: boolean): OptionalField[] {
  const [simple] = selectLikeliest(listAlternatives(declared), value);
  if (value === undefined || simple === undefined || path.at(-1) === 'name') return [];
  const isList = Array.isArray(value) && value.some(isMapping);
  if (isSame(value, declared.default) || (!isList && (!isMapping(value) || simple.kind !== 'group')))
    return isDue ? [] : [{ path, value, declared }];
  // Required fields of an optional object are part of this choice.
  const isChosen = !isDue && !isMapping(declared.default);
  const inner = (isList ? [...value.entries()] : Object.entries(value)).flatMap(([step, each]): OptionalField[] => {
    const field = getChildDeclaration(simple, step);
    const isOption =
      simple.kind === 'group' && simple.fields.has(String(step)) && !simple.required.includes(String(step));
    return field === undefined ? [] : listOptionalFields(field, each, [...path, step], !isOption && !isChosen);
  });
  return isList && isChosen ? [{ path, value: value.length, declared }, ...inner] : inner;
}

/** True for fields of units: fields with a price, and parts of `units` without a default. */
const isUnit = ({ path, value, declared }: OptionalField, priced: ReadonlySet<string>): boolean =>
  priced.has(formatPath(path)) ||
  (path.includes('units') &&
    (declared.default === undefined || (typeof value === 'number' && path.at(-2) === 'units')));

/** Lists the settings, in the order of the scenario. */
export function listSettings(scenario: Scenario): ScenarioSetting[] {
  const { system, scenario: complete } = getBoundScenario(scenario);
  const sides = getSides(scenario);
  const counters = sides.flatMap((side) => listUnitCounts(scenario, sides, side));
  const priced = new Set(counters.filter(({ price }) => price !== undefined).map(({ path }) => path));
  const leaves = listOptionalFields(getDeclaration(system.schema), complete, [], true);
  return leaves
    .filter((leaf) => !isUnit(leaf, priced))
    .map(({ path: steps, value, declared }) => {
      const path = formatPath(steps);
      const side = findSide(path, sides);
      return {
        path,
        side: side && capitalize(sanitizeLine(side.name)),
        name: formatNameInSide(scenario, path, side?.id),
        value: formatSettingValue(value),
        about: declared.about,
        isDefault: isSame(value, declared.default),
      };
    });
}
