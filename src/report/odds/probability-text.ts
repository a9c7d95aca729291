/** Probabilities in words (`2 of 3 times`, `1 of 40 times`) and in percent, never rounded to 0 % or 100 %. */
import { type EstimatedValue, formatBound, formatPercent, formatValue, SHARE } from '../sheet/estimated-value.ts';
import { formatFixed, formatGrouped } from '../text/number-format.ts';

/** Denominators of fractions. Other probabilities are hundredths. */
const SPOKEN_FRACTIONS: readonly (readonly [part: number, whole: number])[] = [
  [1, 2],
  ...[3, 4, 5].flatMap((whole) => Array.from({ length: whole - 1 }, (_, k) => [k + 1, whole] as const)),
  ...[1, 3, 7, 9].map((tenths) => [tenths, 10] as const),
].filter(([part, whole]) => whole !== 4 || part !== 2) as [number, number][];

/** Maximum distance of a probability from its fraction. */
const FRACTION_TOLERANCE = 0.01;

/** Maximum distance without "about". */
const EXACT_TOLERANCE = 0.0005;

/** Smaller probabilities are formatted as `1 of n`. */
const RARE_LIMIT = 0.055;

/** Smaller probabilities have no fraction. */
const NEGLIGIBLE_LIMIT = 0.0005;

/** Leading digits of n in `1 of n`. */
const ROUND = [10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100];

/** Rounds n of `1 in n`. */
export function roundOneIn(p: number): number {
  const decade = 10 ** Math.floor(Math.log10(1 / p) - 1);
  const wanted = 1 / p / decade;
  const nearest = ROUND.reduce((best, each) => {
    const computeDistance = (n: number): number => Math.abs(Math.log(n / wanted));
    return computeDistance(each) < computeDistance(best) ? each : best;
  });
  return nearest * decade;
}

/** Fraction or phrase of a probability. */
type SpokenProbability =
  | { readonly kind: 'never' | 'hardly' | 'almost' | 'always' }
  | { readonly kind: 'part'; readonly part: number; readonly whole: number; readonly about: boolean };

function toSpokenProbability(p: number): SpokenProbability {
  if (p <= 0) return { kind: 'never' };
  if (p >= 1) return { kind: 'always' };
  if (p < NEGLIGIBLE_LIMIT) return { kind: 'hardly' };
  if (1 - p < NEGLIGIBLE_LIMIT) return { kind: 'almost' };
  const approximateShare = (part: number, whole: number): SpokenProbability => {
    const apart = Math.abs(p - part / whole);
    return { kind: 'part', part, whole, about: apart > Math.min(EXACT_TOLERANCE, Math.min(p, 1 - p) / 100) };
  };
  if (p < RARE_LIMIT) return approximateShare(1, roundOneIn(p));
  if (1 - p < RARE_LIMIT) return approximateShare(roundOneIn(1 - p) - 1, roundOneIn(1 - p));
  const near = SPOKEN_FRACTIONS.find(([part, whole]) => Math.abs(p - part / whole) < FRACTION_TOLERANCE);
  if (near !== undefined) return approximateShare(...near);
  return { kind: 'part', part: Math.round(100 * p), whole: 100, about: false };
}

const TIMES = { never: 'never', hardly: 'hardly ever', almost: 'almost every time', always: 'every time' } as const;

const BATTLES = {
  never: 'in no battle',
  hardly: 'in hardly any battle',
  almost: 'in almost every battle',
  always: 'in every battle',
} as const;

/** Formats a probability as a frequency: `2 of 3 times`, `about half of the time`, `hardly ever`. */
export function formatTimes(p: number): string {
  const said = toSpokenProbability(p);
  if (said.kind !== 'part') return TIMES[said.kind];
  const { part, whole, about } = said;
  return `${about ? 'about ' : ''}${whole === 2 ? 'half of the time' : `${formatGrouped(part)} of ${formatGrouped(whole)} times`}`;
}

/** Formats a probability as a share of battles: `in 2 of 3 battles`. */
export function formatBattleShare(p: number): string {
  const said = toSpokenProbability(p);
  if (said.kind !== 'part') return BATTLES[said.kind];
  const { part, whole, about } = said;
  return `in ${about ? 'about ' : ''}${whole === 2 ? 'half of the battles' : `${formatGrouped(part)} of ${formatGrouped(whole)} battles`}`;
}

/** Smaller probabilities are not formatted as `1 in n`. */
const COUNTABLE_LIMIT = 1e-9;

/**
 * Formats a probability in percent: `57.65 %`, `50 %`, `99.9972 %`. Uncertain events are never `100 %`, possible events
 * never `0 %`.
 * @param decimals minimum number of decimals of values that are not whole percentages
 */
export function formatSharePercent(p: number, decimals = 2): string {
  if (p > 0 && p < COUNTABLE_LIMIT) return 'under 0.0000001 %';
  if (p < 1 && 1 - p < COUNTABLE_LIMIT) return 'over 99.9999999 %';
  const isWhole = Math.abs(100 * p - Math.round(100 * p)) < COUNTABLE_LIMIT;
  // Two significant digits near 0 % and 100 %.
  const needed = 1 - Math.floor(Math.log10(100 * Math.min(p, 1 - p)));
  return formatPercent(formatFixed, p, isWhole ? 0 : Math.max(decimals, needed));
}

/** Formats a probability in whole percent without the sign: `58`, `<1`, `>99`. */
export function formatRoughShare(p: number): string {
  const whole = Math.round(100 * p);
  if (p > 0 && whole === 0) return '<1';
  return p < 1 && whole === 100 ? '>99' : String(whole);
}

/** Formats a probability in whole percent, for narrow space: `58 %`, `<1 %`, `>99 %`. */
export const formatRoughPercent = (p: number): string => `${formatRoughShare(p)} %`;

/** Formats a probability in percent with the digits that its interval supports. */
export function formatEstimatedPercent({ value = 0, interval }: EstimatedValue): string {
  if (interval === undefined) return formatSharePercent(value);
  return formatBound(SHARE, { value, interval }) ?? formatValue(SHARE, { value, interval });
}

/** `57.65 %`; for rare events `1 in 36 000, 0.0028 %`. */
export function formatPreciseShare(figure: EstimatedValue): string {
  const { value: p = 0, interval } = figure;
  const text = formatEstimatedPercent(figure);
  if (interval !== undefined || p <= 0 || p >= 1) return text;
  if (Math.min(p, 1 - p) < COUNTABLE_LIMIT) return text;
  if (p < NEGLIGIBLE_LIMIT) return `1 in ${formatGrouped(roundOneIn(p))}, ${text}`;
  return 1 - p < NEGLIGIBLE_LIMIT ? `${text}, all but 1 in ${formatGrouped(roundOneIn(1 - p))}` : text;
}
