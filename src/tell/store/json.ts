/** What a sweep found, as `report --json` prints it: the shape is a contract; only additional keys may come. */

import { ownRules } from '../../answers/index.ts';
import type { Answers, Mover, Oddity } from '../survey/answers.ts';
import type { ClassMean } from '../survey/effects.ts';
import { BAND, type Even } from '../survey/even.ts';
import type { Reading } from '../survey/quantity.ts';
import { toldOf } from './answer-words.ts';
import type { Report } from './report.ts';

function cellOf({ cell, axes, value, interval, played }: Reading) {
  if (interval !== undefined) return { cell, axes, estimate: value, ci95: interval, exact: null };
  return { cell, axes, estimate: played?.value ?? null, ci95: played?.interval ?? null, exact: value };
}

function evenOf({ nearest, within, surely, possibly, open, never, always }: Even, cells: number) {
  return {
    target: 0.5,
    band: BAND,
    cells,
    within,
    surely,
    possibly,
    open,
    never,
    always,
    nearest: nearest.map(cellOf),
  };
}

/** Errors are infinite where a class has one cell: JSON has no word for it. */
function meanOf({ label, cells, mean, error }: ClassMean) {
  return { value: label, cells, mean, error: Number.isFinite(error) ? error : null };
}

function moverOf({ axis, share, least, greatest, chance, clear, direction, turn }: Mover) {
  return {
    axis,
    share,
    least: meanOf(least),
    greatest: meanOf(greatest),
    chance: Number.isFinite(chance) ? chance : null,
    clear,
    direction: direction ?? null,
    turn: turn?.map(meanOf) ?? null,
  };
}

function oddityOf(odd: Oddity) {
  switch (odd.kind) {
    case 'turns':
      return { kind: odd.kind, axis: odd.mover.axis };
    case 'stalemate':
      return { ...odd, greatest: cellOf(odd.greatest) };
    default:
      return odd;
  }
}

function foundOf(answers: Answers, report: Report) {
  const { main, even, cells, movers, together = null, mixed, odd } = answers;
  return {
    of: main,
    balanced: even === undefined ? null : evenOf(even, cells),
    matters: { movers: movers.map(moverOf), together, mixed },
    odd: odd.map(oddityOf),
    text: toldOf(answers, report.survey),
  };
}

/** The findings of a report as data. */
export function reportJson(report: Report) {
  const { facts, cells, battles, solved, quantities } = report.survey;
  const { name, system, ruleset, warpool, design, points, complete, seed, digest = null } = facts;
  return {
    warpool,
    ruleset,
    system,
    ...ownRules(facts),
    name,
    design,
    seed,
    digest,
    complete,
    cells: { present: cells, points, solved },
    battles,
    found: report.answers === undefined ? null : foundOf(report.answers, report),
    ...(report.worth && { worth: report.worth }),
    quantities: quantities.map(({ quantity, mean, deviation, greatest, least, same = null }) => ({
      ...quantity,
      mean,
      deviation,
      greatest: greatest.to,
      least: least.from,
      same,
    })),
  };
}
