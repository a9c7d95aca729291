/** Errors of rules and probabilities, as people read them. */

const { url: here } = import.meta;

/** Where this package lies: lines of its own are not told. */
const OWN = [new URL('..', here).href, '/dist/library/', '/dist/program/', '/dist/threads/', '/dist/src/', 'node:'];

const PATHS = OWN.map((each) => each.replace(/^file:\/\//, ''));

const isOwn = (frame: string): boolean => PATHS.some((path) => frame.includes(path));

/** Functions of this package that call rules: what lies below them is no line of the author. */
const CALLERS = /^\s+at (?:\S+\.)?(?:watch|waysOf|apart|playBattle|playSeeded|start|step|outcome|measure|key)\b/;

/** The line of the author that an error comes from: `duel.js:12:5`; empty if there is none. */
export function lineOf(error: unknown): string {
  const frames = error instanceof Error ? (error.stack ?? '').split('\n').filter((each) => /^\s+at /.test(each)) : [];
  const called = frames.findIndex((each) => isOwn(each) && CALLERS.test(each));
  const above = called < 0 ? frames : frames.slice(0, called);
  const frame = above.find((each) => /:\d+:\d+\)?$/.test(each) && !isOwn(each));
  return /[^/\\\s(]+:\d+:\d+(?=\)?$)/.exec(frame ?? '')?.[0] ?? '';
}

/** ` (duel.js:12:5)`, or nothing. */
export function at(error: unknown): string {
  const line = lineOf(error);
  return line === '' ? '' : ` (${line})`;
}

/** An error with the line of the author. */
export function told(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const name = error.name === 'RulesError' ? '' : `${error.name}: `;
  return `${name}${error.message}${at(error)}`;
}

/** A probability as people compare it. */
export function percent(probability: number): string {
  return `${String(Number((100 * probability).toPrecision(6)))} %`;
}
