/** Small custom system without a kernel. */
import type { Model, State } from '../src/rules/system.ts';

interface DuelState extends State {
  readonly ours: number;
  readonly theirs: number;
  /** The first side has struck in this round. */
  readonly struck: boolean;
}

const HP = 12;
const ROUNDS = 50;

/** Both sides roll three dice in turn. Each die wounds on 1 to 3, until a side has no hit points left. */
export const duel: Model<DuelState> = {
  outcomes: ['ours', 'theirs', 'stalemate'],
  metrics: [
    { name: 'rounds', min: 0, max: ROUNDS },
    { name: 'hp.ours', min: 0, max: HP },
    { name: 'hp.theirs', min: 0, max: HP },
  ],
  maxRounds: ROUNDS,
  roundsMetric: 0,
  roundWords: 2,
  start: () => ({ round: 0, ours: HP, theirs: HP, struck: false }),
  step({ round, ours, theirs, struck }, chance) {
    const now = struck ? round : round + 1;
    chance.seek(2 * now + (struck ? 1 : 0));
    const wounds = chance.hits([{ dice: 3, value: 3 }]);
    if (struck) return { round: now, ours: Math.max(0, ours - wounds), theirs, struck: false };
    return { round: now, ours, theirs: Math.max(0, theirs - wounds), struck: true };
  },
  resting: ({ struck }) => !struck,
  outcome: ({ ours, theirs }) => (theirs === 0 ? 'ours' : ours === 0 ? 'theirs' : undefined),
  measure: ({ round, ours, theirs }) => [round, ours, theirs],
  key: ({ ours, theirs, struck }) => (ours * (HP + 1) + theirs) * 2 + (struck ? 1 : 0),
};
