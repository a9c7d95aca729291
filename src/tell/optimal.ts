/** What `optimal` prints, for people and for machines. */

import type { Correction, Optimum } from '../agents/index.ts';
import { inPercent, percent } from './figure.ts';
import { head, type Label } from './json.ts';
import {
  bold,
  type DeclaredColumn,
  drawing,
  factLine,
  grid,
  leftOut,
  linesOf,
  note,
  prose,
  type Sheet,
  type SheetBlock,
} from './parts.ts';
import { clean } from './text/clean.ts';
import { duration, exactly, grouped } from './text/digits.ts';
import { type Column, flowed, type Look, wrapped } from './text/table.ts';

/** States that are shown. */
const ROWS = 10;

export function optimalJson(optimum: Optimum, label: Label) {
  return { ...optimum.toJSON(), ...head(label, optimum.scenario, optimum.scenarioHash) };
}

/** What there is in a state: features that are 0 go without saying. */
export function scene({ sees }: Correction): string {
  return Object.entries(sees)
    .filter(([, value]) => value !== 0)
    .map(([name, value]) => `${clean(name)} ${String(value)}`)
    .join(', ');
}

/** Items with commas between them in lines that end between two of them, not within one. */
function listed(items: string, width: number): string[] {
  const whole = items.replace(/(?<!,) /g, '\u00A0');
  return wrapped(whole, 2, width).map((line) => line.replaceAll('\u00A0', ' '));
}

/** What the policy does in a state. */
export function givenPolicy({ policy }: Correction): string {
  const actions = Object.entries(policy);
  if (actions.length === 1) return clean(actions[0]?.[0] ?? '');
  return actions.map(([name, share]) => `${clean(name)} ${percent(exactly, share, 0)}`).join(', ');
}

function outcomeTable({ outcomes, decisions }: Optimum): SheetBlock[] {
  const decided = decisions > 0;
  const heads: Column[] = [
    { head: 'outcome', align: 'left' },
    { head: decided ? 'optimum %' : 'exact %', align: 'point' },
    ...(decided ? [{ head: 'policy %', align: 'point' } as const] : []),
  ];
  const rows = outcomes
    .filter(({ best, given: own }) => best > 0 || own > 0)
    .map(({ name, best, given: own }) => {
      const row = [name, bold(inPercent(exactly, best, 4))];
      return decided ? [...row, inPercent(exactly, own, 4)] : row;
    });
  return [{ kind: 'table', heads, rows }];
}

/** The share of all that the policy gives away which it gives away in a state, 0..1. */
export const lossShare = ({ visits, loss }: Correction, { value, given: own }: Optimum): number =>
  (visits * loss) / (value - own);

/** States that a page lists. */
const LISTED = 200;

/** A state in which the policy is not the best; the first one has the number 1. */
interface NumberedCorrection extends Correction {
  readonly state: number;
  readonly share: number;
}

export const CORRECTION_COLUMNS: readonly DeclaredColumn<NumberedCorrection>[] = [
  { head: 'state', about: 'a state in which the policy is not the best', cell: ({ state }) => String(state) },
  {
    ...{ head: 'the player sees', align: 'left', breaks: true },
    about: 'what is observed in the state; features that are 0 are left out',
    cell: scene,
  },
  { head: 'point', align: 'left', about: 'the decision point', cell: ({ point }) => point },
  { head: 'best', align: 'left', about: 'the best action', cell: ({ best }) => best },
  { head: 'the policy', align: 'left', breaks: true, about: 'what the policy does there', cell: givenPolicy },
  {
    head: 'visits',
    about: 'how often a battle comes to the state under the policies of the scenario',
    cell: ({ visits }) => exactly(visits, 4),
  },
  {
    head: 'loss',
    about: 'what the policy loses there each time, by the best play from there on',
    cell: ({ loss }) => exactly(loss, 4),
  },
  {
    head: '% of all',
    about: 'visits times loss, of all that the policy gives away',
    cell: ({ share }) => inPercent(exactly, share, 1),
  },
];

/** The states in which the policy is not the best. */
function correctionTable(optimum: Optimum): SheetBlock[] {
  const all = optimum.corrections;
  const rows = all.slice(0, LISTED).map((each, c) => ({ ...each, state: c + 1, share: lossShare(each, optimum) }));
  const left = all.length - rows.length;
  return [grid(CORRECTION_COLUMNS, rows), ...(left > 0 ? [leftOut(`${grouped(left)} more`)] : [])];
}

function correctionParts(optimum: Optimum): SheetBlock[] {
  const { corrections } = optimum;
  const shown = corrections.slice(0, ROWS);
  const lines = (look: Look): string[] =>
    shown.flatMap((each) => {
      const share = percent(exactly, lossShare(each, optimum), 1);
      const figures = `visits ${exactly(each.visits, 4)}, loss ${exactly(each.loss, 4)}, ${share} of the difference`;
      return [
        ...flowed(`${look.paint.bold(clean(each.best))} instead of ${givenPolicy(each)} (${figures})`, look),
        ...listed(scene(each), look.width).map(look.paint.dim),
      ];
    });
  const left = corrections.length - shown.length;
  return [
    prose(`States in which the policy is not the best: ${grouped(corrections.length)}`),
    drawing(
      (look) => [...lines(look), ...(left > 0 ? linesOf([leftOut(`${grouped(left)} more`)], look) : [])],
      correctionTable(optimum),
    ),
  ];
}

/** Names the policies to which the best play is a response: `the policy of the scenario for blue`; nothing for one player. */
export function opponentPolicy({ opponents }: Optimum): string | undefined {
  const names = opponents.map(clean);
  const last = names.pop();
  if (last === undefined) return undefined;
  if (names.length === 0) return `the policy of the scenario for ${last}`;
  return `the policies of the scenario for ${names.join(', ')} and ${last}`;
}

/** Shows both values: that of the best response, and that of the policy of the scenario. */
function valueParts(optimum: Optimum): SheetBlock[] {
  const { decisions, points, value, given: own } = optimum;
  const where = points.length > 0 ? ` (decides ${points.join(', ')})` : '';
  const against = opponentPolicy(optimum);
  return [
    drawing(({ paint }) => {
      const best = paint.bold(exactly(value, 6));
      return decisions === 0
        ? [`Value: ${best}`]
        : [`Best response: ${best}${where}`, `Own policy:    ${exactly(own, 6)}`];
    }),
    ...(decisions === 0 || against === undefined ? [] : [prose(`Against ${against}.`)]),
  ];
}

function verdictParts(optimum: Optimum): SheetBlock[] {
  const { agent, decisions, corrections, points } = optimum;
  if (decisions === 0) {
    const where = points.length > 0 ? ` at ${points.join(', ')}` : '';
    return [
      prose(`There is no decision for ${clean(agent)} to make${where}: no policy to judge, and nothing to improve.`),
    ];
  }
  return corrections.length > 0 ? correctionParts(optimum) : [prose('No policy is better than that of the scenario.')];
}

export const rewardOf = ({ reward }: Optimum): string => (typeof reward === 'string' ? reward : 'as given');

/** The sheet of an optimum. */
export function optimalSheet(optimum: Optimum, name: string): Sheet {
  const { scenario, agent, error, warning } = optimum;
  const { decisions, positions, beliefs, steps, rounds, elapsedSeconds } = optimum;
  const made = [
    `${grouped(decisions)} decisions in ${grouped(positions)} positions`,
    ...(beliefs > 0 ? [`${grouped(beliefs)} of them with something hidden`] : []),
    `${grouped(steps)} steps`,
    `${grouped(rounds)} ${rounds === 1 ? 'round' : 'rounds'}`,
    ...(error > 0 ? [`error below ${error.toExponential(0)}`] : []),
    duration(elapsedSeconds),
  ];
  return [
    [factLine([bold(clean(name)), scenario.system, clean(agent), `reward ${rewardOf(optimum)}`])],
    valueParts(optimum),
    warning === undefined ? [] : [note(`Warning: ${clean(warning)}`, 'yellow')],
    outcomeTable(optimum),
    verdictParts(optimum),
    [factLine(made, 'dim')],
  ];
}
