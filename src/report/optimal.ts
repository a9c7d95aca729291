/** What `optimal` prints, for people and for machines. */
import type { Correction, Optimum } from '../rollout/optimal.ts';
import { clean } from './clean.ts';
import { duration, exactly, grouped } from './digits.ts';
import { head, type Label } from './json.ts';
import { type Column, columns, type Look, wrapped } from './table.ts';

/** States that are shown. */
const ROWS = 10;

export function optimalJson(optimum: Optimum, label: Label) {
  const { scenario, scenarioHash, outcomes, elapsedSeconds, ...found } = optimum;
  return {
    ...head(label, scenario, scenarioHash),
    ...found,
    outcomes: Object.fromEntries(outcomes.map(({ name, best, given }) => [name, { best, given }])),
    elapsedSeconds,
  };
}

/** What there is in a state: features that are 0 go without saying. */
export function scene({ sees }: Correction): string {
  return Object.entries(sees)
    .filter(([, value]) => value !== 0)
    .map(([name, value]) => `${clean(name)} ${String(value)}`)
    .join(', ');
}

/** What the policy does in a state. */
export function givenPolicy({ policy }: Correction): string {
  const actions = Object.entries(policy);
  if (actions.length === 1) return clean(actions[0]?.[0] ?? '');
  return actions.map(([name, share]) => `${clean(name)} ${exactly(100 * share, 0)} %`).join(', ');
}

export function outcomeTable({ outcomes }: Optimum, look: Look): string[] {
  const heads: Column[] = [
    { head: 'outcome', align: 'left' },
    { head: 'optimum %', align: 'point' },
    { head: 'policy %', align: 'point' },
  ];
  const rows = outcomes
    .filter(({ best, given: own }) => best > 0 || own > 0)
    .map(({ name, best, given: own }) => [name, look.paint.bold(exactly(100 * best, 4)), exactly(100 * own, 4)]);
  return columns(heads, rows, look);
}

function correctionLines(optimum: Optimum, look: Look): string[] {
  const { corrections, value, given: own } = optimum;
  const { width } = look;
  const { bold, dim } = look.paint;
  const shown = corrections.slice(0, ROWS);
  const lines = shown.flatMap((each) => {
    const share = (100 * each.visits * each.loss) / (value - own);
    const figures = `visits ${exactly(each.visits, 4)}, loss ${exactly(each.loss, 4)}, ${exactly(share, 1)} % of the difference`;
    return [
      `${bold(clean(each.best))} instead of ${givenPolicy(each)} (${figures})`,
      ...wrapped(scene(each), 2, width).map(dim),
    ];
  });
  const left = corrections.length - shown.length;
  return [
    `States in which the policy is not the best: ${grouped(corrections.length)}`,
    ...lines,
    ...(left > 0 ? [dim(`(--json also has ${grouped(left)} more)`)] : []),
  ];
}

/** The sheet of an optimum. */
export function optimalSheet(optimum: Optimum, name: string, look: Look): string {
  const { scenario, agent, reward, points, value, given: own, corrections, error } = optimum;
  const { decisions, positions, beliefs, steps, rounds, elapsedSeconds } = optimum;
  const { bold, dim } = look.paint;
  const wanted = typeof reward === 'string' ? reward : 'as given';
  const blocks = [
    [[bold(clean(name)), scenario.system, clean(agent), `reward ${wanted}`].join(dim(' · '))],
    [
      `Best play:  ${bold(exactly(value, 6))}${points.length > 0 ? ` (decides ${points.join(', ')})` : ''}`,
      `Own policy: ${exactly(own, 6)}`,
    ],
    outcomeTable(optimum, look),
    corrections.length > 0 ? correctionLines(optimum, look) : ['The policy is the best there is.'],
    [
      dim(
        [
          `${grouped(decisions)} decisions in ${grouped(positions)} positions`,
          ...(beliefs > 0 ? [`${grouped(beliefs)} of them with something hidden`] : []),
          `${grouped(steps)} steps`,
          `${grouped(rounds)} rounds`,
          ...(error > 0 ? [`error below ${error.toExponential(0)}`] : []),
          duration(elapsedSeconds),
        ].join(' · '),
      ),
    ],
  ];
  return `${blocks.map((block) => block.join('\n')).join('\n\n')}\n`;
}
