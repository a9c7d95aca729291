/** Rolls to hit, wound and save, then damage, as in miniature games. Manual: docs/reference/games/hit-wound-save.md */
import { count, d, defineSystem, flag, integer, map, named, oneOf, reroll, times, weighted, z } from 'warpool/system';

const SIDES = [
  ['attacker', 'defender'],
  ['defender', 'attacker'],
];
const DICE = /^(\d?)d([36])(?:\+(\d))?$/;

const some = [z.int().min(1).max(30), z.string().regex(DICE, 'dice such as d6, 2d3 or d6+1')];
const amount = (about) => z.union(some).meta({ description: about });
const again = oneOf(['none', 'ones', 'failures'], 'Dice that are rolled again, once.').default('none');
const weapon = z.strictObject({
  bearers: integer(1, 60, 'Models with it, all unless given; those of weapons named first fall first.').optional(),
  attacks: amount('Attacks of each bearer, a number or dice.').default(1),
  skill: integer(1, 6, 'A die of so much or more hits; 1: all attacks hit.').default(4),
  strength: integer(1, 40, 'Against toughness: wounds on 2+ if it is double, 3+, 4+, 5+, or 6+ if half.').default(4),
  wound: integer(2, 6, 'A die of so much or more wounds, in place of strength against toughness.').optional(),
  pierce: integer(0, 6, 'Worsens saves, but no invulnerable save.').default(0),
  damage: amount('Damage of an unsaved wound, a number or dice.').default(1),
  ...{ rerollHits: again, rerollWounds: again },
  sustained: integer(0, 6, 'Hits that a 6 to hit adds.').default(0),
  lethal: flag('Whether a 6 to hit wounds without a die.').default(false),
  devastating: flag('Whether a 6 to wound is not saved.').default(false),
});
const weapons = z.array(weapon).max(6).meta({ description: 'Weapons, in the order of strikes.' });
const unit = (armed) =>
  z.strictObject({
    models: integer(1, 60, 'Models.').default(1),
    wounds: integer(1, 40, 'Wounds of a model; damage beyond them is lost.').default(1),
    toughness: integer(1, 40, 'Against strength.').default(4),
    save: integer(2, 7, 'A die of so much or more saves; 7: none.').default(7),
    invulnerable: integer(2, 7, 'The same, whatever pierces.').default(7),
    feelNoPain: integer(2, 7, 'A die of so much or more ignores a point of damage; 7: none.').default(7),
    weapons: armed,
  });

const lawOf = (text) => {
  const [, dice, sides, more] = DICE.exec(String(text)) ?? [];
  const law = sides === undefined ? weighted([[Number(text), 1]]) : times(Number(dice || 1), d(Number(sides)));
  return map(law, (value) => value + Number(more ?? 0));
};
/** Computes the distribution of a d6 after rerolls: 2 is a 6, 1 another success (`target` or more), 0 a failure. */
const graded = (target, which) => {
  const die = reroll(d(6), (face) => (which === 'ones' ? face === 1 : which === 'failures' && face < target));
  return map(die, (face) => (face === 6 ? 2 : face >= target ? 1 : 0));
};
const damageOf = (own, target) =>
  map(lawOf(own.damage), (points) => count(points, d(6), (face) => face < target.feelNoPain));
const wounding = (s, t) => (s >= 2 * t ? 2 : s > t ? 3 : s === t ? 4 : 2 * s > t ? 5 : 6);
const counts = (what, dice, law, when) => named(what, count(dice, law, when));
/** Draws [sixes, other successes] of `dice` rolls. If `matter` is false, 6s are counted with the other successes. */
const rolled = (chance, what, dice, law, matter) => {
  if (!matter) return [0, chance.sample(counts(what, dice, law, (grade) => grade > 0))];
  const sixes = chance.sample(counts(`${what} with a 6`, dice, law, (grade) => grade === 2));
  const others = reroll(law, (grade) => grade === 2, Number.POSITIVE_INFINITY);
  return [sixes, chance.sample(counts(`other ${what}`, dice - sixes, others, (grade) => grade > 0))];
};
const many = (n, what) => `${n} ${what}${n === 1 ? '' : 's'}`;
const standing = (wounds, { wounds: each }) => Math.ceil(wounds / each);

/** Creates the phases of weapon `k`. `losses`: number of possible values of the lost damage; 1 if it is not counted. */
const strikes = (side, enemy, k, { [side]: striker, [enemy]: target }, losses) => {
  const own = striker.weapons[k];
  const later = striker.weapons.slice(k + 1).reduce((all, { bearers = 0 }) => all + bearers, 0);
  const hit = own.skill === 1 ? weighted([[1, 1]]) : graded(own.skill, own.rerollHits);
  const wound = graded(own.wound ?? wounding(own.strength, target.toughness), own.rerollWounds);
  const save = Math.min(target.save + own.pierce, target.invulnerable);
  const damage = damageOf(own, target);
  const known = new Map();
  const once = (key, make) => known.get(key) ?? known.set(key, make()).get(key);
  /** Applies `points` of damage to one model. `value` is `left * losses + lost`: wounds left in all, damage lost. */
  const struck = (value, points) => {
    const left = Math.floor(value / losses);
    const felt = Math.min(points, left === 0 ? 0 : ((left - 1) % target.wounds) + 1);
    return value - felt * losses + Math.min(points - felt, losses - 1 - (value % losses));
  };
  const more = (value) => once(value, () => map(damage, (points) => struck(value, points)));
  const after = (left, n) =>
    n === 0 ? weighted([[left * losses, 1]]) : once(`${left} ${n}`, () => map(after(left, n - 1), more));
  /** Splits a distribution of such values into the distribution of `left` and, for each `left`, that of `lost`. */
  const parted = ({ offset, weights }) => {
    const rows = [];
    for (const [k, weight] of weights.entries()) {
      const left = Math.floor((offset + k) / losses);
      if (weight > 0n) rows[left] = [...(rows[left] ?? []), [(offset + k) % losses, weight]];
    }
    const sums = rows.map((row, left) => [left, row.reduce((sum, [, weight]) => sum + weight, 0n)]);
    const laws = rows.map((row) => named('damage lost', weighted(row)));
    return [named('wounds left', weighted(sums.filter(Boolean))), laws];
  };
  /** Creates a phase, skipped if no attack is left. `word`: index of its first random word in the weapon's stream. */
  const phase = (word, next) => (state, chance) =>
    state.dice + state.sure === 0 ? state : { ...state, ...next(chance.at(`${side}.${k + 1}`, word), state) };
  return [
    (state, chance) => {
      const models = standing(state[side], striker);
      const bearers = own.bearers === undefined ? models : Math.max(0, Math.min(own.bearers, models - later));
      if (bearers === 0) return state;
      const law = times(bearers, lawOf(own.attacks));
      const dice = typeof own.attacks === 'number' ? bearers * own.attacks : chance.at(`${side}.${k + 1}`).sample(law);
      chance.rule('attacks', () => ({ side, weapon: striker.weapons.length > 1 ? k + 1 : 0, bearers, dice }));
      return { ...state, dice };
    },
    phase(1, (chance, { dice }) => {
      const [sixes, others] = rolled(chance, 'hits', dice, hit, own.lethal || own.sustained > 0);
      const [hits, sure] = [others + sixes * (own.sustained + Number(!own.lethal)), own.lethal ? sixes : 0];
      chance.rule('hits', () => ({ hits, sure }));
      return { dice: hits, sure };
    }),
    phase(3, (chance, { dice, sure }) => {
      const [sixes, others] = rolled(chance, 'wounds', dice, wound, own.devastating);
      chance.rule('wounds', () => ({ wounds: others + sure, sure: sixes }));
      return { dice: others + sure, sure: sixes };
    }),
    phase(5, (chance, { dice, sure }) => {
      const unsaved = save > 6 ? dice : chance.sample(counts('not saved', dice, d(6), (face) => face < save));
      if (dice > 0 && save < 7) chance.rule('saves', () => ({ side: enemy, dice, saved: dice - unsaved, save }));
      return { dice: unsaved + sure, sure: 0 };
    }),
    phase(6, (chance, state) => {
      const before = state[enemy];
      const [law, laws] = once(`parts ${before} ${state.dice}`, () => parted(after(before, state.dice)));
      const left = chance.sample(law);
      const lost = losses === 1 ? 0 : chance.sample(laws[left]);
      const killed = standing(before, target) - standing(left, target);
      chance.rule('damage', () => ({ side: enemy, wounds: before - left, killed, lost }));
      return { [enemy]: left, lost: Math.min(losses - 1, state.lost + lost), dice: 0 };
    }),
  ];
};

export default defineSystem({
  id: 'hit-wound-save',
  title: 'Hit, wound, save, damage',
  about: 'A d6 to hit, to wound and to save for each attack; damage beyond the wounds of a model is lost.',
  fields: { attacker: unit(weapons.min(1)), defender: unit(weapons.default([])) },
  check: (scenario, reject) => {
    for (const [side, enemy] of SIDES) {
      const unit = scenario[side];
      const borne = unit.weapons.reduce((all, { bearers = 0 }) => all + bearers, 0);
      if (borne > unit.models)
        reject([side, 'models'], `models for all ${borne} bearers of weapons`, String(unit.models));
      for (const [k, own] of unit.weapons.entries()) {
        // The sum of the weights of a distribution may have at most 4096 bits.
        const bits = Math.log2(Number(damageOf(own, scenario[enemy]).weights.reduce((all, weight) => all + weight)));
        const most = Math.floor(Math.min(300, 4000 / bits));
        const { offset, weights } = lawOf(own.attacks);
        const hits = (own.bearers ?? unit.models) * (offset + weights.length - 1) * (1 + own.sustained);
        if (hits > most) reject([side, 'weapons', k, 'attacks'], `at most ${most} hits of all bearers`, String(hits));
      }
    }
  },
  rules: {
    attacks: ({ side, weapon, bearers, dice }) =>
      `The ${side} makes ${many(dice, 'attack')} with ${weapon === 0 ? '' : `weapon ${weapon} of `}${many(bearers, 'model')}.`,
    hits: ({ hits, sure }) => `${many(hits, 'hit')} to wound${sure === 0 ? '' : `, ${sure} wound at once`}.`,
    wounds: ({ wounds, sure }) => `${many(wounds, 'wound')} to save${sure === 0 ? '' : `, ${sure} without a save`}.`,
    saves: ({ side, dice, saved, save }) => `The ${side} saves ${saved} of ${dice} on ${save}+.`,
    damage: ({ side, wounds, killed, lost }) =>
      `The ${side} loses ${many(wounds, 'wound')} and ${many(killed, 'model')}${lost === 0 ? '' : `; ${lost} damage is lost`}.`,
  },
  counts: { killed: 'models', wounds: 'wounds', lost: 'damage' },
  examples: {
    phase: {
      attacker: { weapons: [{ attacks: 4, damage: 'd3', sustained: 1, lethal: true, devastating: true }] },
      defender: { models: 2, wounds: 2, save: 4, feelNoPain: 6 },
      maxRounds: 1,
    },
    fight: {
      attacker: { models: 2, save: 5, weapons: [{ bearers: 1, attacks: 'd3', rerollHits: 'ones' }, { bearers: 1 }] },
      defender: { wounds: 3, save: 4, invulnerable: 5, weapons: [{ attacks: 2, strength: 8, pierce: 1 }] },
    },
  },
  battle: (scenario) => {
    const { attacker, defender, maxRounds } = scenario;
    const total = ({ models, wounds }) => models * wounds;
    const arms = SIDES.flatMap(([side, enemy]) => scenario[side].weapons.map((_, k) => [side, enemy, k]));
    const isPhase = maxRounds === 1 && defender.weapons.length === 0;
    const losses = isPhase ? Math.min(101, Math.floor(65_535 / (total(defender) + 1))) : 1;
    /** Creates the metrics of a side that can be attacked: models killed and wounds lost. */
    const metrics = (side, unit) => ({
      [`killed.${side}`]: { min: 0, max: unit.models, of: (state) => unit.models - standing(state[side], unit) },
      [`wounds.${side}`]: { min: 0, max: total(unit), of: (state) => total(unit) - state[side] },
    });
    return {
      outcomes: ['attacker', 'defender'],
      atRoundLimit: 'undecided',
      metrics: {
        ...metrics('defender', defender),
        ...(isPhase && { 'lost.defender': { min: 0, max: losses - 1, of: (state) => state.lost } }),
        ...(defender.weapons.length > 0 && metrics('attacker', attacker)),
      },
      streams: Object.fromEntries(arms.map(([side, , k]) => [`${side}.${k + 1}`, 8])),
      start: () => ({ attacker: total(attacker), defender: total(defender), lost: 0, dice: 0, sure: 0 }),
      round: arms.flatMap(([side, enemy, k]) => strikes(side, enemy, k, scenario, losses)),
      outcome: (state) => (state.defender === 0 ? 'attacker' : state.attacker === 0 ? 'defender' : undefined),
    };
  },
});
