/** What `optimal` prints, for people and for machines. */

import type { Correction, Optimum } from '../agents/optimal/optimal.ts';
import { inPercent, percent } from './figure.ts';
import { head, type Label } from './json.ts';
import { bold, leftOut, linesOf, type SheetBlock, sheetText } from './parts.ts';
import { clean } from './text/clean.ts';
import { duration, exactly, grouped } from './text/digits.ts';
import { type Column, dotted, flowed, type Look, wrapped } from './text/table.ts';

/** Lines as they are, and parts. */
type Block = readonly (string | SheetBlock)[];

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

export function outcomeTable({ outcomes, decisions }: Optimum): SheetBlock[] {
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

function correctionLines(optimum: Optimum, look: Look): Block {
  const { corrections, value, given: own } = optimum;
  const { width } = look;
  const { bold, dim } = look.paint;
  const shown = corrections.slice(0, ROWS);
  const lines = shown.flatMap((each) => {
    const share = (each.visits * each.loss) / (value - own);
    const figures = `visits ${exactly(each.visits, 4)}, loss ${exactly(each.loss, 4)}, ${percent(exactly, share, 1)} of the difference`;
    return [
      ...flowed(`${bold(clean(each.best))} instead of ${givenPolicy(each)} (${figures})`, look),
      ...listed(scene(each), width).map(dim),
    ];
  });
  const left = corrections.length - shown.length;
  return [
    ...flowed(`States in which the policy is not the best: ${grouped(corrections.length)}`, look),
    ...lines,
    ...(left > 0 ? [leftOut(`${grouped(left)} more`)] : []),
  ];
}

/** What it is worth: by the best play, and by the policy that the scenario names. */
function valueLines({ decisions, points, value, given: own }: Optimum, { paint }: Look): string[] {
  const best = paint.bold(exactly(value, 6));
  if (decisions === 0) return [`Value: ${best}`];
  const where = points.length > 0 ? ` (decides ${points.join(', ')})` : '';
  return [`Best play:  ${best}${where}`, `Own policy: ${exactly(own, 6)}`];
}

function verdictLines(optimum: Optimum, look: Look): Block {
  const { agent, decisions, corrections, points } = optimum;
  if (decisions === 0) {
    const where = points.length > 0 ? ` at ${points.join(', ')}` : '';
    const text = `The ${clean(agent)} has no decision to make${where}: there is no policy to judge, and nothing to improve.`;
    return flowed(text, look);
  }
  return corrections.length > 0 ? correctionLines(optimum, look) : ['No policy is better than that of the scenario.'];
}

/** The blocks of the sheet of an optimum. */
export function optimalBlocks(optimum: Optimum, name: string, look: Look): Block[] {
  const { scenario, agent, reward, error, warning } = optimum;
  const { decisions, positions, beliefs, steps, rounds, elapsedSeconds } = optimum;
  const { bold, dim } = look.paint;
  const wanted = typeof reward === 'string' ? reward : 'as given';
  return [
    dotted([bold(clean(name)), scenario.system, clean(agent), `reward ${wanted}`], look),
    valueLines(optimum, look),
    ...(warning === undefined ? [] : [flowed(`Warning: ${clean(warning)}`, look).map(look.paint.yellow)]),
    outcomeTable(optimum),
    verdictLines(optimum, look),
    dotted(
      [
        `${grouped(decisions)} decisions in ${grouped(positions)} positions`,
        ...(beliefs > 0 ? [`${grouped(beliefs)} of them with something hidden`] : []),
        `${grouped(steps)} steps`,
        `${grouped(rounds)} ${rounds === 1 ? 'round' : 'rounds'}`,
        ...(error > 0 ? [`error below ${error.toExponential(0)}`] : []),
        duration(elapsedSeconds),
      ],
      look,
    ).map(dim),
  ];
}

export function optimalSheet(optimum: Optimum, name: string, look: Look): string {
  const lines = (part: string | SheetBlock): string[] => (typeof part === 'string' ? [part] : linesOf([part], look));
  return sheetText(optimalBlocks(optimum, name, look).map((block) => block.flatMap(lines)));
}
