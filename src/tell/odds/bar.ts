/** What one bar of all outcomes shows. */
import type { Summary } from '../../answers/index.ts';
import type { ShownSide } from '../sides.ts';
import { chancePercent, roughPercent } from './chances.ts';
import { labelOf, winnerOf } from './names.ts';

/** A part of the bar. */
export interface OddsPart {
  /** The outcome, empty for several that are shown as one. */
  readonly name: string;
  readonly label: string;
  readonly p: number;
  /** `57.65 %` */
  readonly share: string;
  /** `58 %` */
  readonly rough: string;
  /** That of the side that wins; undefined if nobody does. */
  readonly tone: number | undefined;
}

/** Parts that a bar has, at most. */
const PARTS = 6;

function restOf(rest: readonly OddsPart[]): OddsPart[] {
  if (rest.length < 2) return [...rest];
  const p = rest.reduce((sum, part) => sum + part.p, 0);
  const label = `${String(rest.length)} other endings`;
  return [{ name: '', label, p, share: roughPercent(p), rough: roughPercent(p), tone: undefined }];
}

/** The outcomes that come: the first side at one end, the second at the other, what nobody wins between them. */
export function oddsOf({ outcomes }: Summary, sides: readonly ShownSide[]): OddsPart[] {
  const came = outcomes.filter(({ p }) => p > 0).toSorted((a, b) => b.p - a.p);
  const parts = came.map(({ name, p, ci95 }): OddsPart => {
    const share = chancePercent({ value: p, interval: ci95 });
    const tone = winnerOf(name, sides)?.tone;
    return { name, label: labelOf(name, sides), p, share, rough: roughPercent(p), tone };
  });
  const shown = parts.length > PARTS ? [...parts.slice(0, PARTS - 1), ...restOf(parts.slice(PARTS - 1))] : parts;
  const place = ({ tone }: OddsPart): number => {
    if (tone === undefined) return sides.length > 2 ? sides.length : 0.5;
    return tone;
  };
  return shown.toSorted((a, b) => place(a) - place(b));
}
