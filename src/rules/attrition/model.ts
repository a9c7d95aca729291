/** Damage of one hit; shared by the modes of attrition. */

import type { Chance, Dice } from '../../core/index.ts';
import { parseDice } from '../fields.ts';
import { encodeKey } from '../play-battle.ts';
import type { Model, State } from '../system.ts';
import { BLOWS, MASS_METRICS, MASS_PLACES, METRICS, PLACES } from './layout.ts';
import type { Attrition, AttritionUnit, Direct, Indirect, Mass } from './schema.ts';

type Hunter = Pick<AttritionUnit, 'name' | 'prey'>;
type PreyCandidate = Pick<AttritionUnit, 'name' | 'tags'>;

/** Adds the bonus on prey to the damage of a hit, if the hit does damage. */
function addPreyDamage(damage: number, bonus: number, hunter: Hunter, target: PreyCandidate, chance: Chance): number {
  if (damage < 1 || bonus === 0) return damage;
  chance.rule('prey', () => ({ hunter: hunter.name, target: target.name, bonus }));
  return damage + bonus;
}

/** Computes the bonus of `hunter` on `target` for any number of matching tags; 0 if it is not prey. */
export function computePreyBonus(scenario: Attrition, hunter: Hunter, target: PreyCandidate): number {
  return hunter.prey.some((tag) => target.tags.includes(tag)) ? scenario.preyDamage : 0;
}

/** Parses the dice of a scenario, with the maximum difference of two rolls. */
export function parseScenarioDice(scenario: Attrition): Dice & { readonly reach: number } {
  const { count, sides } = parseDice(scenario.dice);
  return { count, sides, reach: count * (sides - 1) };
}

// Direct combat: both roll attack and defense, both damages at the same time, until someone falls.

export interface DuelState extends State {
  readonly attacker: number;
  readonly defender: number;
  /** True if the attacker has struck in this round, but not the defender. */
  readonly struck: boolean;
}

/** A blow as fixed by the scenario: attack minus defense, bonus on prey, and whether it is possible. */
export interface Blow {
  readonly bonus: number;
  readonly prey: number;
  /** A harmless blow is not rolled. */
  readonly harmless: boolean;
}

/** Creates the blow of the attacker (`forth`) or of the defender. */
export function createBlow(scenario: Direct, forth: boolean): Blow {
  const [from, to] = forth ? [scenario.attacker, scenario.defender] : [scenario.defender, scenario.attacker];
  const bonus = (from.attack ?? 0) - to.defense;
  const harmless = from.attack === null || parseScenarioDice(scenario).reach + bonus < 1;
  return { bonus, prey: computePreyBonus(scenario, from, to), harmless };
}

function createDirectModel(scenario: Direct): Model<DuelState> {
  const { attacker, defender, maxRounds } = scenario;
  const dice = parseScenarioDice(scenario);
  const forth = createBlow(scenario, true);
  const back = createBlow(scenario, false);

  function rollStrike(state: DuelState, chance: Chance, first: boolean): number {
    const [blow, from, to] = first ? [forth, attacker, defender] : [back, defender, attacker];
    const before = first ? state.defender : state.attacker;
    if (blow.harmless) {
      chance.rule('direct.harmless', () => ({ from: from.name, to: to.name }));
      return before;
    }
    chance.seek(PLACES.positionOf(state.round), first ? BLOWS.attacker : BLOWS.defender);
    const damage = addPreyDamage(chance.excess(dice, blow.bonus), blow.prey, from, to, chance);
    const after = Math.max(0, before - damage);
    chance.rule('direct.blow', () => ({ from: from.name, to: to.name, damage, before, after }));
    return after;
  }

  return {
    outcomes: ['attacker', 'defender', 'mutual', 'stalemate'],
    metrics: METRICS.declare({ rounds: maxRounds, hp: [attacker.hp, defender.hp] }),
    maxRounds,
    roundsMetric: METRICS.at('rounds'),
    roundWords: PLACES.positionOf(1),
    start: () => ({ round: 0, attacker: attacker.hp, defender: defender.hp, struck: false }),
    step(state, chance) {
      const { attacker: ours, defender: theirs } = state;
      if (state.struck) {
        return { round: state.round, attacker: rollStrike(state, chance, false), defender: theirs, struck: false };
      }
      const begun = { round: state.round + 1, attacker: ours, defender: theirs, struck: true };
      chance.rule('round', () => ({ round: begun.round }));
      return { round: begun.round, attacker: ours, defender: rollStrike(begun, chance, true), struck: true };
    },
    resting: ({ struck }) => !struck,
    outcome(state) {
      if (state.struck) return undefined;
      if (state.attacker === 0) return state.defender === 0 ? 'mutual' : 'defender';
      if (state.defender === 0) return 'attacker';
      return forth.harmless && back.harmless ? 'stalemate' : undefined;
    },
    measure: (state) => METRICS.values({ rounds: state.round, hp: [state.attacker, state.defender] }),
    key: (state) => (state.attacker * (defender.hp + 1) + state.defender) * 2 + (state.struck ? 1 : 0),
  };
}

// An indirect exchange: one shot, answered at the same time by a defender who can shoot.

export interface ExchangeState extends State {
  readonly attacker: number;
  readonly defender: number;
  /** Number of finished shots of the exchange: 0, 1 or 2. */
  readonly shots: number;
}

/** A shot as fixed by the scenario. */
export interface Shot {
  readonly bonus: number;
  readonly prey: number;
  /** Rule that prevents the shot, by id. */
  readonly void: 'indirect.covered' | 'indirect.silent' | undefined;
}

function aimShot(scenario: Indirect, from: AttritionUnit, to: AttritionUnit): Omit<Shot, 'void'> {
  return {
    bonus: (from.ranged ?? 0) - to.defense - to.indirectDefense,
    prey: computePreyBonus(scenario, from, to),
  };
}

/** Creates the first shot. Cover stops it unless the shooter bypasses that cover. */
export function createFirstShot(scenario: Indirect): Shot {
  const { attacker, defender, cover } = scenario;
  const covered = cover !== 'none' && !attacker.bypassesCover.includes(cover);
  return { ...aimShot(scenario, attacker, defender), void: covered ? 'indirect.covered' : undefined };
}

/** Creates the shot back. The first shooter has no cover. */
export function createReturnShot(scenario: Indirect): Shot {
  const { attacker, defender, returnFire } = scenario;
  const silent = !returnFire || defender.ranged === null;
  return { ...aimShot(scenario, defender, attacker), void: silent ? 'indirect.silent' : undefined };
}

function createIndirectModel(scenario: Indirect): Model<ExchangeState> {
  const { attacker, defender, cover } = scenario;
  const dice = parseScenarioDice(scenario);
  const first = createFirstShot(scenario);
  const second = createReturnShot(scenario);

  function shoot(state: ExchangeState, chance: Chance): number {
    const forth = state.shots === 0;
    const [shot, from, to] = forth ? [first, attacker, defender] : [second, defender, attacker];
    const before = forth ? state.defender : state.attacker;
    if (shot.void !== undefined) {
      chance.rule(shot.void, () => ({ from: from.name, to: to.name, cover }));
      return before;
    }
    if (forth && cover !== 'none') chance.rule('indirect.bypass', () => ({ from: from.name, to: to.name, cover }));
    chance.seek(PLACES.positionOf(1), forth ? BLOWS.attacker : BLOWS.defender);
    const damage = addPreyDamage(chance.excess(dice, shot.bonus), shot.prey, from, to, chance);
    const after = Math.max(0, before - damage);
    chance.rule(forth ? 'indirect.shot' : 'indirect.return', () => ({
      from: from.name,
      to: to.name,
      damage,
      before,
      after,
    }));
    return after;
  }

  return {
    outcomes: ['attacker', 'defender', 'mutual', 'none'],
    metrics: METRICS.declare({ rounds: 1, hp: [attacker.hp, defender.hp] }),
    maxRounds: 1,
    roundsMetric: METRICS.at('rounds'),
    roundWords: PLACES.positionOf(1),
    start: () => ({ round: 0, attacker: attacker.hp, defender: defender.hp, shots: 0 }),
    step(state, chance) {
      const after = shoot(state, chance);
      if (state.shots === 0) return { ...state, round: 1, defender: after, shots: 1 };
      return { ...state, attacker: after, shots: 2 };
    },
    resting: ({ shots }) => shots !== 1,
    outcome(state) {
      if (state.shots < 2) return undefined;
      if (state.attacker === 0) return state.defender === 0 ? 'mutual' : 'defender';
      return state.defender === 0 ? 'attacker' : 'none';
    },
    measure: (state) => METRICS.values({ rounds: state.round, hp: [state.attacker, state.defender] }),
    key: (state) => (state.attacker * (defender.hp + 1) + state.defender) * 3 + state.shots,
  };
}

// Mass combat: everyone alive at the start of a round rolls one attack and one defense, used against
// all of the other parties; damage is divided by the number of combatants, so that bursts are limited.

export interface MassState extends State {
  readonly hp: readonly number[];
  /** Units that were alive when the round began; they all strike, regardless of later hits. */
  readonly standing: readonly boolean[];
  /** The defense of each combatant in this round, modifier included; 0 where it is not rolled. */
  readonly defences: readonly number[];
  /** The next roll: c for the defense of combatant c, count + c for its attack; 0 between rounds. */
  readonly next: number;
}

/** Lists the parties in the order in which they first appear. */
export function listParties({ combatants }: Mass): string[] {
  return [...new Set(combatants.map(({ party }) => party))];
}

/** Divides the damage of a blow that exceeds the defense by `excess`. */
function divideDamage({ massRounding }: Mass, excess: number, by: number): number {
  const half = massRounding === 'nearest' ? Math.floor(by / 2) : 0;
  return Math.floor((Math.max(0, excess) + half) / by);
}

function createMassModel(scenario: Mass): Model<MassState> {
  const { combatants, maxRounds } = scenario;
  const count = combatants.length;
  const places = MASS_PLACES.withSize(count);
  const parties = listParties(scenario);
  const dice = parseScenarioDice(scenario);
  const indices = [...combatants.keys()];
  const getParty = (c: number): string => combatants[c]?.party ?? '';
  const areHostile = (a: number, b: number): boolean => getParty(a) !== getParty(b);

  const getDivisor = (standing: readonly boolean[]): number =>
    standing.filter(Boolean).length - (scenario.massDivisor === 'n-1' ? 1 : 0);

  function canHurt(from: number, to: number, by: number): boolean {
    const [shooter, target] = [combatants[from], combatants[to]];
    if (shooter === undefined || target === undefined || shooter.attack === null) return false;
    return divideDamage(scenario, dice.reach + shooter.attack - target.defense, by) >= 1;
  }

  function isStuck(hp: readonly number[]): boolean {
    const living = indices.filter((c) => (hp[c] ?? 0) > 0);
    const by = getDivisor(hp.map((points) => points > 0));
    return !living.some((from) => living.some((to) => areHostile(from, to) && canHurt(from, to, by)));
  }

  /**
   * Computes the minimum steps: in the first round each combination of defenses is a state, from which the first attack
   * is rolled.
   */
  function computeLeastSteps(): number {
    if (isStuck(combatants.map(({ hp }) => hp))) return 0;
    return (dice.reach + 1) ** (count + 1);
  }

  function begin(state: MassState, chance: Chance): MassState {
    const round = state.round + 1;
    chance.rule('round', () => ({ round }));
    return { ...state, round, standing: state.hp.map((points) => points > 0), defences: combatants.map(() => 0) };
  }

  function rollDefence(state: MassState, c: number, chance: Chance): MassState {
    const combatant = combatants[c];
    if (combatant === undefined || !state.standing[c]) return state;
    chance.seek(places.positionOf(state.round, c) + places.parts.defence);
    const defence = chance.sum(dice) + combatant.defense;
    chance.rule('mass.defence', () => ({ who: combatant.name, defence }));
    return { ...state, defences: state.defences.with(c, defence) };
  }

  function rollAttack(state: MassState, c: number, chance: Chance): MassState {
    const shooter = combatants[c];
    if (shooter === undefined || !state.standing[c]) return state;
    if (shooter.attack === null) {
      chance.rule('mass.unarmed', () => ({ who: shooter.name }));
      return state;
    }
    chance.seek(places.positionOf(state.round, c) + places.parts.attack);
    const attack = chance.sum(dice) + shooter.attack;
    chance.rule('mass.attack', () => ({ who: shooter.name, attack }));
    const by = getDivisor(state.standing);
    const hp = state.hp.map((before, t) => {
      const target = combatants[t];
      if (target === undefined || !state.standing[t] || !areHostile(c, t)) return before;
      const excess = Math.max(0, attack - (state.defences[t] ?? 0));
      const share = divideDamage(scenario, excess, by);
      const damage = addPreyDamage(share, computePreyBonus(scenario, shooter, target), shooter, target, chance);
      const after = Math.max(0, before - damage);
      chance.rule('mass.hit', () => ({
        ...{ from: shooter.name, to: target.name, excess, by },
        ...{ prey: damage - share, damage, before, after },
      }));
      return after;
    });
    return { ...state, hp };
  }

  function countSurvivors(hp: readonly number[], party: string): number {
    return hp.filter((points, c) => points > 0 && getParty(c) === party).length;
  }

  return {
    outcomes: [...parties, 'mutual', 'stalemate'],
    metrics: MASS_METRICS.declare({
      rounds: maxRounds,
      hp: combatants.map(({ name, hp }) => [name, hp]),
      survivors: parties.map((party) => [party, combatants.filter((each) => each.party === party).length]),
    }),
    maxRounds,
    roundsMetric: MASS_METRICS.at('rounds'),
    roundWords: places.positionOf(1),
    leastSteps: computeLeastSteps(),
    start: () => ({
      round: 0,
      hp: combatants.map(({ hp }) => hp),
      standing: combatants.map(() => true),
      defences: combatants.map(() => 0),
      next: 0,
    }),
    step(state, chance) {
      const begun = state.next === 0 ? begin(state, chance) : state;
      const c = begun.next % count;
      const rolled = begun.next < count ? rollDefence(begun, c, chance) : rollAttack(begun, c, chance);
      return { ...rolled, next: (begun.next + 1) % (2 * count) };
    },
    resting: ({ next }) => next === 0,
    outcome(state) {
      if (state.next !== 0) return undefined;
      const alive = parties.filter((party) => countSurvivors(state.hp, party) > 0);
      if (alive.length <= 1) return alive[0] ?? 'mutual';
      return isStuck(state.hp) ? 'stalemate' : undefined;
    },
    measure: ({ round, hp }) =>
      MASS_METRICS.values({ rounds: round, hp, survivors: parties.map((party) => countSurvivors(hp, party)) }),
    key({ hp, standing, defences, next }) {
      if (next === 0) return encodeKey(hp);
      const who = standing.reduce((bits, isStanding) => 2 * bits + Number(isStanding), 0);
      return encodeKey([next, who, ...hp, ...defences]);
    },
  };
}

// The rules of each mode as a model.

export function createModel(scenario: Attrition): Model<State> {
  switch (scenario.mode) {
    case 'direct':
      return createDirectModel(scenario);
    case 'indirect':
      return createIndirectModel(scenario);
    case 'mass':
      return createMassModel(scenario);
  }
}
