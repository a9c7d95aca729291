/** The page of a study of sensitivity. */

import { RULESET, scenarioHash } from '../../../answers/digest.ts';
import type { Scenario } from '../../../rules/system.ts';
import type { Sensitivity, StepSensitivity } from '../../../studies/sensitivity/index.ts';
import { shownBy, unitOf } from '../../effects.ts';
import { gapScaleOf, percent, scaleOf, signed } from '../../figure.ts';
import { sensitivityPicture } from '../../pictures/sensitivity.ts';
import { answered, isExact, methodOf, sensitivityParts } from '../../sensitivity.ts';
import { sidesOf } from '../../sides.ts';
import { cleanText } from '../../text/clean.ts';
import { grouped, plain, significant } from '../../text/digits.ts';
import { sentence } from '../../text/sentence.ts';
import { type Markup, markup } from '../markup.ts';
import { shellOf } from '../shell.ts';
import { SINGLE_STYLE } from './dress.ts';
import { answerOf, beside, commandOf, factsOf, picturesOf, type Subject, scenarioOf } from './parts.ts';
import { sheetOf } from './sheets.ts';

export interface SensitivitySubject extends Subject {
  readonly scenario: Scenario;
}

/** Fields that the answer names. */
const NAMED = 3;

/** `+2.9 points one step up, -3.1 points one step down` */
function stepsText(field: StepSensitivity['fields'][number], { kind, of }: Sensitivity): string {
  const { down, up, ci95: interval, effect: value, standardError } = field;
  const shown = shownBy(gapScaleOf({ kind }), { value, interval, standardError });
  const show = (step: typeof up, word: string): string[] =>
    step === undefined ? [] : [`${signed(shown.value(step.effect))} ${unitOf(kind, of)} one step ${word}`];
  return [...show(up, 'up'), ...show(down, 'down')].join(', ');
}

/** The fields that are shown to matter, the strongest first, and what they do. */
function mattering(result: Sensitivity): (readonly [path: string, does: string])[] {
  if (result.method === 'step')
    return result.fields
      .filter(({ verdict }) => verdict === 'effect')
      .map((field) => [cleanText(field.path), stepsText(field, result)]);
  const does = (effect: number): string =>
    result.method === 'morris'
      ? `${significant(scaleOf(result).times * effect, 3)} ${unitOf(result.kind, result.of)} by a passage through its range, in the mean`
      : `${percent(significant, effect, 3)} of the variance, with its interactions`;
  return result.fields.filter(({ ci95: [low] }) => low > 0).map(({ path, effect }) => [cleanText(path), does(effect)]);
}

function answer(result: Sensitivity): Markup {
  const of = cleanText(result.of);
  const [first, ...others] = mattering(result);
  if (first === undefined) return answerOf(`No field is shown to have an effect on ${of}.`, []);
  const next = others.slice(0, NAMED - 1).map(([path, does]) => `${path} (${does})`);
  const more = others.length - next.length;
  const rest = [...next, ...(more > 0 ? [`${grouped(more)} more`] : [])].join(', then ');
  const unclear = result.fields.length - others.length - 1;
  const shown = unclear === 1 ? 'is not shown' : 'are not shown';
  return answerOf(`${first[0]} matters most to ${of}: ${first[1]}.`, [
    ...(rest === '' ? [] : [`Then ${rest}.`]),
    ...(unclear > 0
      ? [`${grouped(unclear)} of ${grouped(result.fields.length)} fields ${shown} to have an effect.`]
      : []),
  ]);
}

function asked(result: Sensitivity, { scenario, name, version, command }: SensitivitySubject): Markup {
  const { of, kind, seed, method } = result;
  const value =
    method === 'step'
      ? [
          [
            'as it is',
            `${plain(Number((scaleOf(result).times * result.value).toFixed(4)))}${scaleOf(result).sign}`,
          ] as const,
        ]
      : [];
  return markup`<section id="asked"><h2>What was asked</h2>
${factsOf([
  ['scenario', `${name}, ${scenarioHash(scenario)}`],
  ['system', `${scenario.system}, ruleset ${RULESET}`],
  [kind, cleanText(of)],
  ...value,
  ['method', method === 'step' ? 'single steps' : methodOf(result)],
  ['cells', answered(result)],
  ...(isExact(result) ? [] : [['seed', seed] as const]),
  ['version', `warpool ${version}`],
])}
${commandOf(command)}
${scenarioOf(scenario)}</section>`;
}

/** The whole page of a study of sensitivity. */
export async function sensitivityPage(result: Sensitivity, subject: SensitivitySubject): Promise<string> {
  const { name, version, scenario } = subject;
  const lead = [scenario.system, cleanText(result.of), sentence(methodOf(result)), answered(result)].join(' · ');
  const footer = [
    name,
    `warpool ${version}`,
    `sensitivity, ${result.method}`,
    ...(isExact(result) ? [] : [`seed ${result.seed}`]),
  ].join(' · ');
  const picture =
    result.fields.length === 0 ? markup`` : await picturesOf([sensitivityPicture(result, sidesOf(scenario))], footer);
  const stopped = result.complete
    ? markup``
    : markup`<p class="open">The study was interrupted: ${answered(result)}.</p>`;
  return shellOf({
    title: `${name}: sensitivity of ${cleanText(result.of)}`,
    lead,
    warpool: version,
    style: SINGLE_STYLE,
    before: markup`${stopped}${answer(result)}`,
    sections: [
      {
        id: 'effects',
        title: 'Effects',
        body: markup`<section id="effects"><h2>Effects, the strongest first</h2>
${beside(sheetOf(sensitivityParts(result).flat(), sidesOf(scenario)), picture)}</section>`,
      },
      { id: 'asked', title: 'What was asked', body: asked(result, subject) },
    ],
  });
}
