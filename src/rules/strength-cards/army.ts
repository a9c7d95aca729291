/** Resolved forces of each side of a scenario, with strengths in half points. */
import type { Chance, DiceSet, EventData, Faces } from '../../core/index.ts';
import type { Side } from '../system.ts';
import { type CardLossesPolicy, chooseNextLoss, sortByLossPolicy } from './policies.ts';
import {
  type Absorber,
  type CardEntry,
  listDieNames,
  readAbsorberEntry,
  type StrengthCards,
  sampleCards,
  sampleDice,
  sampleTokens,
  sampleUnits,
  type TokenEntry,
  type UnitEntry,
} from './schema.ts';

export const SIDES: readonly Side[] = ['attacker', 'defender'];
export const NAMES: Readonly<Record<Side, string>> = { attacker: 'Attacker', defender: 'Defender' };
export const ENEMY: Readonly<Record<Side, Side>> = { attacker: 'defender', defender: 'attacker' };

/** A unit in the area. */
export interface AreaUnit {
  readonly name: string;
  /** Printed strength, in whole points. */
  readonly strength: number;
  readonly hp: number;
}

/** An air token; common fields with cards. */
export interface AirToken {
  readonly name: string;
  /** In half points. */
  readonly strength: number;
  readonly dice: DiceSet;
  readonly weight: number;
}

export interface BattleCard extends AirToken {
  /** Added to the enemy's strength, in half points. */
  readonly enemyStrength: number;
  readonly symbols: number;
  /** True for the choice of no card. */
  readonly none: boolean;
}

/** Reports a rule that applies to the strength. */
export interface StrengthNote {
  readonly rule: string;
  readonly facts: EventData;
}

export interface CardForce {
  readonly side: Side;
  readonly units: readonly AreaUnit[];
  /** Unique names of units. */
  readonly names: readonly string[];
  /** Hit points of each unit, and of all together, before the battle. */
  readonly hp: readonly number[];
  readonly health: number;
  /** Indices of the units in the order of the losses policy. */
  readonly order: readonly number[];
  readonly losses: CardLossesPolicy;
  /** Dice of the units that roll. */
  readonly lot: DiceSet;
  /** Strength before cards and air support, in half points. */
  readonly strength: number;
  /** Explanation of the strength. */
  readonly notes: readonly StrengthNote[];
  /** Selectable cards, including `no card` if it can be chosen; never empty. */
  readonly cards: readonly BattleCard[];
  /** Air tokens; empty without air support. */
  readonly tokens: readonly AirToken[];
  /** Levels of fortification. */
  readonly levels: number;
  /** Order in which damage is absorbed, with the maximum points of each entry. */
  readonly absorb: readonly { readonly by: Absorber; readonly most: number }[];
  /** True if its survivors can retreat after a defeat. */
  readonly retreats: boolean;
}

export type CardForces = Readonly<Record<Side, CardForce>>;

/** Choice of no card, or of not using a token; nothing in a scenario can have this name. */
export const NONE = 'none';

/** Makes the names of items unique: a repeated name gets a number. */
function makeNamesUnique<T extends { readonly name: string }>(items: readonly T[]): T[] {
  const taken = new Set(items.map(({ name }) => name));
  return items.map((item, index) => {
    if (items.findIndex(({ name }) => name === item.name) === index) return item;
    let number = 2;
    while (taken.has(`${item.name} #${String(number)}`)) number++;
    const name = `${item.name} #${String(number)}`;
    taken.add(name);
    return { ...item, name };
  });
}

/** Formats half points. */
export function formatHalfPoints(halves: number): string {
  return String(halves / 2);
}

function listDice(scenario: StrengthCards, names: readonly string[]): Faces[] {
  return names.map((name) => {
    const die = Object.hasOwn(scenario.dice, name) ? scenario.dice[name] : sampleDice[name];
    if (die === undefined) throw new Error(`no die ${name}`);
    return die;
  });
}

function createToken(scenario: StrengthCards, entry: TokenEntry): AirToken {
  const sample = entry.sample === undefined ? undefined : sampleTokens[entry.sample];
  return {
    name: entry.name ?? entry.sample ?? 'Air token',
    strength: 2 * (entry.strength ?? sample?.strength ?? 0),
    dice: listDice(scenario, entry.dice ?? sample?.dice ?? []),
    weight: entry.weight,
  };
}

function createCard(scenario: StrengthCards, entry: CardEntry): BattleCard {
  const sample = entry.sample === undefined ? undefined : sampleCards[entry.sample];
  return {
    name: entry.name ?? entry.sample ?? 'Card',
    strength: 2 * (entry.strength ?? sample?.strength ?? 0),
    enemyStrength: 2 * (entry.enemyStrength ?? sample?.enemyStrength ?? 0),
    dice: listDice(scenario, entry.dice ?? sample?.dice ?? []),
    symbols: entry.hpSymbols ?? sample?.hpSymbols ?? 0,
    weight: entry.weight,
    none: false,
  };
}

/** Creates the hand, with the choice of no card if the hand is empty or `noCard` has a weight. */
function createHand(scenario: StrengthCards, side: Side): BattleCard[] {
  const { hand, noCard } = scenario[side];
  const none = { name: NONE, strength: 0, enemyStrength: 0, dice: [], symbols: 0, weight: noCard, none: true };
  if (hand.length === 0) return [{ ...none, weight: 1 }];
  const cards = hand.map((entry) => createCard(scenario, entry));
  return makeNamesUnique(noCard > 0 ? [...cards, none] : cards);
}

/** Returns the rule that prevents air support, if there is one. */
export function findGroundingRule({ theatre, weather }: StrengthCards): string | undefined {
  if (theatre === 'naval') return 'air.naval';
  return weather === 'mud' ? 'air.mud' : undefined;
}

function getPrintedUnit(entry: UnitEntry, side: Side): AreaUnit & { readonly dice: readonly string[] } {
  const sample = entry.sample === undefined ? undefined : sampleUnits[entry.sample];
  return {
    name: entry.name ?? entry.sample ?? 'Unit',
    strength: side === 'attacker' ? (entry.attack ?? sample?.attack ?? 0) : (entry.defense ?? sample?.defense ?? 0),
    hp: entry.hp ?? sample?.hp ?? 1,
    dice: listDieNames(entry.die ?? sample?.die),
  };
}

/** Computes the strength of a unit in half points, and the rule that reduces it, if there is one. */
function computeUnitStrength(
  scenario: StrengthCards,
  entry: UnitEntry,
  side: Side,
  supports: boolean,
): [number, StrengthNote[]] {
  const { name, strength } = getPrintedUnit(entry, side);
  const facts = { side: NAMES[side], unit: name, strength };
  if (entry.exhausted) return [0, [{ rule: 'strength.exhausted', facts }]];
  const across = entry.acrossRiver && (supports || side === 'attacker');
  if (!across || scenario.river === 'none') return [2 * strength, []];
  if (scenario.river === 'frozen') return [2 * strength, [{ rule: 'strength.frozen', facts }]];
  return [strength, [{ rule: 'strength.river', facts: { ...facts, half: formatHalfPoints(strength) } }]];
}

/** Computes the strength before cards and air support, with its explanation. */
function computeStrength(scenario: StrengthCards, side: Side): Pick<CardForce, 'strength' | 'notes'> {
  const { units, support, orderBonus } = scenario[side];
  const levels = side === 'defender' ? scenario.defender.fortification : 0;
  const sumEntries = (entries: readonly UnitEntry[], supports: boolean): [number, StrengthNote[]] => {
    const parts = entries.map((entry) => computeUnitStrength(scenario, entry, side, supports));
    return [parts.reduce((sum, [part]) => sum + part, 0), parts.flatMap(([, notes]) => notes)];
  };
  const [own, notes] = sumEntries(units, false);
  const [lent, lentNotes] = sumEntries(support, true);
  const strength = own + lent + 2 * orderBonus + 2 * levels;
  const facts = {
    side: NAMES[side],
    own: formatHalfPoints(own),
    support: formatHalfPoints(lent),
    order: orderBonus,
    levels,
  };
  return {
    strength,
    notes: [...notes, ...lentNotes, { rule: 'strength', facts: { ...facts, sum: formatHalfPoints(strength) } }],
  };
}

function createForce(scenario: StrengthCards, side: Side): CardForce {
  const { units, losses, airTokens, absorb, retreatTo } = scenario[side];
  const troops = units.map((entry) => getPrintedUnit(entry, side));
  const rolling = troops.filter((_, u) => units[u]?.exhausted === false);
  const named = makeNamesUnique(troops.map(({ name, strength, hp }) => ({ name, strength, hp })));
  return {
    side,
    units: named,
    names: named.map(({ name }) => name),
    hp: troops.map(({ hp }) => hp),
    health: troops.reduce((sum, { hp }) => sum + hp, 0),
    order: sortByLossPolicy(losses, troops),
    losses,
    lot: listDice(
      scenario,
      rolling.flatMap(({ dice }) => dice),
    ),
    ...computeStrength(scenario, side),
    cards: createHand(scenario, side),
    tokens:
      findGroundingRule(scenario) === undefined
        ? makeNamesUnique(airTokens.map((entry) => createToken(scenario, entry)))
        : [],
    levels: side === 'defender' ? scenario.defender.fortification : 0,
    absorb: (absorb ?? scenario.absorb).map(readAbsorberEntry),
    retreats: retreatTo !== 'none',
  };
}

const forcesByScenario = new WeakMap<StrengthCards, CardForces>();

/** Returns both sides of a scenario; cached, because observations need them at every state. */
export function getForces(scenario: StrengthCards): CardForces {
  let forces = forcesByScenario.get(scenario);
  if (forces === undefined) {
    forces = { attacker: createForce(scenario, 'attacker'), defender: createForce(scenario, 'defender') };
    forcesByScenario.set(scenario, forces);
  }
  return forces;
}

// Choices of a side.

export interface CardSelection {
  /** Index of its card; -1 before the choice. */
  readonly card: number;
  /** For each decided air token, true if it is used. */
  readonly air: readonly boolean[];
}

/** Computes the lead of a side by its cards and tokens, in half points. */
export function computeLeadGain({ cards, tokens }: CardForce, { card, air }: CardSelection): number {
  const played = cards[card];
  const lead = played === undefined ? 0 : played.strength - played.enemyStrength;
  return tokens.reduce((sum, { strength }, t) => (air[t] === true ? sum + strength : sum), lead);
}

const NO_DICE: DiceSet = [];

/** Lists the dice sets of a side: of its card, of its units, and of each token, empty for an unused one. */
export function listDiceSets({ cards, lot, tokens }: CardForce, { card, air }: CardSelection): DiceSet[] {
  return [cards[card]?.dice ?? NO_DICE, lot, ...tokens.map(({ dice }, t) => (air[t] === true ? dice : NO_DICE))];
}

// Absorbs damage of a side: by symbols of its card, levels of fortification, hit points of its units.

/** Remaining forces of a side. */
export interface DamageResult {
  /** Hit points by unit. */
  readonly hp: readonly number[];
  /** Lost levels of fortification. */
  readonly levels: number;
  /** Absorbed damage. */
  readonly absorbed: number;
}

/** Damage to a side. */
export interface SideDamage {
  readonly force: CardForce;
  readonly damage: number;
  /** Damage that each entry of the order absorbs. */
  readonly absorberShares: readonly number[];
  /** Total damage that each absorber takes. */
  readonly shares: Readonly<Record<Absorber, number>>;
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** @param symbols hit point symbols of the side's card */
export function createSideDamage(force: CardForce, damage: number, symbols: number): SideDamage {
  const room = { symbols, fortification: force.levels, units: force.health };
  const shares = { symbols: 0, fortification: 0, units: 0 };
  let left = damage;
  const places = force.absorb.map(({ by, most }) => {
    const taken = Math.min(left, most, room[by] - shares[by]);
    left -= taken;
    shares[by] += taken;
    return taken;
  });
  return { force, damage, absorberShares: places, shares };
}

/** Returns true if the choice of the unit for the next of `points` points of damage makes a difference. */
export function hasChoice(hp: readonly number[], points: number): boolean {
  return points > 0 && points < sum(hp) && hp.filter((left) => left > 0).length > 1;
}

/**
 * Computes hit points after damage, each point on a unit that the owner chooses.
 * @param hp before the damage
 * @param points damage to the units, at most the sum of their hit points
 * @param count number of points to apply at once
 */
export function applyDamage(
  force: CardForce,
  hp: readonly number[],
  points: number,
  count: number,
  chance: Chance,
): readonly number[] {
  if (count === 0) return hp;
  // If all units fall there is no decision.
  if (points === sum(hp)) return hp.map(() => 0);
  const left = [...hp];
  const { names } = force;
  const policy = (): string => names[chooseNextLoss(force.losses, force.order, left)] ?? '';
  let living = hp.includes(0) ? names.filter((_, u) => hp[u] !== 0) : names;
  for (let taken = 0; taken < count; taken++) {
    const name = living.length === 1 ? living[0] : chance.decide('losses', force.side, living, policy);
    const index = names.indexOf(name ?? '');
    left[index] = (left[index] ?? 0) - 1;
    if (left[index] === 0) living = living.filter((other) => other !== name);
  }
  return left;
}

function reportDamage(force: CardForce, damage: number, hp: readonly number[], chance: Chance): void {
  const side = NAMES[force.side];
  const hit = (): string[] =>
    force.units.flatMap(({ name, hp: before }, u) => {
      const left = hp[u] ?? 0;
      return left < before ? [`${name} ${String(before)} -> ${String(left)}`] : [];
    });
  chance.rule('absorb.units', () => ({ side, damage, units: hit().join(', ') }));
  if (!hp.includes(0)) return;
  const listLost = (): string[] => force.units.filter((_, u) => hp[u] === 0).map(({ name }) => name);
  chance.rule('lost', () => ({ side, units: listLost().join(', ') }));
}

/** Returns the first entry of the units, which applies the damage of all their entries. */
const findUnitsPosition = ({ absorb }: CardForce): number => absorb.findIndex(({ by }) => by === 'units');

/** Reports the damage that entries from..to-1 absorb, except units. */
function reportAbsorbed({ force, absorberShares }: SideDamage, from: number, to: number, chance: Chance): void {
  for (const [p, { by }] of force.absorb.entries()) {
    const taken = absorberShares[p] ?? 0;
    if (p < from || p >= to || by === 'units' || taken === 0) continue;
    chance.rule(`absorb.${by}`, () => ({ side: NAMES[force.side], taken }));
  }
}

/** Reports the damage that is absorbed before the units. */
export function absorbBeforeUnits(blow: SideDamage, chance: Chance): void {
  reportAbsorbed(blow, 0, findUnitsPosition(blow.force), chance);
}

/** Reports the damage to units, and the damage that is absorbed after them. */
export function absorbAfterUnits(blow: SideDamage, hp: readonly number[], chance: Chance): DamageResult {
  const { force, damage, shares } = blow;
  if (shares.units > 0) reportDamage(force, shares.units, hp, chance);
  reportAbsorbed(blow, findUnitsPosition(force) + 1, force.absorb.length, chance);
  const absorbed = shares.symbols + shares.fortification + shares.units;
  const left = damage - absorbed;
  if (left > 0) chance.rule('excess', () => ({ side: NAMES[force.side], left }));
  return { hp, levels: shares.fortification, absorbed };
}

/** Applies damage to a side, in its order of absorbers. */
export function takeDamage(blow: SideDamage, chance: Chance): DamageResult {
  const { force, shares } = blow;
  absorbBeforeUnits(blow, chance);
  return absorbAfterUnits(blow, applyDamage(force, force.hp, shares.units, shares.units, chance), chance);
}
