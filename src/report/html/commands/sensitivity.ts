/** HTML report of a sensitivity analysis. */

import type { Sensitivity, StepSensitivity } from '../../../analysis/index.ts';
import { labelField, type Scenario } from '../../../rules/index.ts';
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

/** Maximum number of fields that the answer names. */
const MAX_NAMED = 3;

/** `+2.9 points one step up, -3.1 points one step down` */
function formatSteps(field: StepSensitivity['fields'][number], { kind, of }: Sensitivity): string {
  const { down, up, ci95: interval, effect: value, standardError } = field;
  const shown = createEffectFormat(getDifferenceScale({ kind }), { value, interval, standardError });
  const show = (step: typeof up, word: string): string[] =>
    step === undefined ? [] : [`${addSign(shown.value(step.effect))} ${getEffectUnit(kind, of)} one step ${word}`];
  return [...show(up, 'up'), ...show(down, 'down')].join(', ');
}

/** Lists the fields with significant effects and texts of these effects, the strongest first. */
function listImportantFields(result: Sensitivity): (readonly [label: string, does: string])[] {
  const label = (path: string): string => sanitizeXmlText(labelField(result.scenario, path));
  if (result.method === 'step')
    return result.fields
      .filter(({ verdict }) => verdict === 'effect')
      .map((field) => [label(field.path), formatSteps(field, result)]);
  const does = (effect: number): string =>
    result.method === 'morris'
      ? `${formatSignificant(getScale(result).times * effect, 3)} ${getEffectUnit(result.kind, result.of)} mean absolute effect of a change through its range`
      : `${formatPercent(formatSignificant, effect, 3)} of the variance, including interactions`;
  return result.fields.filter(({ ci95: [low] }) => low > 0).map(({ path, effect }) => [label(path), does(effect)]);
}

/** Names the fields with the strongest effects. */
function formatAnswer(result: Sensitivity): string[] {
  const of = sanitizeXmlText(result.of);
  const [first, ...others] = listImportantFields(result);
  if (first === undefined) return [`No field has a significant effect on ${of}.`];
  const next = others.slice(0, MAX_NAMED - 1).map(([label, does]) => `${label} (${does})`);
  const more = others.length - next.length;
  const rest = [...next, ...(more > 0 ? [`${formatGrouped(more)} more`] : [])].join(', then ');
  return [`Strongest effect on ${of}: ${first[0]}, ${first[1]}.`, ...(rest === '' ? [] : [`Then ${rest}.`])];
}

/** Renders the HTML report of a sensitivity analysis. */
export async function renderSensitivityPage(result: Sensitivity, subject: SensitivityPageOrigin): Promise<string> {
  const { name, scenario } = subject;
  return await renderCommandPage(
    {
      title: `${name}: sensitivity of ${sanitizeXmlText(result.of)}`,
      sheet: createSensitivitySheet(result, name),
      answer: formatAnswer(result),
      warning: result.complete ? undefined : `The analysis was interrupted: ${formatCellCounts(result)}.`,
      pictures: result.fields.length === 0 ? [] : [createSensitivityFigure(result, getSides(scenario))],
      scenarios: [[name, scenario]],
    },
    subject,
  );
}
