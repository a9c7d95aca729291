/** The page of a study of sensitivity. */
import type { Scenario } from '../../../rules/index.ts';
import type { Sensitivity, StepSensitivity } from '../../../studies/index.ts';
import { shownBy, unitOf } from '../../effects.ts';
import { gapScaleOf, percent, scaleOf, signed } from '../../figure.ts';
import { sensitivityPicture } from '../../pictures/sensitivity.ts';
import { answered, sensitivitySheet } from '../../sensitivity.ts';
import { sidesOf } from '../../sides.ts';
import { cleanText } from '../../text/clean.ts';
import { grouped, significant } from '../../text/digits.ts';
import { answerPage, type Subject } from './answer.ts';

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

/** Says which fields matter most. */
function answer(result: Sensitivity): string[] {
  const of = cleanText(result.of);
  const [first, ...others] = mattering(result);
  if (first === undefined) return [`No field is shown to have an effect on ${of}.`];
  const next = others.slice(0, NAMED - 1).map(([path, does]) => `${path} (${does})`);
  const more = others.length - next.length;
  const rest = [...next, ...(more > 0 ? [`${grouped(more)} more`] : [])].join(', then ');
  return [`${first[0]} matters most to ${of}: ${first[1]}.`, ...(rest === '' ? [] : [`Then ${rest}.`])];
}

/** The whole page of a study of sensitivity. */
export async function sensitivityPage(result: Sensitivity, subject: SensitivitySubject): Promise<string> {
  const { name, scenario } = subject;
  return await answerPage(
    {
      title: `${name}: sensitivity of ${cleanText(result.of)}`,
      sheet: sensitivitySheet(result, name),
      answer: answer(result),
      alarm: result.complete ? undefined : `The study was interrupted: ${answered(result)}.`,
      pictures: result.fields.length === 0 ? [] : [sensitivityPicture(result, sidesOf(scenario))],
      scenarios: [[name, scenario]],
    },
    subject,
  );
}
