/**
 * How long a run is that is to tell the probability of every outcome to so much. At each look every outcome has an
 * interval of Clopper and Pearson; the run ends at the first look at which all are narrow enough.
 *
 * All intervals of all looks need not hold together, for a run looks at most of them in vain. Let `level` be what one
 * interval misses, m the outcomes, `most` the greatest count that is narrow enough at a look, [low, high] its interval,
 * and p the probability, folded to 0..1/2, of the outcome that is closest to 1/2.
 *
 * 1. At the first look with low > p, an outcome that is not yet narrow has a count above `most`, so its interval lies
 *    above its probability: it misses. So but for the misses of this one look, m x level together, no run gets further.
 * 2. At a look before it with p < high, that outcome cannot miss from above: if the run ends here, (m - 1/2) x level.
 * 3. At a look with p >= high the run ends only if that outcome counts `most` or less, or as many less than all
 *    battles: tails of the binomial law.
 *
 * The sum has its greatest values where p is 0, a low or a high, for in between it can only fall (the upper tails are
 * taken at 1/2): the supremum over all probabilities is the maximum of a few numbers. `level` is chosen so that it
 * is 5 % at most. In the spirit of J. Frey (Fixed-width sequential confidence intervals for a proportion, The American
 * Statistician 2010), who adjusts the level of an interval until the coverage under stopping is as stated.
 */
import { clopperPearson, lnTail } from './binomial.ts';
import { exp } from './elementary.ts';
import { ALPHA, type Look, places, roundUp, type Schedule } from './stopping.ts';

/** Each look has so many times the battles of the one before. */
const RATIO = 1.25;

/** The first look is where a probability of so many half-widths can be told: closer ones would overlap. */
const FIRST = 8;

function halfWidth(count: number, battles: number, level: number): number {
  const [low, high] = clopperPearson(count, battles, level);
  return (high - low) / 2;
}

/** Battles that suffice whatever the probabilities. */
function enough(precision: number, level: number): number {
  let battles = roundUp(1 / (precision * precision));
  for (let turn = 0; turn < 8; turn++) {
    const miss = halfWidth(Math.floor(battles / 2), battles, level) / precision;
    const next = roundUp(battles * miss * miss);
    if (next === battles) break;
    battles = next;
  }
  while (halfWidth(Math.floor(battles / 2), battles, level) > precision) battles = roundUp(battles + 1);
  return battles;
}

/** The share below 1/2 with so much variance, 0..1/4. */
function shareOf(variance: number): number {
  return (1 - Math.sqrt(Math.max(0, 1 - 4 * variance))) / 2;
}

/** The greatest count up to half the battles whose interval is narrow enough, or one a little below; -1 if there is none. */
function narrow(battles: number, precision: number, level: number): number {
  let count = Math.floor(battles / 2);
  for (let turn = 0; turn < 40; turn++) {
    const miss = halfWidth(count, battles, level) / precision;
    if (miss <= 1) return count;
    if (count === 0) return -1;
    const share = count / battles;
    const next = Math.floor(battles * shareOf((share * (1 - share)) / (miss * miss)));
    count = Math.max(0, Math.min(count - 1, next));
  }
  return -1;
}

/** A look with the interval of its greatest narrow count. */
interface Bounded extends Look {
  readonly low: number;
  readonly high: number;
}

function bounded(look: Look, level: number): Bounded {
  const [low, high] = look.most < 0 ? [0, 0] : clopperPearson(look.most, look.battles, level);
  return { ...look, low, high };
}

/** P(X <= most) at probability p, or 1 where that is below the mean. */
function below({ most, battles }: Look, p: number): number {
  return exp(Math.max(-600, lnTail(battles - most, battles, 1 - p)));
}

/** What a look before the last that matters adds to the error; see above. */
function added(look: Bounded, p: number, level: number, outcomes: number): number {
  if (look.most < 0) return 0;
  const near = p < look.high ? (outcomes - 0.5) * level : below(look, p);
  return Math.min(outcomes * level, near + below(look, 0.5));
}

/** A bound of the probability that some interval misses when the run ends, whatever the probabilities. */
export function errorBound(looks: readonly Look[], level: number, outcomes: number): number {
  const all = looks.map((look) => bounded(look, level));
  const turns = [0, ...all.flatMap(({ low, high }) => [low, high])].filter((p) => p <= 0.5);
  const errors = turns.map((p) => {
    const found = all.findIndex(({ low }) => low > p);
    const before = all.slice(0, found < 0 ? all.length - 1 : found);
    return before.reduce((sum, look) => sum + added(look, p, level, outcomes), outcomes * level);
  });
  return Math.max(...errors);
}

function looksAt(precision: number, level: number, most: number | undefined): Look[] {
  const last = enough(precision, level);
  const share = Math.min(0.5, FIRST * precision);
  const first = 4 * share * (1 - share) * last;
  return places(first, last, RATIO, most ?? last).map((battles) => ({
    battles,
    most: narrow(battles, precision, level),
  }));
}

/** How many intervals m outcomes need: of two, each tells the other. */
export function intervalsOf(outcomes: number): number {
  return outcomes === 2 ? 1 : outcomes;
}

/**
 * The looks of a run that ends once the 95 % intervals of all outcomes, which hold together, have at most this
 * half-width.
 * @param precision 1e-6..0.25
 * @param outcomes how many there can be
 * @param most battles that may be played; unless given, as many as can be needed
 */
export function outcomeLooks(precision: number, outcomes: number, most?: number): Schedule {
  const m = intervalsOf(outcomes);
  for (let level = ALPHA / m; ; level = Math.min(level * 0.97, ALPHA / (1.5 * m))) {
    const looks = looksAt(precision, level, most);
    if (errorBound(looks, level, m) <= ALPHA) return { looks, level };
  }
}

/** True if every count, or what it leaves, is within the threshold of a look. */
export function outcomesNarrow(counts: Iterable<number>, { battles, most }: Look): boolean {
  for (const count of counts) if (Math.min(count, battles - count) > most) return false;
  return true;
}
