/** Output of `equilibrium`: report and JSON. */

import type { Equilibrium, EquilibriumDecision, PlayerPolicy, PolicyLoss } from '../../environments/index.ts';
import { createScenarioHeader, type ScenarioLabel } from '../json.ts';
import { formatPercent, formatPercentNumber } from '../sheet/estimated-value.ts';
import {
  bold,
  createDrawing,
  createFactLine,
  createOmission,
  createProse,
  formatBlocks,
  type Sheet,
  type SheetBlock,
} from '../sheet/sheet.ts';
import { formatDuration, formatExact, formatGrouped } from '../text/number-format.ts';
import { sanitizeLine } from '../text/sanitize.ts';
import { type TerminalStyle, wrapSentence } from '../text/table.ts';
import { formatActions, formatState, wrapList } from './best-response.ts';

/** Maximum number of decisions, and of states in which a policy loses. */
const MAX_ROWS = 10;

/** Smaller values are rounding errors. */
const ROUNDING = 5e-10;

export const formatValue = (value: number): string => formatExact(Math.abs(value) > ROUNDING ? value : 0, 6);

/** Creates the JSON of `exploitability`. */
export function createExploitabilityJson(solution: Equilibrium, label: ScenarioLabel) {
  const { strategies: _strategies, outcomes: _outcomes, ...rest } = createEquilibriumJson(solution, label);
  return rest;
}

/** Creates the JSON of `equilibrium`. */
export function createEquilibriumJson(solution: Equilibrium, label: ScenarioLabel) {
  return { ...solution.toJSON(), ...createScenarioHeader(label, solution.scenario, solution.scenarioHash) };
}

function createValueBlocks({ value, policyValue, players }: Equilibrium): SheetBlock[] {
  const name = sanitizeLine(players[0]?.player ?? '');
  return [
    createDrawing(({ paint }) => [
      `Value for ${name}: ${paint.bold(formatValue(value))}`,
      ...(policyValue === undefined ? [] : [`With the policies of the scenario: ${formatValue(policyValue)}`]),
    ]),
  ];
}

function createPlayerTable({ players, nashConv }: Equilibrium): SheetBlock[] {
  const rows = players.map(({ player, value, guaranteed, exploitability }) => [
    sanitizeLine(player),
    bold(formatValue(value)),
    guaranteed === undefined ? '' : formatValue(guaranteed),
    exploitability === undefined ? '' : formatValue(exploitability),
  ]);
  return [
    {
      kind: 'table',
      heads: [
        { head: 'player', align: 'left' },
        { head: 'equilibrium', align: 'point' },
        { head: 'policy against\nbest response', align: 'point' },
        { head: 'exploitability', align: 'point' },
      ],
      rows,
    },
    ...(nashConv === undefined || players.length < 2 ? [] : [createProse(`NashConv: ${formatValue(nashConv)}`)]),
    ...players
      .filter(({ guaranteed }) => guaranteed === undefined)
      .map(({ player }) =>
        createProse(
          `The policy of ${sanitizeLine(player)} depends on data that its features do not show, so it has no exploitability.`,
        ),
      ),
  ];
}

function createOutcomeTable({ outcomes }: Equilibrium): SheetBlock[] {
  const rows = outcomes
    .filter(({ equilibrium }) => equilibrium > ROUNDING)
    .map(({ name, equilibrium }) => [name, bold(formatPercentNumber(formatExact, equilibrium, 4))]);
  return [
    {
      kind: 'table',
      heads: [
        { head: 'outcome', align: 'left' },
        { head: 'equilibrium %', align: 'point' },
      ],
      rows,
    },
  ];
}

/** Creates a list with a sentence and the observed state for each item. */
function createStateList<T extends EquilibriumDecision | PolicyLoss>(
  title: string,
  items: readonly T[],
  describe: (item: T, look: TerminalStyle) => string,
): SheetBlock[] {
  const left = items.length - MAX_ROWS;
  const formatItem = (item: T, look: TerminalStyle): string[] => [
    ...wrapSentence(describe(item, look), look),
    ...wrapList(formatState(item), look.width).map(look.paint.dim),
  ];
  return [
    createProse(`${title}: ${formatGrouped(items.length)}`),
    createDrawing((look) => [
      ...items.slice(0, MAX_ROWS).flatMap((item) => formatItem(item, look)),
      ...(left > 0 ? formatBlocks([createOmission(`${formatGrouped(left)} more`)], look) : []),
    ]),
  ];
}

/** Formats actions without the prefix that names their decision point. */
const nameActions = (decision: string, actions: Readonly<Record<string, number>>): string =>
  formatActions(
    Object.fromEntries(Object.entries(actions).map(([name, share]) => [name.replace(`${decision}:`, ''), share])),
  );

/** Formats `one of several: card:Fire 0 to 50 %`. */
function describeRanges(decision: string, ranges: EquilibriumDecision['ranges'] = {}): string {
  const parts = Object.entries(ranges).map(([name, [least, greatest]]) => {
    const ends = [formatPercentNumber(formatExact, least, 0), formatPercent(formatExact, greatest, 0)];
    return `${sanitizeLine(name.replace(`${decision}:`, ''))} ${ends.join(' to ')}`;
  });
  return parts.length === 0 ? 'one of several' : `one of several: ${parts.join(', ')}`;
}

function describeDecision(item: EquilibriumDecision, { paint }: TerminalStyle): string {
  const { player, decision, equilibrium, policy, visits, roundsLeft, isUnique, ranges } = item;
  const facts = [
    `policy ${nameActions(decision, policy)}`,
    `visits ${formatExact(visits, 4)}`,
    ...(roundsLeft === undefined ? [] : [`${String(roundsLeft)} rounds left`]),
    ...(isUnique ? [] : [describeRanges(decision, ranges)]),
  ];
  return `${sanitizeLine(player)}: ${paint.bold(nameActions(decision, equilibrium))} (${facts.join(', ')})`;
}

function createStrategyBlocks({ strategies }: Equilibrium): SheetBlock[] {
  if (strategies.length === 0) return [createProse('Nobody has a decision to make.')];
  return createStateList('Decisions in the equilibrium', strategies, describeDecision);
}

/** Creates the list of the states in which a policy loses; empty if it is optimal. */
export function createLossBlocks({
  player,
  exploitability = 0,
  losses,
}: Pick<PlayerPolicy, 'player' | 'exploitability' | 'losses'>): SheetBlock[] {
  if (exploitability <= ROUNDING) return [];
  const describeLoss = (item: PolicyLoss, { paint }: TerminalStyle): string => {
    const share = formatPercent(formatExact, (item.visits * item.loss) / exploitability, 1);
    const figures = `visits ${formatExact(item.visits, 4)}, loss ${formatExact(item.loss, 4)}, ${share} of the exploitability`;
    const by = item.player === player ? '' : `${sanitizeLine(item.player)}: `;
    const [best, own] = [item.equilibrium, item.policy].map((actions) => nameActions(item.decision, actions));
    return `${by}${paint.bold(best ?? '')} instead of ${own ?? ''} (${figures})`;
  };
  return createStateList(`States in which the policy of ${sanitizeLine(player)} loses`, losses, describeLoss);
}

/** Creates the report of an equilibrium. */
export const createEquilibriumSheet = (solution: Equilibrium, name: string): Sheet =>
  createSolutionSheet(solution, name, [createOutcomeTable(solution), createStrategyBlocks(solution)]);

/** Creates the report of the exploitability of both policies. */
export const createExploitabilitySheet = (solution: Equilibrium, name: string): Sheet =>
  createSolutionSheet(solution, name, []);

/** Formats the size of a game. */
export const createSizeLine = ({
  positions,
  decisionStates,
  steps,
}: Pick<Equilibrium, 'positions' | 'decisionStates' | 'steps'>): string[] => [
  `${formatGrouped(positions)} positions, ${formatGrouped(decisionStates)} of them with decisions`,
  `${formatGrouped(steps)} steps`,
];

/** @param details blocks between the table of players and the states in which their policies lose */
function createSolutionSheet(solution: Equilibrium, name: string, details: Sheet): Sheet {
  const { scenario, reward, interval, players, rounds, elapsedSeconds } = solution;
  const [lower, upper] = interval;
  return [
    [
      createFactLine([
        bold(sanitizeLine(name)),
        scenario.system,
        `reward ${typeof reward === 'string' ? reward : 'custom'}`,
      ]),
    ],
    createValueBlocks(solution),
    createPlayerTable(solution),
    ...details,
    ...players.map(createLossBlocks).filter(({ length }) => length > 0),
    [
      createFactLine(
        [
          ...createSizeLine(solution),
          `${formatGrouped(rounds)} ${rounds === 1 ? 'round' : 'rounds'}`,
          `error at most ${(upper - lower).toExponential(0)}`,
          formatDuration(elapsedSeconds),
        ],
        'dim',
      ),
    ],
  ];
}
