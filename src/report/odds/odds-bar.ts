/** What one bar of all outcomes shows. */
import type { Summary } from '../../stats/index.ts';
import type { ScenarioSide } from '../scenario/sides.ts';
import { findWinner, formatOutcomeLabel } from './outcome-names.ts';
import { formatEstimatedPercent, formatRoughPercent } from './probability-text.ts';

/** A part of a bar: a way in which battles end, or a number that they end with. */
export interface BarPart {
  /** `Swordsmen`, `Both sides fall`, `3 or more` */
  readonly name: string;
  /** 0..1 */
  readonly p: number;
  /** That of the side that wins; undefined if nobody does. */
  readonly tone: number | undefined;
}

export interface OddsPart extends BarPart {
  /** `57.65 %` */
  readonly share: string;
}

/** A part in its place. */
export interface PlacedPart extends BarPart {
  /** The sum of all parts before it. */
  readonly from: number;
  /** How many parts before it have its tone: neighbours of one colour are told apart by how much of it they have. */
  readonly shade: number;
}

/** The parts one after the other. */
export function placedParts<T extends BarPart>(parts: readonly T[]): (T & PlacedPart)[] {
  let from = 0;
  const seen = new Map<number | undefined, number>();
  return parts.map((part) => {
    const { p, tone } = part;
    const shade = seen.get(tone) ?? 0;
    seen.set(tone, shade + 1);
    from += p;
    return { ...part, from: from - p, shade };
  });
}

/** Parts that a bar has, at most. */
const MAX_PARTS = 6;

function mergeRareOutcomes(rest: readonly OddsPart[]): OddsPart[] {
  if (rest.length < 2) return [...rest];
  const p = rest.reduce((sum, part) => sum + part.p, 0);
  return [{ name: `${String(rest.length)} other endings`, p, share: formatRoughPercent(p), tone: undefined }];
}

/** The outcomes that come: the first side at one end, the second at the other, what nobody wins between them. */
export function createOddsParts({ outcomes }: Summary, sides: readonly ScenarioSide[]): OddsPart[] {
  const came = outcomes.filter(({ p }) => p > 0).toSorted((a, b) => b.p - a.p);
  const parts = came.map(({ name, p, ci95 }): OddsPart => {
    const share = formatEstimatedPercent({ value: p, interval: ci95 });
    return { name: formatOutcomeLabel(name, sides), p, share, tone: findWinner(name, sides)?.tone };
  });
  const shown =
    parts.length > MAX_PARTS
      ? [...parts.slice(0, MAX_PARTS - 1), ...mergeRareOutcomes(parts.slice(MAX_PARTS - 1))]
      : parts;
  const nobody = sides.length > 2 ? sides.length : 0.5;
  const place = ({ tone = nobody }: OddsPart): number => tone;
  return shown.toSorted((a, b) => place(a) - place(b));
}
