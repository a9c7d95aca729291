/**
 * The game of cards and air tokens before a battle: both sides choose a card secretly, reveal both, and choose air
 * tokens secretly. The rest follows from the rules, so that payoffs are exact expectations over the dice.
 */
import { enumerateBranches } from '../../core/index.ts';
import type { Arsenal, CardGame, CardGameProvider, Payoff, Side } from '../system.ts';
import {
  type CardForce,
  type CardForces,
  type CardSelection,
  computeLeadGain,
  createForce,
  createSideDamage,
  ENEMY,
  getForces,
  listDiceSets,
  takeDamage,
} from './army.ts';
import { findWinner } from './model.ts';
import type { StrengthCards } from './schema.ts';

/** Counts the cards and the sets of air tokens of a side. */
function countStrategies(scenario: StrengthCards, side: Side): { readonly cards: number; readonly sets: number } {
  const { cards, tokens } = createForce(scenario, side);
  return { cards: cards.length, sets: 2 ** tokens.length };
}

/** Lists the members of each set of tokens; the first set is empty. */
function listTokenSets({ tokens }: CardForce): boolean[][] {
  return Array.from({ length: 2 ** tokens.length }, (_, bits) => tokens.map((_token, t) => (bits >> t) % 2 === 1));
}

function createArsenal(force: CardForce): Arsenal {
  const { cards, tokens } = force;
  const total = cards.reduce((sum, { weight }) => sum + weight, 0);
  const sets = listTokenSets(force);
  return {
    cards: cards.map(({ name }) => name),
    sets: sets.map((air) => tokens.filter((_, t) => air[t]).map(({ name }) => name)),
    cardWeights: cards.map(({ weight }) => weight / total),
    setWeights: sets.map((air) => tokens.reduce((p, { weight }, t) => p * (air[t] === true ? weight : 1 - weight), 1)),
  };
}

/** A card with a set of tokens, and their lead in half points. */
interface CardSetPlay extends CardSelection {
  readonly gain: number;
}

/** Lists the plays by card and set. */
function listPlays(force: CardForce): CardSetPlay[][] {
  const sets = listTokenSets(force);
  return force.cards.map((_, card) => sets.map((air) => ({ card, air, gain: computeLeadGain(force, { card, air }) })));
}

/** Expected remaining forces of a side. */
interface ExpectedRemains {
  readonly hp: number;
  /** Probability that a unit survives. */
  readonly alive: number;
}

/** Caches a function of a number. */
function memoizeByNumber<T>(make: (key: number) => T): (key: number) => T {
  const known = new Map<number, T>();
  return (key) => {
    let found = known.get(key);
    if (found === undefined) {
      found = make(key);
      known.set(key, found);
    }
    return found;
  };
}

/** Computes the remains of a side by damage, for a card with a number of symbols. */
function createSurvivorFunction(force: CardForce, symbols: number): (damage: number) => ExpectedRemains {
  return memoizeByNumber((damage) => {
    const [end] = enumerateBranches((chance) => takeDamage(createSideDamage(force, damage, symbols), chance));
    const hp = (end?.value.hp ?? []).reduce((sum, each) => sum + each, 0);
    return { hp, alive: Number(hp > 0) };
  });
}

/** Computes the remains of a side by its own card and the play of the enemy, each once. */
function createRemainsFunction(forces: CardForces, side: Side): (card: number, enemy: CardSetPlay) => ExpectedRemains {
  const own = forces[side];
  const enemy = forces[ENEMY[side]];
  const known = memoizeByNumber((symbols) => ({
    after: createSurvivorFunction(own, symbols),
    by: new Map<CardSetPlay, ExpectedRemains>(),
  }));
  return (card, play) => {
    const { after, by } = known(own.cards[card]?.symbols ?? 0);
    let found = by.get(play);
    if (found === undefined) {
      let [hp, alive] = [0, 0];
      for (const { value, probability } of enumerateBranches((chance) => chance.faces(listDiceSets(enemy, play)))) {
        const left = after(value);
        hp += probability * left.hp;
        alive += probability * left.alive;
      }
      found = { hp, alive };
      by.set(play, found);
    }
    return found;
  };
}

/** Creates the game of a scenario. Its cost is proportional to the product of all numbers of `sizeOf` of both sides. */
function createCardGame(scenario: StrengthCards, payoff: Payoff): CardGame {
  const forces = getForces(scenario);
  const { attacker, defender } = forces;
  const ofAttacker = createRemainsFunction(forces, 'attacker');
  const ofDefender = createRemainsFunction(forces, 'defender');
  const ahead = attacker.strength - defender.strength;

  function computePayoff(a: CardSetPlay, d: CardSetPlay): number {
    const won = findWinner(ahead + a.gain - d.gain, scenario.initiative) === 'attacker';
    if (payoff === 'win') return Number(won);
    if (payoff === 'capture') return won ? ofAttacker(a.card, d).alive : 0;
    const own = won || attacker.retreats ? ofAttacker(a.card, d).hp : 0;
    return own - (won && !defender.retreats ? 0 : ofDefender(d.card, a).hp);
  }

  const [attackers, defenders] = [listPlays(attacker), listPlays(defender)];
  return {
    attacker: createArsenal(attacker),
    defender: createArsenal(defender),
    games: attackers.map((own) => defenders.map((enemy) => own.map((a) => enemy.map((d) => computePayoff(a, d))))),
  };
}

export const cards: CardGameProvider<StrengthCards> = { sizeOf: countStrategies, game: createCardGame };
