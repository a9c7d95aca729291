/**
 * Second implementation of token conflict, from the rule text and without the model, in plain loops over mutable
 * counts. It simulates battles whose counts are all numbers.
 */
import type { TokenConflict } from '../../src/rules/token-conflict/fields.ts';

type Counts = Record<string, number>;

interface Ground {
  readonly area: TokenConflict['areas'][number];
  readonly tokens: Counts;
  readonly ships: Counts;
  readonly adjacent: Counts;
}

export interface Ended {
  readonly outcome: string;
  readonly metrics: Counts;
}

const ownerOf = (city: string) => (city === 'pirates' ? 'barbarians' : city);

class Turn {
  readonly metrics: Counts = { rounds: 0 };
  readonly stock: Counts = {};
  readonly hand: Counts = {};
  readonly #scenario: TokenConflict;

  constructor(scenario: TokenConflict) {
    this.#scenario = scenario;
    for (const [name, { stock, hand }] of Object.entries(scenario.players)) {
      this.stock[name] = stock;
      this.hand[name] = hand;
    }
  }

  knows(name: string, advance: string): boolean {
    return this.#scenario.players[name]?.advances.some((each) => each === advance) ?? false;
  }

  count(metric: string, by: number): void {
    this.metrics[metric] = (this.metrics[metric] ?? 0) + by;
  }

  toStock(name: string, by: number): void {
    this.stock[name] = (this.stock[name] ?? 0) + by;
  }

  pay({ tokens, ships, adjacent }: Ground, name: string): void {
    const has = tokens[name] ?? 0;
    const sparing = this.#scenario.players[name]?.sacrifice === 'tokens-first' && has > 1;
    if (!sparing && (ships[name] ?? 0) > 0) {
      ships[name] = (ships[name] ?? 0) - 1;
      this.count(`pool.${name}`, 1);
    } else if (!sparing && (adjacent[name] ?? 0) > 0) {
      adjacent[name] = (adjacent[name] ?? 0) - 1;
      this.count(`pool.${name}`, 1);
      this.toStock(name, 1);
    } else {
      tokens[name] = has - 1;
      this.count(`lost.${name}`, 1);
      this.toStock(name, 1);
    }
  }

  fight(ground: Ground, city: boolean): void {
    const here = () => Object.keys(ground.tokens).filter((name) => (ground.tokens[name] ?? 0) > 0);
    const over = () => {
      const total = Object.values(ground.tokens).reduce((sum, each) => sum + each, 0);
      return here().length < 2 || (!city && total <= ground.area.limit);
    };
    while (!over()) {
      this.count('rounds', 1);
      const start = { ...ground.tokens };
      const names = here();
      // Players without Metalworking first, then players with it; within each group from one token upwards.
      for (const smith of [false, true]) {
        for (let size = 1; size <= 1000; size++) {
          const group = names.filter((name) => start[name] === size && this.knows(name, 'metalworking') === smith);
          if (group.length === 0) continue;
          for (const name of group) this.pay(ground, name);
          if (over()) break;
        }
        if (over()) break;
      }
    }
  }

  attack(ground: Ground, owner: string): string {
    const { tokens, area } = ground;
    const attacker = Object.keys(tokens).find((name) => name !== owner && (tokens[name] ?? 0) > 0);
    if (attacker === undefined) return 'repelled';
    const builds = this.knows(owner, 'engineering');
    const breaches = this.knows(attacker, 'engineering');
    let [need, becomes] = [this.#scenario.needed, this.#scenario.cityTokens];
    if (builds && !breaches) [need, becomes] = [8, this.#scenario.engineeringCity];
    if (breaches && !builds) [need, becomes] = [6, 5];
    const strength = tokens[attacker] ?? 0;
    if (strength < need) {
      tokens[attacker] = 0;
      this.count(`lost.${attacker}`, strength);
      this.toStock(attacker, strength);
      return 'repelled';
    }
    const pirates = area.city === 'pirates';
    const raised = pirates ? becomes : Math.min(becomes, this.stock[owner] ?? 0);
    if (!pirates) this.toStock(owner, -raised);
    tokens[owner] = (tokens[owner] ?? 0) + raised;
    this.fight(ground, false);
    if (pirates && this.#scenario.pirateSurvivors === 'remove') tokens['barbarians'] = 0;
    if (attacker !== 'barbarians') this.reward(attacker, owner, pirates);
    return 'city-destroyed';
  }

  reward(attacker: string, owner: string, pirates: boolean): void {
    const policies = this.#scenario.players[attacker];
    if (!pirates && (this.hand[owner] ?? 0) > 0 && policies?.takeCard !== false) {
      this.hand[owner] = (this.hand[owner] ?? 0) - 1;
      this.hand[attacker] = (this.hand[attacker] ?? 0) + 1;
      this.count(`cards.${attacker}`, 1);
    }
    if (policies?.takeTreasury === false) return;
    const gain = Math.min(this.#scenario.treasury, this.stock[attacker] ?? 0);
    this.toStock(attacker, -gain);
    this.count(`treasury.${attacker}`, gain);
  }
}

function groundOf(area: Ground['area'], { players }: TokenConflict): Ground {
  const owner = area.city === undefined ? [] : [ownerOf(area.city)];
  const names = new Set([...Object.keys(area.tokens), ...owner]);
  const per = (figure: (name: string) => number) => Object.fromEntries([...names].map((name) => [name, figure(name)]));
  const pool = (advance: 'navalWarfare' | 'advancedMilitary', field: 'ships' | 'adjacent') =>
    per((name) => (players[name]?.advances.includes(advance) ? (players[name][field][area.name] ?? 0) : 0));
  return {
    area,
    tokens: per((name) => Number(area.tokens[name] ?? 0)),
    ships: pool('navalWarfare', 'ships'),
    adjacent: pool('advancedMilitary', 'adjacent'),
  };
}

/** Returns the cities of an owner in the order of its policy. */
function ordered(cities: readonly Ground[], owner: string, { players }: TokenConflict): Ground[] {
  const policy = players[owner]?.cityOrder ?? 'file';
  const attackers = ({ tokens }: Ground) =>
    Object.entries(tokens).reduce((sum, [name, count]) => (name === owner ? sum : sum + count), 0);
  if (policy === 'file') return [...cities];
  if (policy === 'weakest-attack-first') return cities.toSorted((a, b) => attackers(a) - attackers(b));
  if (policy === 'strongest-attack-first') return cities.toSorted((a, b) => attackers(b) - attackers(a));
  const listed = policy.flatMap((name) => cities.filter(({ area }) => area.name === name));
  return [...new Set([...listed, ...cities])];
}

/**
 * Returns cities in the order of attacks: pirates, then by rank and file, each owner's cities by its policy among its
 * positions.
 */
function attackOrder(cities: readonly Ground[], scenario: TokenConflict): Ground[] {
  const rankOf = ({ area }: Ground) => scenario.players[area.city ?? '']?.rank ?? Number.POSITIVE_INFINITY;
  const pirates = cities.filter(({ area }) => area.city === 'pirates');
  const others = cities.filter(({ area }) => area.city !== 'pirates');
  const byFile: Ground[] = [];
  for (const rank of [...new Set(others.map(rankOf))].sort((a, b) => (a < b ? -1 : 1))) {
    byFile.push(...others.filter((ground) => rankOf(ground) === rank));
  }
  const queues = new Map<string, Ground[]>();
  for (const owner of new Set(byFile.map(({ area }) => area.city ?? ''))) {
    const own = byFile.filter(({ area }) => area.city === owner);
    queues.set(owner, ordered(own, owner, scenario));
  }
  return [...pirates, ...byFile.map(({ area }) => queues.get(area.city ?? '')?.shift())].filter(
    (ground) => ground !== undefined,
  );
}

export function bruteForce(scenario: TokenConflict): Ended {
  const turn = new Turn(scenario);
  const grounds = scenario.areas.map((area) => groundOf(area, scenario));
  for (const ground of grounds) turn.fight(ground, ground.area.city !== undefined);
  const results = new Map<Ground, string>();
  const cities = grounds.filter(({ area }) => area.city !== undefined);
  for (const ground of attackOrder(cities, scenario))
    results.set(ground, turn.attack(ground, ownerOf(ground.area.city ?? '')));
  for (const ground of grounds) {
    const left = Object.entries(ground.tokens).filter(([, tokens]) => tokens > 0);
    for (const [name, tokens] of left) turn.count(`left.${name}`, tokens);
    if (results.has(ground)) continue;
    results.set(ground, left.length > 1 ? 'coexist' : (left[0]?.[0] ?? 'empty'));
  }
  return { outcome: grounds.map((ground) => results.get(ground)).join(' + '), metrics: turn.metrics };
}
