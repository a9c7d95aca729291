/** Colours of outcomes, metrics and fields in pictures: those of their sides. */
import { findSide, type ScenarioSide } from '../scenario/sides.ts';
import { GREY, NEUTRAL_COLORS, SIDE_COLORS } from './theme.ts';

/** Of a line, dot or bar that is nobody's: dark enough to be read by itself. */
const NEUTRAL_COLOR = '#4d5359';

/** The colour of the side that an outcome, a metric or a field is of; grey of what is nobody's. */
export function getSideColor(name: string, sides: readonly ScenarioSide[]): string {
  const side = findSide(name, sides);
  return (side && SIDE_COLORS[side.tone]) ?? NEUTRAL_COLOR;
}

/**
 * Colours that tell outcomes apart: those of their sides, greys for what is nobody's. Where that is too much for greys, and
 * where no side is known, the others have colours that no side has, as far as there are some.
 * @param names the more important ones first
 */
function assignOutcomeColors(names: readonly string[], sides: readonly ScenarioSide[]): Map<string, string> {
  const toneOf = (name: string): number | undefined => findSide(name, sides)?.tone;
  const others = names.filter((name) => toneOf(name) === undefined);
  const taken = new Set(sides.map(({ tone }) => tone));
  const free = SIDE_COLORS.filter((_, tone) => !taken.has(tone));
  const palette = sides.length > 0 && others.length <= NEUTRAL_COLORS.length ? NEUTRAL_COLORS : free;
  return new Map(
    names.map((name) => {
      const tone = toneOf(name);
      return [name, (tone === undefined ? palette[others.indexOf(name)] : SIDE_COLORS[tone]) ?? GREY];
    }),
  );
}

/** Colours of the outcomes that came, in their order; the rarest share one if there are too many. */
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

/** Of lines beside each other, by their order. */
export function assignLineColors(names: readonly string[], sides: readonly ScenarioSide[]): string[] {
  if (names.length === 1) return names.map((name) => getSideColor(name, sides));
  return [...assignOutcomeColors(names, sides).values()];
}

/** Who has the other end of a scale: of two sides the other one, of more nobody. */
export function findOpponent(name: string, sides: readonly ScenarioSide[]): ScenarioSide | undefined {
  const side = findSide(name, sides);
  return side === undefined || sides.length !== 2 ? undefined : sides.find((each) => each !== side);
}
