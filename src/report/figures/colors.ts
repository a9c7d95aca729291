/** Colors of outcomes, metrics and fields in figures: the colors of their sides. */
import { findSide, type ScenarioSide } from '../scenario/sides.ts';
import { GREY, NEUTRAL_COLORS, SIDE_COLORS } from './theme.ts';

/** Color of lines, dots and bars of no side, dark enough for white paper. */
const NEUTRAL_COLOR = '#4d5359';

/** Color of the side of an outcome, metric or field; gray if it has none. */
export function getSideColor(name: string, sides: readonly ScenarioSide[]): string {
  const side = findSide(name, sides);
  return (side && SIDE_COLORS[side.tone]) ?? NEUTRAL_COLOR;
}

/**
 * Assigns distinct colors to outcomes: the colors of their sides, and grays for the others. If there are too few grays,
 * or no side is known, the others get colors that no side has, as far as available.
 * @param names the most important first
 */
function assignOutcomeColors(names: readonly string[], sides: readonly ScenarioSide[]): Map<string, string> {
  const findTone = (name: string): number | undefined => findSide(name, sides)?.tone;
  const others = names.filter((name) => findTone(name) === undefined);
  const taken = new Set(sides.map(({ tone }) => tone));
  const free = SIDE_COLORS.filter((_, tone) => !taken.has(tone));
  const palette = sides.length > 0 && others.length <= NEUTRAL_COLORS.length ? NEUTRAL_COLORS : free;
  return new Map(
    names.map((name) => {
      const tone = findTone(name);
      return [name, (tone === undefined ? palette[others.indexOf(name)] : SIDE_COLORS[tone]) ?? GREY];
    }),
  );
}

/** Assigns colors to the outcomes that occurred, in their order; the rarest share one if there are too many. */
export function assignObservedOutcomeColors(
  outcomes: readonly { readonly name: string; readonly p: number }[],
  sides: readonly ScenarioSide[],
): Map<string, string> {
  const came = outcomes.filter(({ p }) => p > 0).toSorted((a, b) => b.p - a.p);
  const own = new Set(came.slice(0, SIDE_COLORS.length).map(({ name }) => name));
  return assignOutcomeColors(
    outcomes.flatMap(({ name }) => (own.has(name) ? [name] : [])),
    sides,
  );
}

/** Colors of the lines of a chart, by their order. */
export function assignLineColors(names: readonly string[], sides: readonly ScenarioSide[]): string[] {
  if (names.length === 1) return names.map((name) => getSideColor(name, sides));
  return [...assignOutcomeColors(names, sides).values()];
}

/** Side at the other end of a color scale: the other one of two sides, otherwise none. */
export function findOpponent(name: string, sides: readonly ScenarioSide[]): ScenarioSide | undefined {
  const side = findSide(name, sides);
  return side === undefined || sides.length !== 2 ? undefined : sides.find((each) => each !== side);
}
