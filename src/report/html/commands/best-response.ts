/** HTML report of a best response. */
import type { BestResponse } from '../../../environments/index.ts';
import { getSideColor } from '../../figures/colors.ts';
import { createDotPlotSpec, type Dot } from '../../figures/dot-plot.ts';
import type { Figure } from '../../figures/figure.ts';
import { SINGLE_COLUMN } from '../../figures/theme.ts';
import {
  computeLossShare,
  createBestResponseSheet,
  formatOpponentPolicy,
  formatPolicyAction,
  formatReward,
  formatState,
} from '../../policies/best-response.ts';
import { getSides } from '../../scenario/sides.ts';
import { formatPercent, SHARE, toPlotValue } from '../../sheet/estimated-value.ts';
import { formatExact, formatGrouped } from '../../text/number-format.ts';
import { sanitizeXmlText } from '../../text/sanitize.ts';
import { type PageOrigin, renderCommandPage } from './command-page.ts';

/** Maximum number of states in the figure. */
const MAX_LINES = 12;

/** Formats the values of the best response and of the policy of the scenario. */
function formatAnswer(optimum: BestResponse): string[] {
  const { agent, value, policyValue, corrections, decisionStates } = optimum;
  const against = formatOpponentPolicy(optimum);
  const response = against === undefined ? 'the optimal policy' : `the best response to ${against}`;
  const figures = `The value of a battle for ${sanitizeXmlText(agent)} is ${formatExact(value, 6)} by ${response} (reward ${sanitizeXmlText(formatReward(optimum))})`;
  if (decisionStates === 0) return [`${figures}; it has no decision to make.`];
  if (corrections.length === 0) return [`${figures}, and its own policy is optimal.`];
  return [
    `${figures}, ${formatExact(policyValue, 6)} by its own policy.`,
    `The policy loses ${formatExact(value - policyValue, 6)}, in ${formatGrouped(corrections.length)} states.`,
  ];
}

/** Creates the figure of the losses of the policy by state. */
function createLossFigure(optimum: BestResponse): Figure {
  const dots = optimum.corrections.slice(0, MAX_LINES).map((each, c): Dot => {
    const share = computeLossShare(each, optimum);
    const text = formatPercent(formatExact, share, 1);
    return {
      name: `${String(c + 1)}: ${sanitizeXmlText(each.bestAction)}`,
      ...toPlotValue(SHARE, share),
      colour: getSideColor(optimum.agent, getSides(optimum.scenario)),
      text,
      tooltip: `${sanitizeXmlText(each.bestAction)} instead of ${formatPolicyAction(each)}: ${text}\n${formatState(each)}`,
    };
  });
  const spec = createDotPlotSpec(dots, {
    title: 'losses of the policy',
    axis: 'share of the difference (%)',
    zero: true,
  });
  return {
    kind: 'effects',
    of: '',
    width: SINGLE_COLUMN,
    caption: 'Losses by state, numbered as in the table, with the best action.',
    spec,
  };
}

/** Renders the HTML report of a best response. */
export async function renderBestResponsePage(optimum: BestResponse, subject: PageOrigin): Promise<string> {
  const { name } = subject;
  const { scenario, agent, decisions: points, decisionStates, positions } = optimum;
  return await renderCommandPage(
    {
      title: `${name}: the best response of ${sanitizeXmlText(agent)}`,
      sheet: createBestResponseSheet(optimum, name),
      answer: formatAnswer(optimum),
      pictures: optimum.corrections.length > 1 ? [createLossFigure(optimum)] : [],
      facts: [
        ['decides', points.length === 0 ? 'nothing' : points.join(', ')],
        ['decisions', `${formatGrouped(decisionStates)} in ${formatGrouped(positions)} positions`],
      ],
      scenarios: [[name, scenario]],
    },
    subject,
  );
}
