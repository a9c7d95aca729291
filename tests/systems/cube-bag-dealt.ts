/** Generator of cube-bag scenarios that cover all rules; the same scenarios at every run. */

import { BONUSES } from '../../src/rules/cube-bag/army.ts';
import { cubeBag } from '../../src/rules/cube-bag/index.ts';
import { DRAWING_MODES, EXTRA_DRAWS, REDRAWS } from '../../src/rules/cube-bag/policies.ts';
import type { CubeBag } from '../../src/rules/cube-bag/schema.ts';
import { CLASSES, createStructureHp, KINDS, STRUCTURE_TYPES, unitTable } from '../../src/rules/cube-bag/units.ts';
import { Dealer } from './dealer.ts';

function unitTypes(deal: Dealer): Record<string, object> {
  const types: Record<string, Record<string, unknown>> = {};
  for (const name of ['zouave', 'elephant', 'raft'].slice(0, deal.below(4))) {
    types[name] = { class: deal.pick(CLASSES), kind: deal.pick(KINDS), range: [deal.below(2), 1 + deal.below(3)] };
  }
  for (const { name } of deal.some(unitTable, 2)) types[name] = {};
  for (const type of Object.values(types)) {
    if (deal.chance(40)) type['hp'] = 1 + deal.below(4);
    if (deal.chance(20)) type['strength'] = deal.below(4);
    if (deal.chance(20)) type['courageVsStructures'] = deal.chance(70);
    if (deal.chance(30)) type['bonus'] = { [deal.pick([...CLASSES, 'structures'])]: deal.below(5) };
  }
  return types;
}

function army(deal: Dealer, names: readonly string[]) {
  const fielded = [deal.pick(names), ...deal.some(names, 3)];
  const units = Object.fromEntries(fielded.map((name) => [name, deal.chance(3) ? 20 : deal.below(4)]));
  return {
    units: { ...units, [fielded[0] ?? '']: 1 + deal.below(3) },
    ...(deal.chance(40) ? { distance: 1 + deal.below(3) } : {}),
    ...(deal.chance(30) ? { active: { [deal.pick(fielded)]: deal.chance(60) } } : {}),
    ...(deal.chance(40) ? { bonus: deal.pick([...BONUSES, ...fielded]) } : {}),
    ...(deal.chance(40) ? { extras: { action: deal.below(4), experience: deal.below(3) } } : {}),
    ...(deal.chance(25) ? { modifiers: { strength: deal.below(9) - 4, courage: deal.below(9) - 4 } } : {}),
    ...(deal.chance(25) ? { hex: deal.pick(['hill', 'ford']) } : {}),
    ...(deal.chance(20) ? { conversionFactors: deal.below(4) - 2 } : {}),
  };
}

/** Hit points of structure types by name. */
type Built = Readonly<Record<string, { hp: number }>>;

function side(deal: Dealer, names: readonly string[], built: Built): object {
  const words = [...names, ...CLASSES, ...STRUCTURE_TYPES, ...Object.keys(built), 'structures'];
  const tries = () => (deal.chance(50) ? 0 : 1 + deal.below(3));
  const armies = Array.from({ length: deal.pick([1, 1, 2, 2, 3]) }, () => army(deal, names));
  return {
    armies,
    structures: structures(
      deal,
      built,
      armies.flatMap(({ hex }) => (hex === undefined ? [] : [hex])),
    ),
    corpsBonus: deal.pick(['sum', 'sum', 'none']),
    convert: deal.chance(70) ? 'easiest' : deal.some([1, 2, 3], 2),
    removal: deal.some(words, 5),
    redraw: deal.pick(REDRAWS),
    addDefense: deal.chance(75),
    technologies: {
      fabian: deal.chance(25) ? deal.below(5) : 0,
      trainedArmy: deal.chance(40) ? 1 + deal.below(3) : 0,
      siegeTower: deal.chance(30),
    },
    conversions: tries(),
    conversionFactors: deal.below(5) - 2,
    recoveries: tries(),
    recoveryFactors: deal.below(5) - 2,
  };
}

function until(deal: Dealer): object {
  const conditions = ['own', 'enemy', 'drawn'] as const;
  return Object.fromEntries(
    [deal.pick(conditions), ...deal.some(conditions, 1)].map((each) => [each, 1 + deal.below(3)]),
  );
}

function structureTypes(deal: Dealer): Built {
  const names = [...deal.some(['tower', 'gate'], 2), ...(deal.chance(30) ? [deal.pick(STRUCTURE_TYPES)] : [])];
  return deal.chance(60) ? {} : Object.fromEntries(names.map((name) => [name, { hp: 1 + deal.below(5) }]));
}

function structures(deal: Dealer, built: Built, hexes: readonly string[]): object[] {
  const types = createStructureHp(built);
  return Array.from({ length: deal.chance(60) ? 0 : 1 + deal.below(4) }, () => {
    const type = deal.pick([...types.keys()]);
    const own = deal.chance(20) ? { hp: 1 + deal.below(4) } : {};
    const hp = own.hp ?? types.get(type) ?? 0;
    const hex = hexes.length > 0 && deal.chance(60) ? { hex: deal.pick(hexes) } : {};
    return { type, ...own, marks: deal.chance(40) ? deal.below(hp + 1) : 0, ...hex };
  });
}

function dealt(index: number): unknown {
  const deal = new Dealer(2027n, index);
  const types = unitTypes(deal);
  const names = [...new Set([...unitTable.map(({ name }) => name), ...Object.keys(types)])];
  const built = structureTypes(deal);
  const words = [...names, ...CLASSES, ...STRUCTURE_TYPES, ...Object.keys(built), 'military', 'added-structures'];
  const drawing = deal.pick(DRAWING_MODES);
  const stops = () => (drawing === 'cube-by-cube' && deal.chance(60) ? { until: until(deal) } : undefined);
  // Every twelfth scenario has two single units, because larger sides seldom destroy each other.
  const few =
    index % 12 === 11 ? { armies: [{ units: { spearman: 1 }, modifiers: { courage: 1 } }], structures: [] } : {};
  const attacker = { ...side(deal, names, built), ...few };
  const defender = { ...side(deal, names, built), ...few };
  return {
    system: 'cube-bag',
    target: deal.pick(['land', 'land', 'water']),
    fortification: deal.pick(['none', 'none', 'palisade', 'wall', 'city', 'castle']),
    garrisonBonus: deal.below(4),
    unitSet: deal.pick(['seed', 'old']),
    unitTypes: types,
    structureTypes: built,
    failedCheckCubes: deal.pick(['return', 'discard']),
    ...(deal.chance(30) ? { priority: [deal.some(words, 3), deal.pick(words), deal.some(words, 3)] } : {}),
    drawing,
    attacker: { ...attacker, draw: stops() ?? (deal.chance(60) ? 'max' : 1 + deal.below(4)) },
    defender: { ...defender, extraDraw: stops() ?? deal.pick(EXTRA_DRAWS) },
  };
}

/** Returns the first `count` generated scenarios that the schema accepts. */
export function dealtScenarios(count: number): CubeBag[] {
  const accepted: CubeBag[] = [];
  for (let index = 0; accepted.length < count; index++) {
    const { success, data } = cubeBag.schema.safeParse(dealt(index));
    if (success) accepted.push(data);
  }
  return accepted;
}
