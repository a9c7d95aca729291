/** Output of `best-response`: report and JSON. */

import type { BestResponse, PolicyCorrection } from '../../environments/index.ts';
import { createScenarioHeader, type ScenarioLabel } from '../json.ts';
import { formatPercent, formatPercentNumber } from '../sheet/estimated-value.ts';
import {
  bold,
  createDrawing,
  createFactLine,
  createNote,
  createOmission,
  createProse,
  createTable,
  type DeclaredColumn,
  formatBlocks,
  type Sheet,
  type SheetBlock,
} from '../sheet/sheet.ts';
import { formatDuration, formatExact, formatGrouped } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import { type TerminalStyle, type TextColumn, wrapSentence, wrapText } from '../text/table.ts';

/** Maximum number of states in the terminal. */
const MAX_ROWS = 10;

export function createBestResponseJson(optimum: BestResponse, label: ScenarioLabel) {
  return { ...optimum.toJSON(), ...createScenarioHeader(label, optimum.scenario, optimum.scenarioHash) };
}

/** Formats the observation of a state, without features that are 0. */
export function formatState({ observation }: Pick<PolicyCorrection, 'observation'>): string {
  return Object.entries(observation)
    .filter(([, value]) => value !== 0)
    .map(([name, value]) => `${sanitizeLine(name)} ${String(value)}`)
    .join(', ');
}

/** Wraps a list with commas, with line breaks only between items. */
export function wrapList(items: string, width: number): string[] {
  const whole = items.replace(/(?<!,) /g, '\u00A0');
  return wrapText(whole, 2, width).map((line) => line.replaceAll('\u00A0', ' '));
}

/** Formats actions, with their probabilities if there are several. */
export function formatActions(probabilities: Readonly<Record<string, number>>): string {
  const actions = Object.entries(probabilities);
  if (actions.length === 1) return sanitizeLine(actions[0]?.[0] ?? '');
  return actions.map(([name, share]) => `${sanitizeLine(name)} ${formatPercent(formatExact, share, 0)}`).join(', ');
}

export const formatPolicyAction = ({ policy }: PolicyCorrection): string => formatActions(policy);

function createOutcomeComparison({ outcomes, decisionStates }: BestResponse): SheetBlock[] {
  const decided = decisionStates > 0;
  const heads: TextColumn[] = [
    { head: 'outcome', align: 'left' },
    { head: decided ? 'optimum %' : 'exact %', align: 'point' },
    ...(decided ? [{ head: 'policy %', align: 'point' } as const] : []),
  ];
  const rows = outcomes
    .filter(({ bestResponse, policy }) => bestResponse > 0 || policy > 0)
    .map(({ name, bestResponse: best, policy: own }) => {
      const row = [name, bold(formatPercentNumber(formatExact, best, 4))];
      return decided ? [...row, formatPercentNumber(formatExact, own, 4)] : row;
    });
  return [{ kind: 'table', heads, rows }];
}

/** Share of the total loss of the policy that is due to a state, 0..1. */
export const computeLossShare = ({ visits, loss }: PolicyCorrection, { value, policyValue }: BestResponse): number =>
  (visits * loss) / (value - policyValue);

/** Maximum number of states in an HTML report. */
const MAX_LISTED_STATES = 200;

/** State in which the policy is not optimal. `state` is its number, from 1. */
interface CorrectionRow extends PolicyCorrection {
  readonly state: number;
  readonly share: number;
}

export const CORRECTION_COLUMNS: readonly DeclaredColumn<CorrectionRow>[] = [
  { head: 'state', about: 'state in which the policy is not optimal', cell: ({ state }) => String(state) },
  {
    ...{ head: 'observation', align: 'left', breaks: true },
    about: 'features that the player observes, without those that are 0',
    cell: formatState,
  },
  { head: 'point', align: 'left', about: 'decision point', cell: ({ decision }) => decision },
  { head: 'best', align: 'left', about: 'best action', cell: ({ bestAction }) => bestAction },
  { head: 'policy', align: 'left', breaks: true, about: 'actions of the policy', cell: formatPolicyAction },
  {
    head: 'visits',
    about: 'mean number of visits per battle under the policies of the scenario',
    cell: ({ visits }) => formatExact(visits, 4),
  },
  {
    head: 'loss',
    about: 'loss of expected reward per visit, with optimal actions afterwards',
    cell: ({ loss }) => formatExact(loss, 4),
  },
  {
    head: '% of loss',
    about: 'share of the total loss of the policy: visits times loss',
    cell: ({ share }) => formatPercentNumber(formatExact, share, 1),
  },
];

/** Creates the table of the states in which the policy is not optimal. */
function createCorrectionTable(optimum: BestResponse): SheetBlock[] {
  const all = optimum.corrections;
  const rows = all
    .slice(0, MAX_LISTED_STATES)
    .map((each, c) => ({ ...each, state: c + 1, share: computeLossShare(each, optimum) }));
  const left = all.length - rows.length;
  return [createTable(CORRECTION_COLUMNS, rows), ...(left > 0 ? [createOmission(`${formatGrouped(left)} more`)] : [])];
}

function createCorrectionBlocks(optimum: BestResponse): SheetBlock[] {
  const { corrections } = optimum;
  const shown = corrections.slice(0, MAX_ROWS);
  const formatLines = (look: TerminalStyle): string[] =>
    shown.flatMap((each) => {
      const share = formatPercent(formatExact, computeLossShare(each, optimum), 1);
      const figures = `visits ${formatExact(each.visits, 4)}, loss ${formatExact(each.loss, 4)}, ${share} of the difference`;
      return [
        ...wrapSentence(
          `${look.paint.bold(sanitizeLine(each.bestAction))} instead of ${formatPolicyAction(each)} (${figures})`,
          look,
        ),
        ...wrapList(formatState(each), look.width).map(look.paint.dim),
      ];
    });
  const left = corrections.length - shown.length;
  return [
    createProse(`States in which the policy is not optimal: ${formatGrouped(corrections.length)}`),
    createDrawing(
      (look) => [
        ...formatLines(look),
        ...(left > 0 ? formatBlocks([createOmission(`${formatGrouped(left)} more`)], look) : []),
      ],
      createCorrectionTable(optimum),
    ),
  ];
}

/** Names the policies of the opponents: `the policy of the scenario for blue`. Undefined if there are none. */
export function formatOpponentPolicy({ opponents }: BestResponse): string | undefined {
  const names = opponents.map(sanitizeLine);
  const last = names.pop();
  if (last === undefined) return undefined;
  if (names.length === 0) return `the policy of the scenario for ${last}`;
  return `the policies of the scenario for ${names.join(', ')} and ${last}`;
}

/** Creates the lines with the values of the best response and of the policy of the scenario. */
function createValueBlocks(optimum: BestResponse): SheetBlock[] {
  const { decisionStates, decisions: points, value, policyValue } = optimum;
  const where = points.length > 0 ? ` (decides ${points.join(', ')})` : '';
  const against = formatOpponentPolicy(optimum);
  return [
    createDrawing(({ paint }) => {
      const best = paint.bold(formatExact(value, 6));
      return decisionStates === 0
        ? [`Value: ${best}`]
        : [`Best response: ${best}${where}`, `Own policy:    ${formatExact(policyValue, 6)}`];
    }),
    ...(decisionStates === 0 || against === undefined ? [] : [createProse(`Against ${against}.`)]),
  ];
}

function createVerdictBlocks(optimum: BestResponse): SheetBlock[] {
  const { agent, decisionStates, corrections, decisions: points } = optimum;
  if (decisionStates === 0) {
    const where = points.length > 0 ? ` at ${points.join(', ')}` : '';
    return [createProse(`${sanitizeLine(agent)} has no decision to make${where}, so there is no policy to improve.`)];
  }
  return corrections.length > 0
    ? createCorrectionBlocks(optimum)
    : [createProse('The policy of the scenario is optimal.')];
}

export const formatReward = ({ reward }: BestResponse): string => (typeof reward === 'string' ? reward : 'custom');

/** Creates the report of a best response. */
export function createBestResponseSheet(optimum: BestResponse, name: string): Sheet {
  const { scenario, agent, error, warning } = optimum;
  const { decisionStates, positions, beliefs, steps, rounds, elapsedSeconds } = optimum;
  const made = [
    `${formatGrouped(decisionStates)} decisions in ${formatGrouped(positions)} positions`,
    ...(beliefs > 0 ? [`${formatGrouped(beliefs)} of them with hidden information`] : []),
    `${formatGrouped(steps)} steps`,
    `${formatGrouped(rounds)} ${rounds === 1 ? 'round' : 'rounds'}`,
    ...(error > 0 ? [`error below ${error.toExponential(0)}`] : []),
    formatDuration(elapsedSeconds),
  ];
  return [
    [
      createFactLine([
        bold(sanitizeLine(name)),
        scenario.system,
        sanitizeLine(agent),
        `reward ${formatReward(optimum)}`,
      ]),
    ],
    createValueBlocks(optimum),
    warning === undefined ? [] : [createNote(`Warning: ${sanitizeLine(warning)}`, 'yellow')],
    createOutcomeComparison(optimum),
    createVerdictBlocks(optimum),
    [createFactLine(made, 'dim')],
  ];
}
