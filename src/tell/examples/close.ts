/** How close battles were, by what a system declares of its sides. */

import { type EnvironmentSpec, specOf } from '../../agents/index.ts';
import type { TallyShape } from '../../answers/index.ts';
import type { BattleResult, Scenario, System } from '../../rules/index.ts';
import { leastBy, type Seen } from './choose.ts';

/** The metric of systems that decide a battle by comparing two figures: by how much one was higher. */
const MARGIN = 'margin';

/** How close a battle was: the less, the closer. */
export interface Closeness {
  readonly figure: number;
  /** Who won, or else who had the lead, and that lead. */
  readonly player?: string;
  readonly lead?: number;
}

export interface Measure {
  readonly by: 'margin' | 'strength';
  /** Undefined for battles that do not count here: without a winner, where others have one. */
  readonly of: (result: BattleResult) => Closeness | undefined;
}

interface Lead {
  readonly player: string;
  /** What the player has left less what the others have left, each as a share of what it began with: -1..1. */
  readonly of: (result: BattleResult) => number;
  readonly wins: (outcome: number) => boolean;
}

/** The leads of all players, by the first reward that the system declares for what is left of them. */
function leadsOf({ players, rewards, ...spec }: EnvironmentSpec, { outcomes, metrics }: TallyShape): Lead[] {
  const [reward] = Object.values(rewards);
  if (reward === undefined) return [];
  return players.map((player): Lead => {
    const worth = reward(player);
    const weights = metrics.map(({ name, unit = 1 }) => (Object.hasOwn(worth, name) ? (worth[name] ?? 0) * unit : 0));
    const wins = outcomes.map((outcome) => spec.worth(outcome, player) > 0);
    return {
      player,
      of: ({ metrics: values }) => weights.reduce((sum, weight, m) => sum + weight * (values[m] ?? 0), 0),
      wins: (outcome) => wins[outcome] === true,
    };
  });
}

function strength(leads: readonly Lead[], battles: readonly Seen[]): Measure {
  const winner = ({ outcome }: BattleResult): Lead | undefined => leads.find(({ wins }) => wins(outcome));
  const decided = battles.some((seen) => winner(seen) !== undefined);
  const leader = (result: BattleResult): Lead | undefined =>
    leads.reduce<Lead | undefined>(
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
export function measureOf(
  system: System,
  scenario: Scenario,
  shape: TallyShape,
  battles: readonly Seen[],
): Measure | undefined {
  const margin = shape.metrics.findIndex(({ name }) => name === MARGIN);
  const unit = shape.metrics[margin]?.unit ?? 1;
  if (margin >= 0) return { by: 'margin', of: ({ metrics }) => ({ figure: Math.abs(metrics[margin] ?? 0) * unit }) };
  const leads = system.rollout === undefined ? [] : leadsOf(specOf(scenario), shape);
  return leads.length < 2 ? undefined : strength(leads, battles);
}

/** The closest battle. */
export function closest(battles: readonly Seen[], measure: Measure): Seen | undefined {
  return leastBy(battles, (seen) => measure.of(seen)?.figure);
}
