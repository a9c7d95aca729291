/** Probabilities as people say them: `2 of 3 times`, `1 of 40 times`; and in per cent, never rounded to none or all. */
import { boundText, type Figure, percent, SHARE, valueText } from '../figure.ts';
import { fixed, grouped } from '../text/digits.ts';

/** Fractions that people say; beside them there are hundredths. */
const SAID: readonly (readonly [part: number, whole: number])[] = [
  [1, 2],
  ...[3, 4, 5].flatMap((whole) => Array.from({ length: whole - 1 }, (_, k) => [k + 1, whole] as const)),
  ...[1, 3, 7, 9].map((tenths) => [tenths, 10] as const),
].filter(([part, whole]) => whole !== 4 || part !== 2) as [number, number][];

/** A fraction is said for what is so close to it. */
const CLOSE = 0.01;

/** Closer than this it is said without "about". */
const SAME = 0.0005;

/** Rarer than this is said as 1 of so many. */
const RARE = 0.055;

/** Rarer than this has no fraction in the sentence. */
const HARDLY = 0.0005;

/** First digits of how many there are for one. */
const ROUND = [10, 12, 15, 20, 25, 30, 40, 50, 60, 80, 100];

/** `1 in so many`, rounded so that people can say it. */
export function oneIn(p: number): number {
  const decade = 10 ** Math.floor(Math.log10(1 / p) - 1);
  const wanted = 1 / p / decade;
  const nearest = ROUND.reduce((best, each) => {
    const apart = (n: number): number => Math.abs(Math.log(n / wanted));
    return apart(each) < apart(best) ? each : best;
  });
  return nearest * decade;
}

/** What is said for a probability: a part of a whole, or one of the words. */
type Said =
  | { readonly kind: 'never' | 'hardly' | 'almost' | 'always' }
  | { readonly kind: 'part'; readonly part: number; readonly whole: number; readonly about: boolean };

function saidOf(p: number): Said {
  if (p <= 0) return { kind: 'never' };
  if (p >= 1) return { kind: 'always' };
  if (p < HARDLY) return { kind: 'hardly' };
  if (1 - p < HARDLY) return { kind: 'almost' };
  const about = (part: number, whole: number): Said => {
    const apart = Math.abs(p - part / whole);
    return { kind: 'part', part, whole, about: apart > Math.min(SAME, Math.min(p, 1 - p) / 100) };
  };
  if (p < RARE) return about(1, oneIn(p));
  if (1 - p < RARE) return about(oneIn(1 - p) - 1, oneIn(1 - p));
  const near = SAID.find(([part, whole]) => Math.abs(p - part / whole) < CLOSE);
  if (near !== undefined) return about(...near);
  return { kind: 'part', part: Math.round(100 * p), whole: 100, about: false };
}

const TIMES = { never: 'never', hardly: 'hardly ever', almost: 'almost every time', always: 'every time' } as const;

const BATTLES = {
  never: 'in no battle',
  hardly: 'in hardly any battle',
  almost: 'in almost every battle',
  always: 'in every battle',
} as const;

/** How often somebody wins: `2 of 3 times`, `about half of the time`, `hardly ever`. */
export function timesText(p: number): string {
  const said = saidOf(p);
  if (said.kind !== 'part') return TIMES[said.kind];
  const { part, whole, about } = said;
  return `${about ? 'about ' : ''}${whole === 2 ? 'half of the time' : `${grouped(part)} of ${grouped(whole)} times`}`;
}

/** In how many battles something happens: `in 2 of 3 battles`. */
export function battlesText(p: number): string {
  const said = saidOf(p);
  if (said.kind !== 'part') return BATTLES[said.kind];
  const { part, whole, about } = said;
  return `in ${about ? 'about ' : ''}${whole === 2 ? 'half of the battles' : `${grouped(part)} of ${grouped(whole)} battles`}`;
}

/** Nobody counts battles of which one is rarer than this. */
const COUNTED = 1e-9;

/**
 * A known probability in per cent: `57.65 %`, `50 %`, `99.9972 %`. What is not certain is never `100 %`, what is possible
 * never `0 %`.
 * @param decimals unless more are needed
 */
export function sharePercent(p: number, decimals = 2): string {
  if (p > 0 && p < COUNTED) return 'under 0.0000001 %';
  if (p < 1 && 1 - p < COUNTED) return 'over 99.9999999 %';
  const isWhole = Math.abs(100 * p - Math.round(100 * p)) < COUNTED;
  // Two digits of what is near an end.
  const needed = 1 - Math.floor(Math.log10(100 * Math.min(p, 1 - p)));
  return percent(fixed, p, isWhole ? 0 : Math.max(decimals, needed));
}

/** The same without its sign: `58`, `<1`, `>99`. */
export function roughShare(p: number): string {
  const whole = Math.round(100 * p);
  if (p > 0 && whole === 0) return '<1';
  return p < 1 && whole === 100 ? '>99' : String(whole);
}

/** In whole per cent, for where there is no room: `58 %`, `<1 %`, `>99 %`. */
export const roughPercent = (p: number): string => `${roughShare(p)} %`;

/** In per cent, as finely as it is known. */
export function chancePercent({ value = 0, interval }: Figure): string {
  if (interval === undefined) return sharePercent(value);
  return boundText(SHARE, { value, interval }) ?? valueText(SHARE, { value, interval });
}

/** `57.65 %`; of what is rarer than one in some thousands `1 in 36 000, 0.0028 %`. */
export function preciseText(figure: Figure): string {
  const { value: p = 0, interval } = figure;
  const text = chancePercent(figure);
  if (interval !== undefined || p <= 0 || p >= 1) return text;
  if (Math.min(p, 1 - p) < COUNTED) return text;
  if (p < HARDLY) return `1 in ${grouped(oneIn(p))}, ${text}`;
  return 1 - p < HARDLY ? `${text}, all but 1 in ${grouped(oneIn(1 - p))}` : text;
}
