/** The page of a search for balance. */

import { RULESET, scenarioHash } from '../../../answers/digest.ts';
import type { Scenario } from '../../../rules/system.ts';
import { ascending, type Balance } from '../../../studies/balance/index.ts';
import {
  balanceTable,
  balanceVerdict,
  offTarget,
  rateText,
  reachOf,
  shownSettings,
  trustOf,
  wishOf,
} from '../../balance.ts';
import { headOf } from '../../effects.ts';
import { knownTo, percent, valueText, wantedScaleOf } from '../../figure.ts';
import { balancePicture } from '../../pictures/balance.ts';
import { sidesOf } from '../../sides.ts';
import { cleanText } from '../../text/clean.ts';
import { headLine } from '../../text/column.ts';
import { grouped, plain } from '../../text/digits.ts';
import { type Head, type Markup, markup, table } from '../markup.ts';
import { shellOf } from '../shell.ts';
import { SINGLE_STYLE } from './dress.ts';
import { answerOf, beside, commandOf, factsOf, paragraphs, picturesOf, type Subject, scenarioOf } from './parts.ts';
import { sheetOf } from './sheets.ts';

export interface BalanceSubject extends Subject {
  readonly scenario: Scenario;
  /** The command that goes on with a setting: `attacker.hp=30`. */
  readonly next: (set: readonly string[]) => string;
}

/** Settings of the search that are listed. */
const LISTED = 500;

function found(result: Balance, picture: Markup, { next }: BalanceSubject): Markup {
  const [best] = result.meeting;
  const go =
    best === undefined
      ? markup``
      : markup`<p>To see what this changes, battle by battle on the same dice:</p>${commandOf(next(result.fields.map((field, f) => `${field.path}=${String(best.values[f] ?? '')}`)))}`;
  return markup`<section id="settings"><h2>Settings</h2>
${beside(sheetOf(balanceTable(result)), picture)}${go}</section>`;
}

/** Every setting that was looked at, in the order of the search. */
function path(result: Balance): Markup {
  const { readings, fields, of } = result;
  const number = true;
  const heads: Head[] = [
    { head: 'step', number },
    ...fields.map((field) => ({ head: cleanText(field.path), number })),
    { head: cleanText(of), number },
    { head: headLine({ head: headOf('off target', result.kind) }), number },
    { head: 'known' },
  ];
  const rows = readings
    .slice(0, LISTED)
    .map(({ values, value, exact }, r) => [
      String(r + 1),
      ...values.map(plain),
      valueText(wantedScaleOf(result), { value }),
      offTarget(result, { value }),
      exact ? 'exact' : 'estimate',
    ]);
  const more = readings.length - rows.length;
  return markup`<section id="search"><h2>The search</h2>
${paragraphs(reachOf(result))}
<details><summary>All settings that were looked at, in the order of the search</summary>${table(heads, rows)}</details>
${more > 0 ? paragraphs([`The first ${grouped(LISTED)} of ${grouped(readings.length)} settings.`], 'note') : markup``}
${paragraphs(trustOf(result), 'note')}</section>`;
}

/** `As it is, attacker is 57.647 % (exact).` */
function presently(result: Balance): string[] {
  const { present, of } = result;
  const scale = wantedScaleOf(result);
  return present === undefined
    ? []
    : [`As it is, ${cleanText(of)} is ${valueText(scale, present)} (${knownTo(scale, present)}).`];
}

function asked(result: Balance, { command, scenario, name, version }: BalanceSubject): Markup {
  const { fields, seed, battles, error } = result;
  return markup`<section id="asked"><h2>What was asked</h2>
${factsOf([
  ['scenario', `${name}, ${scenarioHash(scenario)}`],
  ['system', `${scenario.system}, ruleset ${RULESET}`],
  ['target', wishOf(result)],
  ...fields.map(
    ({ path: field, low, high }) => ['varied', `${cleanText(field)}, ${plain(low)}..${plain(high)}`] as const,
  ),
  ['settings', grouped(result.looked)],
  [
    'battles',
    result.exact
      ? 'none, all values are exact'
      : `up to ${grouped(battles)} for a setting, error ${percent(plain, error)}`,
  ],
  ...(result.exact ? [] : [['seed', seed] as const]),
  ['version', `warpool ${version}`],
])}
${commandOf(command)}
${scenarioOf(scenario)}</section>`;
}

/** The whole page of a search for balance. */
export async function balancePage(result: Balance, subject: BalanceSubject): Promise<string> {
  const { name, version, scenario } = subject;
  const settings = shownSettings(result).toSorted((a, b) => ascending(a.values, b.values));
  const picture = balancePicture(result, settings, sidesOf(scenario));
  const footer = [
    name,
    scenario.system,
    wishOf(result),
    ...(result.exact ? [] : [`seed ${result.seed}`]),
    `warpool ${version}`,
  ].join(' · ');
  const drawn = await picturesOf(picture === undefined ? [] : [picture], footer);
  const stopped = result.finished ? markup`` : markup`<p class="open">The search was interrupted.</p>`;
  return shellOf({
    title: `${name}: balance`,
    lead: [
      scenario.system,
      wishOf(result),
      `by ${result.fields.map((field) => cleanText(field.path)).join(', ')}`,
    ].join(' · '),
    warpool: version,
    style: SINGLE_STYLE,
    before: markup`${stopped}${answerOf(balanceVerdict(result), [...rateText(result), ...presently(result)])}`,
    sections: [
      { id: 'settings', title: 'Settings', body: found(result, drawn, subject) },
      { id: 'search', title: 'The search', body: path(result) },
      { id: 'asked', title: 'What was asked', body: asked(result, subject) },
    ],
  });
}
