import { uniformInt } from 'pure-rand/distribution/uniformInt';
import type { IdiomaticBattle } from './battle.ts';

interface Player {
  readonly name: string;
  tokens: number;
  ships: number;
  stock: number;
  treasury: number;
  /** Acts after players without it. */
  readonly metalworking: boolean;
  /** Ships are spent only for the last token. */
  readonly tokensFirst: boolean;
  readonly takesTreasury: boolean;
  /** Tokens that take a city, and the result for a city that falls to the player. */
  readonly need: number;
  readonly becomes: number;
  lost: number;
}

const LIMIT = 4;

function isContested(players: readonly Player[], city: boolean): boolean {
  const present = players.filter(({ tokens }) => tokens > 0);
  return present.length > 1 && (city || present.reduce((sum, { tokens }) => sum + tokens, 0) > LIMIT);
}

function loseToken(from: Player): void {
  if (from.ships > 0 && (!from.tokensFirst || from.tokens === 1)) {
    from.ships--;
    return;
  }
  from.tokens--;
  from.stock++;
  from.lost++;
}

/** Returns the number of rounds that began. */
function fight(players: readonly Player[], city: boolean): number {
  let rounds = 0;
  while (isContested(players, city)) {
    rounds++;
    const order = players
      .filter(({ tokens }) => tokens > 0)
      .map((each) => ({ player: each, rank: each.tokens + (each.metalworking ? 1_000_000 : 0) }))
      .sort((a, b) => a.rank - b.rank);
    for (let next = 0; next < order.length; ) {
      const rank = order[next]?.rank;
      for (; next < order.length && order[next]?.rank === rank; next++) {
        const loser = order[next];
        if (loser !== undefined) loseToken(loser.player);
      }
      if (!isContested(players, city)) break;
    }
  }
  return rounds;
}

/** The shipped race for a pirate city, scenarios/token-conflict-pirates.yaml. */
export const tokenConflict: IdiomaticBattle = (rng) => {
  const rhodes: Player = {
    name: 'rhodes',
    tokens: uniformInt(rng, 5, 10),
    ships: 2,
    stock: 8,
    treasury: 0,
    metalworking: false,
    tokensFirst: true,
    takesTreasury: true,
    need: 6,
    becomes: 5,
    lost: 0,
  };
  const cyprus: Player = {
    name: 'cyprus',
    tokens: uniformInt(rng, 2, 8),
    ships: 0,
    stock: 2,
    treasury: 0,
    metalworking: true,
    tokensFirst: false,
    takesTreasury: false,
    need: 7,
    becomes: 6,
    lost: 0,
  };
  const barbarians: Player = {
    name: 'barbarians',
    tokens: uniformInt(rng, 1, 3) === 1 ? 1 : 0,
    ships: 0,
    stock: 0,
    treasury: 0,
    metalworking: false,
    tokensFirst: false,
    takesTreasury: false,
    need: 7,
    becomes: 6,
    lost: 0,
  };
  const players = [rhodes, cyprus, barbarians];
  let rounds = fight(players, true);
  let outcome = 'repelled';
  const attacker = [rhodes, cyprus].find(({ tokens }) => tokens > 0);
  if (attacker !== undefined && attacker.tokens < attacker.need) {
    attacker.lost += attacker.tokens;
    attacker.stock += attacker.tokens;
    attacker.tokens = 0;
  } else if (attacker !== undefined) {
    outcome = 'city-destroyed';
    barbarians.tokens += attacker.becomes;
    rounds += fight(players, false);
    barbarians.tokens = 0;
    if (attacker.takesTreasury) {
      const taken = Math.min(3, attacker.stock);
      attacker.stock -= taken;
      attacker.treasury += taken;
    }
  }
  return {
    outcome,
    metrics: {
      rounds,
      'left.rhodes': rhodes.tokens,
      'lost.rhodes': rhodes.lost,
      'lost.cyprus': cyprus.lost,
      'lost.barbarians': barbarians.lost,
      'treasury.rhodes': rhodes.treasury,
    },
  };
};
