/** What outcomes and tokens are worth to a player. */
import type { Weights } from '../rollout.ts';
import { mostOf } from './counts.ts';
import { metricsOf } from './metrics.ts';
import { CITY_FALLS, CITY_STANDS, JOINT } from './names.ts';
import { type Area, type Plan, termsOf } from './plan.ts';

/** By outcome of an area, what it is worth to each player; 0 where nothing is said. */
type Stakes = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** An area without a city is won by the player who alone is left in it, and lost by the others. */
function fieldStakes({ players }: Plan, { contingents }: Area): Stakes {
  const names = contingents.filter(({ count }) => mostOf(count) > 0).map(({ player }) => players[player]?.name ?? '');
  const stakesOf = (winner: string) => new Map(names.map((name) => [name, name === winner ? 1 : -1]));
  return new Map(names.map((winner) => [winner, stakesOf(winner)]));
}

/**
 * A city is won or lost by its owner and by those who can have enough tokens to take it. Its fall is worth nothing to
 * the latter if there are several: the outcome does not tell which of them has taken it.
 */
function cityStakes(plan: Plan, { contingents, city }: Area): Stakes {
  const { players } = plan;
  const owner = players[contingents.find(({ index }) => index === city?.owner)?.player ?? -1];
  const attackers = contingents
    .filter(
      ({ index, player, count }) =>
        index !== city?.owner && mostOf(count) >= termsOf(plan, players[player], owner).need,
    )
    .map(({ player }) => players[player]?.name ?? '');
  const stakesOf = (toOwner: number, toAttackers: number) =>
    new Map([[owner?.name ?? '', toOwner], ...attackers.map((name): [string, number] => [name, toAttackers])]);
  return new Map([
    [CITY_FALLS, stakesOf(-1, attackers.length === 1 ? 1 : 0)],
    [CITY_STANDS, stakesOf(1, -1)],
  ]);
}

/** For each area what its outcomes are worth. */
export function stakesOf(plan: Plan): readonly Stakes[] {
  return plan.areas.map((area) => (area.city === undefined ? fieldStakes : cityStakes)(plan, area));
}

/** The mean over the areas of what their outcomes are worth to a player. */
export function worthIn(stakes: readonly Stakes[], outcome: string, player: string): number {
  const names = outcome.split(JOINT);
  return stakes.reduce((sum, each, a) => sum + (each.get(names[a] ?? '')?.get(player) ?? 0), 0) / stakes.length;
}

/** Tokens left as a share of what the player can have at most, less the mean of the shares of all others. */
export function materialOf(plan: Plan, player: string): Weights {
  const tokens = metricsOf(plan).filter(({ name, max }) => name.startsWith('left.') && max > 0);
  const own = `left.${player}`;
  const others = tokens.filter(({ name }) => name !== own).length;
  return Object.fromEntries(tokens.map(({ name, max }) => [name, name === own ? 1 / max : -1 / (max * others)]));
}
