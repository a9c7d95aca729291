/** How close battles were, by what a system declares of its sides. */

import { createScenarioSpec, type ScenarioSpec } from '../../environments/index.ts';
import type { BattleEnd, Scenario, System } from '../../rules/index.ts';
import type { CountsShape } from '../../stats/index.ts';
import { type ExaminedBattle, findLeast } from './selection.ts';

/** The metric of systems that decide a battle by comparing two figures: by how much one was higher. */
const MARGIN_METRIC = 'margin';

/** How close a battle was: the less, the closer. */
export interface Closeness {
  readonly figure: number;
  /** Who won, or else who had the lead, and that lead. */
  readonly player?: string;
  readonly lead?: number;
}

export interface ClosenessMeasure {
  readonly by: 'margin' | 'strength';
  /** Undefined for battles that do not count here: without a winner, where others have one. */
  readonly of: (result: BattleEnd) => Closeness | undefined;
}

interface PlayerLead {
  readonly player: string;
  /** What the player has left less what the others have left, each as a share of what it began with: -1..1. */
  readonly of: (result: BattleEnd) => number;
  readonly wins: (outcome: number) => boolean;
}

/** The leads of all players, by the first reward that the system declares for what is left of them. */
function createLeads({ players, rewards, ...spec }: ScenarioSpec, { outcomes, metrics }: CountsShape): PlayerLead[] {
  const [reward] = Object.values(rewards);
  if (reward === undefined) return [];
  return players.map((player): PlayerLead => {
    const worth = reward(player);
    const weights = metrics.map(({ name, unit = 1 }) => (Object.hasOwn(worth, name) ? (worth[name] ?? 0) * unit : 0));
    const wins = outcomes.map((outcome) => spec.payoff(outcome, player) > 0);
    return {
      player,
      of: ({ metrics: values }) => weights.reduce((sum, weight, m) => sum + weight * (values[m] ?? 0), 0),
      wins: (outcome) => wins[outcome] === true,
    };
  });
}

function createStrengthMeasure(leads: readonly PlayerLead[], battles: readonly ExaminedBattle[]): ClosenessMeasure {
  const winner = ({ outcome }: BattleEnd): PlayerLead | undefined => leads.find(({ wins }) => wins(outcome));
  const decided = battles.some((seen) => winner(seen) !== undefined);
  const leader = (result: BattleEnd): PlayerLead | undefined =>
    leads.reduce<PlayerLead | undefined>(
      (best, lead) => (best && best.of(result) >= lead.of(result) ? best : lead),
      undefined,
    );
  return {
    by: 'strength',
    of(result) {
      const lead = decided ? winner(result) : leader(result);
      return lead && { figure: Math.abs(lead.of(result)), player: lead.player, lead: lead.of(result) };
    },
  };
}

/**
 * The measure of a system: its metric `margin`, or else the winner's lead in shares of what is left of each side.
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

/** The closest battle. */
export function findClosestBattle(
  battles: readonly ExaminedBattle[],
  measure: ClosenessMeasure,
): ExaminedBattle | undefined {
  return findLeast(battles, (seen) => measure.of(seen)?.figure);
}
