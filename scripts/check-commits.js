/**
 * Checks the subjects of commits since FIRST: `area: imperative ...`, at most 72 characters. Merges are exempt. A clone
 * without FIRST (a shallow one) is not checked.
 *
 *     node scripts/check-commits.js
 */
import { execFileSync } from 'node:child_process';
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { enterRoot } from './files.js';

/** The last commit before subjects were checked. */
const FIRST = '9cf44f10';
const LONGEST = 72;

/** Verbs that end like other forms. */
const VERBS = [
  'address',
  'bring',
  'compress',
  'embed',
  'feed',
  'focus',
  'need',
  'pass',
  'process',
  'seed',
  'speed',
  'suppress',
];

/** Words that begin a description of a state, not an instruction. */
const NOUNS =
  /^(?:the|an?|what|who|how|which|where|no|all|each|every|one|it|there|some|more|new|now|for|in|of|not|only)$/i;

/** Finds the fault of a subject; undefined if there is none. @param {string} subject */
export function faultOf(subject) {
  if (subject.length > LONGEST) return `${subject.length} characters, at most ${LONGEST}`;
  const [, verb] = /^[a-z][a-z0-9,/ -]*: (\S+)/.exec(subject) ?? [];
  if (verb === undefined) return 'expected "area: imperative ..."';
  if (VERBS.includes(verb)) return undefined;
  if (NOUNS.test(verb) || /(?:ed|ing|[^s]s)$/.test(verb)) return `expected an imperative, found "${verb}"`;
  return undefined;
}

/** @param {string[]} args */
const git = (...args) => execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

function subjects() {
  try {
    return git('log', '--no-merges', '--format=%s', `${FIRST}..HEAD`).split('\n').filter(Boolean);
  } catch {
    return [];
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  enterRoot();
  const faults = subjects().flatMap((subject) => {
    const fault = faultOf(subject);
    return fault === undefined ? [] : [`${subject}\n  ${fault}`];
  });
  if (faults.length > 0) {
    process.stderr.write(`${faults.join('\n')}\n`);
    process.exitCode = 1;
  }
}
