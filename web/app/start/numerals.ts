/** Counts in digits and in words: "8", "1,000", "twenty-five", "two dozen". */

const SMALL = `zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
  seventeen eighteen nineteen`.split(/\s+/);
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');
const MULTIPLES = new Map(Object.entries({ pair: 2, couple: 2, dozen: 12, hundred: 100, thousand: 1000 }));

/** Words that mean one. */
const ONE_WORDS = ['a', 'an', 'single', 'lone'];

const VALUES = new Map([
  ...SMALL.map((word, value) => [word, value] as const),
  ...TENS.map((word, t) => [word, 10 * t + 20] as const),
  ...ONE_WORDS.map((word) => [word, 1] as const),
]);

/** Number words without articles. */
export const NUMERALS: readonly string[] = [...SMALL, ...TENS, ...MULTIPLES.keys()];

export const isArticle = (word: string): boolean => word === 'a' || word === 'an';

/** Returns whether a smaller number can follow: "hundred and five", "twenty five", but not "ten five". */
function canAdd(count: number, value: number): boolean {
  if (value === 0) return false;
  return (count >= 100 && count % 100 === 0) || (value < 10 && count % 10 === 0 && count % 100 >= 20);
}

/** Extends a number by its next word; undefined if the number ends before the word. */
function extendNumber(count: number | undefined, word: string): number | undefined {
  const value = VALUES.get(word);
  if (count === undefined) return value ?? MULTIPLES.get(word);
  if (value !== undefined) return canAdd(count, value) && !ONE_WORDS.includes(word) ? count + value : undefined;
  const multiple = MULTIPLES.get(word) ?? 0;
  return count > 0 && count < multiple ? count * multiple : undefined;
}

/** Parses the count that starts at a word. @returns the count, and the index of the word after it */
export function parseCountAt(words: readonly string[], from: number): { count: number; end: number } | undefined {
  const digits = /^x?(\d{1,15})x?$/.exec(words[from] ?? '')?.[1];
  let count = digits === undefined ? undefined : Number(digits);
  let end = digits === undefined ? from : from + 1;
  for (; end < words.length; end++) {
    const next = extendNumber(count, words[end] ?? '');
    if (next === undefined) break;
    count = next;
  }
  return count === undefined ? undefined : { count, end };
}

/** Digits in groups of three, with commas, spaces or apostrophes; a period could also be a decimal point. */
const GROUPED = /(?<![\p{L}\p{N}.,'_-])\d{1,3}([,' \u00A0\u202F\u2009])\d{3}(?:\1\d{3})*(?![\p{L}\p{N}]|[.,']\d)/gu;

const JOINED_NUMBERS = new RegExp(`\\b(hundred|thousand) and (?=(?:${[...SMALL, ...TENS].join('|')})\\b)`, 'g');
const HYPHENATED_NUMBERS = new RegExp(`\\b(${TENS.join('|')})-(?=(?:${SMALL.join('|')})\\b)`, 'g');

/** Joins the digits of each number, and separates number words; splits "4inf" and "8v5". */
export function separateNumbers(text: string): string {
  return text
    .replaceAll(GROUPED, (number) => number.replaceAll(/\D/g, ''))
    .replaceAll(/(?<![\p{L}\p{N}.,'-])(\d+)(?=(?!(?:st|nd|rd|th|ish)\b)\p{L}{2,}|[a-d][1-6]\b|v\d)/gu, '$1 ')
    .replaceAll(/\b(vs?)(?=\d)/g, '$1 ')
    .replaceAll(/(\d)\s*[x×](?=\s)/g, '$1 ')
    .replaceAll(/\s[x×]\s*(?=\d)/g, ' ')
    .replaceAll(JOINED_NUMBERS, '$1 ')
    .replaceAll(HYPHENATED_NUMBERS, '$1 ');
}
