/** Exact computation of coverage: propagates the distribution of a count through interim analyses. */
/** Probabilities below this are dropped. */
const NEGLIGIBLE = 1e-14;

/** Distribution of a count; element i is the probability of `from + i`. */
interface CountLaw {
  readonly from: number;
  readonly probabilities: Float64Array;
}

/** Computes the binomial distribution within eight standard deviations, starting from its mode. */
function binomial(n: number, p: number): CountLaw {
  const reach = Math.ceil(8 * Math.sqrt(n * p * (1 - p))) + 20;
  const mode = Math.floor((n + 1) * p);
  const from = Math.max(0, mode - reach);
  const law = new Float64Array(Math.min(n, mode + reach) - from + 1);
  law[mode - from] = 1;
  const odds = p / (1 - p);
  for (let x = mode; x > from; x--) law[x - 1 - from] = ((law[x - from] ?? 0) * x) / (n - x + 1) / odds;
  for (let x = mode + 1; x < from + law.length; x++)
    law[x - from] = ((law[x - 1 - from] ?? 0) * (n - x + 1) * odds) / x;
  const sum = law.reduce((total, part) => total + part, 0);
  return { from, probabilities: law.map((part) => part / sum) };
}

/** Removes negligible probabilities at both ends of a distribution. */
function trimmed({ from, probabilities: law }: CountLaw): CountLaw {
  const first = law.findIndex((part) => part > NEGLIGIBLE);
  const last = law.findLastIndex((part) => part > NEGLIGIBLE);
  return {
    from: from + Math.max(0, first),
    probabilities: first < 0 ? new Float64Array(1) : law.slice(first, last + 1),
  };
}

function added(one: CountLaw, two: CountLaw): CountLaw {
  const law = new Float64Array(one.probabilities.length + two.probabilities.length - 1);
  // Plain loops, because this takes most of the time.
  for (let i = 0; i < one.probabilities.length; i++) {
    const a = one.probabilities[i] ?? 0;
    if (a < NEGLIGIBLE) continue;
    for (let j = 0; j < two.probabilities.length; j++) law[i + j] = (law[i + j] ?? 0) + a * (two.probabilities[j] ?? 0);
  }
  return { from: one.from + two.from, probabilities: law };
}

/**
 * Computes the probability that the result at the end of a run is correct.
 * @param looks interim analyses; every run ends at the last one at the latest
 * @param ends  returns true if a run with this number of successes ends at the analysis
 * @param holds returns true if the result is then correct
 */
export function held<L extends { readonly battles: number }>(
  looks: readonly L[],
  p: number,
  ends: (count: number, look: L) => boolean,
  holds: (count: number, look: L) => boolean,
): number {
  let found = 0;
  let before = 0;
  let counted: CountLaw = { from: 0, probabilities: new Float64Array([1]) };
  for (const look of looks) {
    counted = trimmed(added(counted, binomial(look.battles - before, p)));
    before = look.battles;
    const { from, probabilities: law } = counted;
    for (const [i, part] of law.entries()) {
      if (part < NEGLIGIBLE || (look !== looks.at(-1) && !ends(from + i, look))) continue;
      if (holds(from + i, look)) found += part;
      law[i] = 0;
    }
  }
  return found;
}
