/** What `findBestResponse` prints, for people and for machines. */

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

/** States that are shown. */
const MAX_ROWS = 10;

export function createBestResponseJson(optimum: BestResponse, label: ScenarioLabel) {
  return { ...optimum.toJSON(), ...createScenarioHeader(label, optimum.scenario, optimum.scenarioHash) };
}

/** What there is in a state: features that are 0 go without saying. */
export function formatState({ observation }: PolicyCorrection): string {
  return Object.entries(observation)
    .filter(([, value]) => value !== 0)
    .map(([name, value]) => `${sanitizeLine(name)} ${String(value)}`)
    .join(', ');
}

/** Items with commas between them in lines that end between two of them, not within one. */
function wrapList(items: string, width: number): string[] {
  const whole = items.replace(/(?<!,) /g, '\u00A0');
  return wrapText(whole, 2, width).map((line) => line.replaceAll('\u00A0', ' '));
}

/** What the policy does in a state. */
export function formatPolicyAction({ policy }: PolicyCorrection): string {
  const actions = Object.entries(policy);
  if (actions.length === 1) return sanitizeLine(actions[0]?.[0] ?? '');
  return actions.map(([name, share]) => `${sanitizeLine(name)} ${formatPercent(formatExact, share, 0)}`).join(', ');
}

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

/** The share of all that the policy gives away which it gives away in a state, 0..1. */
export const computeLossShare = ({ visits, loss }: PolicyCorrection, { value, policyValue }: BestResponse): number =>
  (visits * loss) / (value - policyValue);

/** States that a page lists. */
const MAX_LISTED_STATES = 200;

/** A state in which the policy is not the best; the first one has the number 1. */
interface CorrectionRow extends PolicyCorrection {
  readonly state: number;
  readonly share: number;
}

export const CORRECTION_COLUMNS: readonly DeclaredColumn<CorrectionRow>[] = [
  { head: 'state', about: 'a state in which the policy is not the best', cell: ({ state }) => String(state) },
  {
    ...{ head: 'the player sees', align: 'left', breaks: true },
    about: 'what is observed in the state; features that are 0 are left out',
    cell: formatState,
  },
  { head: 'point', align: 'left', about: 'the decision point', cell: ({ decision }) => decision },
  { head: 'best', align: 'left', about: 'the best action', cell: ({ bestAction }) => bestAction },
  { head: 'the policy', align: 'left', breaks: true, about: 'what the policy does there', cell: formatPolicyAction },
  {
    head: 'visits',
    about: 'how often a battle comes to the state under the policies of the scenario',
    cell: ({ visits }) => formatExact(visits, 4),
  },
  {
    head: 'loss',
    about: 'what the policy loses there each time, by the best play from there on',
    cell: ({ loss }) => formatExact(loss, 4),
  },
  {
    head: '% of all',
    about: 'visits times loss, of all that the policy gives away',
    cell: ({ share }) => formatPercentNumber(formatExact, share, 1),
  },
];

/** The states in which the policy is not the best. */
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
  const lines = (look: TerminalStyle): string[] =>
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
    createProse(`States in which the policy is not the best: ${formatGrouped(corrections.length)}`),
    createDrawing(
      (look) => [
        ...lines(look),
        ...(left > 0 ? formatBlocks([createOmission(`${formatGrouped(left)} more`)], look) : []),
      ],
      createCorrectionTable(optimum),
    ),
  ];
}

/** Names the policies to which the best play is a response: `the policy of the scenario for blue`; nothing for one player. */
export function formatOpponentPolicy({ opponents }: BestResponse): string | undefined {
  const names = opponents.map(sanitizeLine);
  const last = names.pop();
  if (last === undefined) return undefined;
  if (names.length === 0) return `the policy of the scenario for ${last}`;
  return `the policies of the scenario for ${names.join(', ')} and ${last}`;
}

/** Shows both values: that of the best response, and that of the policy of the scenario. */
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
    return [
      createProse(
        `There is no decision for ${sanitizeLine(agent)} to make${where}: no policy to judge, and nothing to improve.`,
      ),
    ];
  }
  return corrections.length > 0
    ? createCorrectionBlocks(optimum)
    : [createProse('No policy is better than that of the scenario.')];
}

export const formatReward = ({ reward }: BestResponse): string => (typeof reward === 'string' ? reward : 'as given');

/** The sheet of an optimum. */
export function createBestResponseSheet(optimum: BestResponse, name: string): Sheet {
  const { scenario, agent, error, warning } = optimum;
  const { decisionStates, positions, beliefs, steps, rounds, elapsedSeconds } = optimum;
  const made = [
    `${formatGrouped(decisionStates)} decisions in ${formatGrouped(positions)} positions`,
    ...(beliefs > 0 ? [`${formatGrouped(beliefs)} of them with something hidden`] : []),
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
