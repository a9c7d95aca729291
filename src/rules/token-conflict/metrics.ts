/** What a battle reports, and the bounds of it. */
import type { Metric } from '../system.ts';
import { mostOf } from './counts.ts';
import { METRICS } from './layout.ts';
import type { Area, Plan } from './plan.ts';

/** Tokens that a city becomes at most by Engineering. */
const ENGINEERED = 7;

/** The most tokens that a city can become. */
export function cityTokensMax({ cityTokens }: Plan): number {
  return Math.max(cityTokens, ENGINEERED);
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0);

/** As many rounds as an area can see: nobody outlasts the second strongest, and a fallen city fights once more. */
function roundsIn({ contingents, city }: Area, cityTokens: number): number {
  const strengths = contingents.map(({ count, ships, adjacent }) => mostOf(count) + ships + adjacent);
  const owner = contingents.find(({ index }) => index === city?.owner);
  const second = strengths.sort((a, b) => b - a)[1] ?? 0;
  return second + (owner === undefined ? 0 : cityTokens + owner.ships + owner.adjacent);
}

/** Bounds of what is reported. */
export function metricsOf(plan: Plan): Metric[] {
  const { players, areas, contingents, treasury } = plan;
  const cityTokens = cityTokensMax(plan);
  const own = (p: number) => contingents.filter(({ player }) => player === p);
  const tokens = (p: number): number => {
    const cities = areas.filter(({ city }) => city?.player === p).length;
    return sum(own(p).map(({ count }) => mostOf(count))) + cityTokens * cities;
  };
  const pool = (p: number): number => sum(own(p).map(({ ships, adjacent }) => ships + adjacent));
  const attacked = (p: number): number => {
    if (players[p]?.barbarian === true) return 0;
    return own(p).filter(({ index, area }) => areas[area]?.city !== undefined && areas[area].city.owner !== index)
      .length;
  };
  const of = (max: (p: number) => number) => players.map(({ name }, p) => [name, max(p)] as const);
  return METRICS.bounded({
    rounds: sum(areas.map((area) => roundsIn(area, cityTokens))),
    left: of(tokens),
    lost: of(tokens),
    pool: of(pool),
    cards: of(attacked),
    treasury: of((p) => treasury * attacked(p)),
  });
}
