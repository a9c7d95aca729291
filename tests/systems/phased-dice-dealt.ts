/** Generator of scenarios of phased dice. */

import { CLASSES, GROUND_CLASSES, unitTable } from '../../src/rules/phased-dice/army.ts';
import { LOSSES } from '../../src/rules/phased-dice/policies.ts';
import type { PhasedDice } from '../../src/rules/phased-dice/schema.ts';
import { Dealer } from './dealer.ts';
import { scenario } from './phased-dice-fight.ts';

function unitTypes(deal: Dealer, classes: readonly string[]): Record<string, Record<string, unknown>> {
  const types: Record<string, Record<string, unknown>> = {};
  for (const name of ['zouave', 'archer', 'ram', 'drone'].slice(0, deal.below(5))) {
    types[name] = { class: deal.pick(classes), era: 1 + deal.below(5) };
  }
  for (const { name } of deal.shuffled(unitTable).slice(0, deal.below(6))) types[name] = {};
  for (const type of Object.values(types)) {
    if (deal.chance(30)) type['dice'] = deal.pick([0, 1, 2, 9]);
    if (deal.chance(40)) type['hits'] = 1 + deal.below(6);
    if (deal.chance(50)) type['bonus'] = deal.below(9) - 3;
  }
  return types;
}

function units(deal: Dealer, names: readonly string[]): Record<string, number> {
  const count = () => (deal.chance(4) ? 40 : deal.below(5));
  const fielded = deal.shuffled(names).slice(0, 1 + deal.below(5));
  const counts = Object.fromEntries(fielded.map((name) => [name, count()]));
  return { ...counts, [fielded[0] ?? '']: 1 + deal.below(4) };
}

function side(deal: Dealer, names: readonly string[]): object {
  const list = deal.shuffled(GROUND_CLASSES).slice(0, deal.below(4));
  return {
    units: units(deal, names),
    target: deal.pick(['most-dice', 'most-expected-hits', list]),
    losses: deal.pick(LOSSES),
  };
}

/**
 * Returns generated scenario `index`: small armies of built-in, changed and added types, with every policy and option.
 */
export function dealt(index: number): PhasedDice {
  const deal = new Dealer(2026n, index);
  const mode = index % 3 === 0 ? 'fleet' : 'ground';
  const classes = CLASSES.filter((each) => each === 'air' || (each === 'fleet') === (mode === 'fleet'));
  const types = unitTypes(deal, classes);
  const table = unitTable.filter((entry) => classes.includes(entry.class)).map(({ name }) => name);
  const names = [...table, ...Object.keys(types).filter((name) => !unitTable.some((entry) => entry.name === name))];
  if (deal.chance(6)) for (const name of names) types[name] = { ...types[name], dice: 0 };
  const ratio = deal.pick([0.25, 0.5, 0.9, 1, 1.1, 2]);
  const retreat = deal.pick(['never', { afterRounds: 1 + deal.below(4) }, { whenWeaker: ratio }]);
  const attacker = side(deal, names);
  const defender = deal.chance(25) ? attacker : side(deal, names);
  return scenario({
    mode,
    ...(mode === 'ground' ? { site: deal.pick(['open', 'settlement', 'great-wall']) } : {}),
    attacker: { ...attacker, retreat, retreatTo: deal.pick(['friendly', 'neutral', 'none']) },
    defender,
    unitTypes: types,
    airStrength: deal.pick(['literal', 'tier']),
    airOnly: deal.pick(['defeated', 'stalemate']),
    maxRounds: deal.pick([1, 3, 40, 10_000]),
  });
}
