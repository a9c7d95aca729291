/** Colours of outcomes, metrics and fields in pictures: those of their sides. */
import { type ShownSide, sideIn } from '../sides.ts';
import { GREY, NOBODIES, SIDES } from './theme.ts';

/** Of a line, dot or bar that is nobody's: dark enough to be read by itself. */
const ALONE = '#4d5359';

/** The colour of the side that an outcome, a metric or a field is of; grey of what is nobody's. */
export function colourIn(name: string, sides: readonly ShownSide[]): string {
  const side = sideIn(name, sides);
  return (side && SIDES[side.tone]) ?? ALONE;
}

/**
 * Colours that tell outcomes apart: those of their sides, greys for what is nobody's. Where that is too much for greys, and
 * where no side is known, the others have colours that no side has, as far as there are some.
 * @param names the more important ones first
 */
function coloursFor(names: readonly string[], sides: readonly ShownSide[]): Map<string, string> {
  const toneOf = (name: string): number | undefined => sideIn(name, sides)?.tone;
  const others = names.filter((name) => toneOf(name) === undefined);
  const taken = new Set(sides.map(({ tone }) => tone));
  const free = SIDES.filter((_, tone) => !taken.has(tone));
  const palette = sides.length > 0 && others.length <= NOBODIES.length ? NOBODIES : free;
  return new Map(
    names.map((name) => {
      const tone = toneOf(name);
      return [name, (tone === undefined ? palette[others.indexOf(name)] : SIDES[tone]) ?? GREY];
    }),
  );
}

/** Colours of the outcomes that came, in their order; the rarest share one if there are too many. */
export function coloursOf(
  outcomes: readonly { readonly name: string; readonly p: number }[],
  sides: readonly ShownSide[],
): Map<string, string> {
  const came = outcomes.filter(({ p }) => p > 0).toSorted((a, b) => b.p - a.p);
  const own = new Set(came.slice(0, SIDES.length).map(({ name }) => name));
  return coloursFor(
    outcomes.flatMap(({ name }) => (own.has(name) ? [name] : [])),
    sides,
  );
}

/** Of lines beside each other, by their order. */
export function lineColours(names: readonly string[], sides: readonly ShownSide[]): string[] {
  if (names.length === 1) return names.map((name) => colourIn(name, sides));
  return [...coloursFor(names, sides).values()];
}

/** Who has the other end of a scale: of two sides the other one, of more nobody. */
export function opponentOf(name: string, sides: readonly ShownSide[]): ShownSide | undefined {
  const side = sideIn(name, sides);
  return side === undefined || sides.length !== 2 ? undefined : sides.find((each) => each !== side);
}
