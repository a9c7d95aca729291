/** The page of a study of sensitivity. */

import type { Sensitivity, StepSensitivity } from '../../../analysis/index.ts';
import type { Scenario } from '../../../rules/index.ts';
import { createSensitivityFigure } from '../../figures/sensitivity.ts';
import { getSides } from '../../scenario/sides.ts';
import { createEffectFormat, getEffectUnit } from '../../sensitivity/effect-format.ts';
import { createSensitivitySheet, formatCellCounts } from '../../sensitivity/sensitivity.ts';
import { addSign, formatPercent, getDifferenceScale, getScale } from '../../sheet/estimated-value.ts';
import { formatGrouped, formatSignificant } from '../../text/number-format.ts';
import { sanitizeXmlText } from '../../text/sanitize.ts';
import { type PageOrigin, renderCommandPage } from './command-page.ts';

export interface SensitivityPageOrigin extends PageOrigin {
  readonly scenario: Scenario;
}

/** Fields that the answer names. */
const MAX_NAMED = 3;

/** `+2.9 points one step up, -3.1 points one step down` */
function formatSteps(field: StepSensitivity['fields'][number], { kind, of }: Sensitivity): string {
  const { down, up, ci95: interval, effect: value, standardError } = field;
  const shown = createEffectFormat(getDifferenceScale({ kind }), { value, interval, standardError });
  const show = (step: typeof up, word: string): string[] =>
    step === undefined ? [] : [`${addSign(shown.value(step.effect))} ${getEffectUnit(kind, of)} one step ${word}`];
  return [...show(up, 'up'), ...show(down, 'down')].join(', ');
}

/** The fields that are shown to matter, the strongest first, and what they do. */
function listImportantFields(result: Sensitivity): (readonly [path: string, does: string])[] {
  if (result.method === 'step')
    return result.fields
      .filter(({ verdict }) => verdict === 'effect')
      .map((field) => [sanitizeXmlText(field.path), formatSteps(field, result)]);
  const does = (effect: number): string =>
    result.method === 'morris'
      ? `${formatSignificant(getScale(result).times * effect, 3)} ${getEffectUnit(result.kind, result.of)} by a passage through its range, in the mean`
      : `${formatPercent(formatSignificant, effect, 3)} of the variance, with its interactions`;
  return result.fields
    .filter(({ ci95: [low] }) => low > 0)
    .map(({ path, effect }) => [sanitizeXmlText(path), does(effect)]);
}

/** Says which fields matter most. */
function formatAnswer(result: Sensitivity): string[] {
  const of = sanitizeXmlText(result.of);
  const [first, ...others] = listImportantFields(result);
  if (first === undefined) return [`No field is shown to have an effect on ${of}.`];
  const next = others.slice(0, MAX_NAMED - 1).map(([path, does]) => `${path} (${does})`);
  const more = others.length - next.length;
  const rest = [...next, ...(more > 0 ? [`${formatGrouped(more)} more`] : [])].join(', then ');
  return [`${first[0]} matters most to ${of}: ${first[1]}.`, ...(rest === '' ? [] : [`Then ${rest}.`])];
}

/** The whole page of a study of sensitivity. */
export async function renderSensitivityPage(result: Sensitivity, subject: SensitivityPageOrigin): Promise<string> {
  const { name, scenario } = subject;
  return await renderCommandPage(
    {
      title: `${name}: sensitivity of ${sanitizeXmlText(result.of)}`,
      sheet: createSensitivitySheet(result, name),
      answer: formatAnswer(result),
      warning: result.complete ? undefined : `The study was interrupted: ${formatCellCounts(result)}.`,
      pictures: result.fields.length === 0 ? [] : [createSensitivityFigure(result, getSides(scenario))],
      scenarios: [[name, scenario]],
    },
    subject,
  );
}
