/** Closeness of battles, by the declarations of the system. */

import { createScenarioSpec } from '../../environments/index.ts';
import type { BattleEnd, Scenario, ScenarioSpec, System } from '../../rules/index.ts';
import type { CountsShape } from '../../stats/index.ts';
import { type ExaminedBattle, findLeast } from './selection.ts';

/** Metric of systems that compare two numbers: their difference. */
const MARGIN_METRIC = 'margin';

/** Closeness of a battle. Smaller values of `figure` are closer. */
export interface Closeness {
  readonly figure: number;
  /** Winner, or leader if nobody won, and its lead, -1..1. */
  readonly player?: string;
  readonly lead?: number;
}

export interface ClosenessMeasure {
  readonly by: 'margin' | 'strength';
  /** Undefined for battles without a winner if other battles have one. */
  readonly of: (result: BattleEnd) => Closeness | undefined;
}

interface PlayerLead {
  readonly player: string;
  /** Remaining share of the player minus remaining share of the others, -1..1. */
  readonly of: (result: BattleEnd) => number;
  readonly wins: (outcome: number) => boolean;
}

/** Creates the leads of all players from the first declared reward for remaining units. */
function createLeads({ players, rewards, ...spec }: ScenarioSpec, { outcomes, metrics }: CountsShape): PlayerLead[] {
  const [reward] = Object.values(rewards);
  if (reward === undefined) return [];
  return players.map((player): PlayerLead => {
    const value = reward(player);
    const weights = metrics.map(({ name, unit = 1 }) => (Object.hasOwn(value, name) ? (value[name] ?? 0) * unit : 0));
    const wins = outcomes.map((outcome) => spec.payoff(outcome, player) > 0);
    return {
      player,
      of: ({ metrics: values }) => weights.reduce((sum, weight, m) => sum + weight * (values[m] ?? 0), 0),
      wins: (outcome) => wins[outcome] === true,
    };
  });
}

function createStrengthMeasure(leads: readonly PlayerLead[], battles: readonly ExaminedBattle[]): ClosenessMeasure {
  const findWinner = ({ outcome }: BattleEnd): PlayerLead | undefined => leads.find(({ wins }) => wins(outcome));
  const decided = battles.some((seen) => findWinner(seen) !== undefined);
  const findLeader = (result: BattleEnd): PlayerLead | undefined =>
    leads.reduce<PlayerLead | undefined>(
      (best, lead) => (best && best.of(result) >= lead.of(result) ? best : lead),
      undefined,
    );
  return {
    by: 'strength',
    of(result) {
      const lead = decided ? findWinner(result) : findLeader(result);
      return lead && { figure: Math.abs(lead.of(result)), player: lead.player, lead: lead.of(result) };
    },
  };
}

/**
 * Creates the measure of a system: its metric `margin`, otherwise the lead of the winner in remaining shares.
 * @returns undefined if the system declares neither
 */
export function createClosenessMeasure(
  system: System,
  scenario: Scenario,
  shape: CountsShape,
  battles: readonly ExaminedBattle[],
): ClosenessMeasure | undefined {
  const margin = shape.metrics.findIndex(({ name }) => name === MARGIN_METRIC);
  const unit = shape.metrics[margin]?.unit ?? 1;
  if (margin >= 0) return { by: 'margin', of: ({ metrics }) => ({ figure: Math.abs(metrics[margin] ?? 0) * unit }) };
  const leads = system.environment === undefined ? [] : createLeads(createScenarioSpec(scenario), shape);
  return leads.length < 2 ? undefined : createStrengthMeasure(leads, battles);
}

/** Finds the closest battle. */
export function findClosestBattle(
  battles: readonly ExaminedBattle[],
  measure: ClosenessMeasure,
): ExaminedBattle | undefined {
  return findLeast(battles, (seen) => measure.of(seen)?.figure);
}
