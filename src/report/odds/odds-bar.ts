/** Parts of a bar of all outcomes. */
import type { Summary } from '../../stats/index.ts';
import type { ScenarioSide } from '../scenario/sides.ts';
import { findWinner, formatOutcomeLabel } from './outcome-names.ts';
import { formatEstimatedPercent, formatRoughPercent } from './probability-text.ts';

/** Part of a bar: an outcome, or a value of a metric. */
export interface BarPart {
  /** `Swordsmen`, `Both sides fall`, `3 or more` */
  readonly name: string;
  /** Probability, 0..1. */
  readonly p: number;
  /** Tone of the winner; undefined if there is none. */
  readonly tone: number | undefined;
}

export interface OddsPart extends BarPart {
  /** `57.65 %` */
  readonly share: string;
}

/** Part with its position. */
export interface PlacedPart extends BarPart {
  /** Sum of all parts before it. */
  readonly from: number;
  /** Number of parts before it with the same tone, which get different opacities. */
  readonly shade: number;
}

/** Computes the positions of parts. */
export function placeParts<T extends BarPart>(parts: readonly T[]): (T & PlacedPart)[] {
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

/** Maximum number of parts. */
const MAX_PARTS = 6;

function mergeRareOutcomes(rest: readonly OddsPart[]): OddsPart[] {
  if (rest.length < 2) return [...rest];
  const p = rest.reduce((sum, part) => sum + part.p, 0);
  return [{ name: `${String(rest.length)} other outcomes`, p, share: formatRoughPercent(p), tone: undefined }];
}

/** Creates the parts of the outcomes that occur: the first and the second side at the ends, others between them. */
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
