/** The answer as one line to paste into a chat. */
import type { Summary } from '../../answers/summary.ts';
import type { Scenario } from '../../rules/system.ts';
import { type ShownSide, sidesOf } from '../sides.ts';
import { cleanText } from '../text/clean.ts';
import { plain } from '../text/digits.ts';
import { sentence } from '../text/sentence.ts';
import { chancePercent, sharePercent } from './chances.ts';
import { countersOf } from './counters.ts';
import { isNamed, labelOf, subjectOf, verb, winnerOf } from './names.ts';

/** Names of units that are their own plural. */
const MASS = /(?:infantry|artillery|cavalry|armour|armor|aircraft|s)$/;

/** `2 tanks`, `3 spearmen`, `4 infantry` */
export function counted(amount: number, name: string): string {
  if (amount === 1 || MASS.test(name)) return `${plain(amount)} ${name}`;
  if (name.endsWith('man')) return `${plain(amount)} ${name.slice(0, -3)}men`;
  return `${plain(amount)} ${/[^aeiou]y$/.test(name) ? `${name.slice(0, -1)}ies` : `${name}s`}`;
}

/** What a side brings: its units, which stand below `units` or have prices: `4 infantry, 2 tanks`; or only its name. */
function armyText(scenario: Scenario, sides: readonly ShownSide[], side: ShownSide): string {
  const name = subjectOf(side).text.replace(/^the /, '');
  const counters = countersOf(scenario, sides, side);
  const whole = counters.find(({ path }) => path === side.id);
  if (whole !== undefined) return `${name} ${plain(whole.value)}`;
  const units = counters.filter(
    ({ path, value, price }) => value > 0 && (price !== undefined || path.startsWith(`${side.id}.units.`)),
  );
  return units.length === 0 ? name : units.map((unit) => counted(unit.value, unit.name)).join(', ');
}

const uncapped = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** Outcomes that are named. */
const NAMED = 4;

/** `attacker wins 38.4 %`, `defender 60.1 %`, `both sides fall 1.5 %`: a verb for the first victory alone. */
function sharesText({ outcomes }: Summary, sides: readonly ShownSide[]): string {
  const came = outcomes.filter(({ p }) => p > 0).toSorted((a, b) => b.p - a.p);
  const won = sides.flatMap((side) => came.find(({ name }) => winnerOf(name, sides) === side) ?? []);
  const ordered = [...won, ...came.filter((outcome) => !won.includes(outcome))];
  const named = ordered.slice(0, NAMED);
  const rest = ordered.slice(NAMED).reduce((sum, { p }) => sum + p, 0);
  const parts = named.map((outcome, o) => {
    const share = chancePercent({ value: outcome.p, interval: outcome.ci95 });
    const winner = winnerOf(outcome.name, sides);
    if (!isNamed(outcome.name, winner)) return `${uncapped(labelOf(outcome.name, sides))} ${share}`;
    const subject = subjectOf(winner);
    return `${subject.text.replace(/^the /, '')}${o === 0 ? ` ${verb(subject, 'wins')}` : ''} ${share}`;
  });
  return [...parts, ...(rest > 0 ? [`otherwise ${sharePercent(rest, 1)}`] : [])].join(', ');
}

/**
 * `4 infantry, 2 tanks v 5 infantry, 1 fighter: attacker wins 38.42 %, defender 60.1 %, both sides fall 1.5 %`
 * @param summary exact, or of battles that were played: with the digits that these support
 */
export function answerText(scenario: Scenario, summary: Summary): string {
  const sides = sidesOf(scenario);
  const armies = sides.map((side) => armyText(scenario, sides, side));
  const who = armies.length === 0 ? cleanText(scenario.name ?? scenario.system) : armies.join(' v ');
  return `${sentence(who)}: ${sharesText(summary, sides)}`;
}
