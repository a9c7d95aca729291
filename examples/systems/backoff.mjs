/**
 * Two users share a channel. Red must send a message before the deadline, `maxRounds`. Blue sends only to interfere.
 * After a failure, a user waits for a random number of rounds (backoff). The system models the game `aloha_backoff2`
 * of the tests of PRISM-games (Kwiatkowska, Norman, Parker, Santos). The outcome `red` is the event that the first
 * user sends its message before the deadline.
 */
import { defineSystem, integer, oneOf } from 'warpool/system';

/**
 * @typedef {object} User
 * @property {'ready' | 'backoff' | 'sent'} stage
 * @property {number} waits     rounds that the user chose to wait since its last message, at most 2
 * @property {number} failures  number of failed messages, at most `limit`
 * @property {number} counter   rounds left in backoff
 * @typedef {{ users: User[], sends: boolean[] }} State sends: choices of this round, hidden until both have chosen
 * @typedef {import('warpool/system').Phase<State>} Phase
 */

const SIDES = /** @type {const} */ (['red', 'blue']);
const STAGES = ['ready', 'backoff', 'sent'];
const WAITS_MAX = 2;

/** @param {'send' | 'wait'} fallback */
const policy = (fallback) => oneOf(['send', 'wait'], 'send: at once. wait: as long as possible.').default(fallback);

export default defineSystem({
  id: 'backoff',
  title: 'Backoff on a shared channel',
  about: 'Red sends a message over a channel before the deadline; blue sends at the same time to get in the way.',
  fields: {
    success: integer(
      1,
      100,
      'Probability in percent that a message arrives if one user sends; with two, a quarter.',
    ).default(90),
    limit: integer(1, 5, 'Failures after which the mean backoff no longer doubles.').default(2),
    red: policy('send'),
    blue: policy('wait'),
  },
  decisions: [
    {
      ...{ point: 'send', who: 'both', about: 'Send now, or wait. Nobody knows what the other chooses.' },
      policies: ['send', 'wait'],
      describe: { send: ['sends', 'send'], wait: ['waits', 'wait'] },
    },
  ],
  rules: { sent: ({ side, result }) => `${side} sends, and ${result}.` },
  examples: { two: { maxRounds: 4 }, short: { limit: 1, maxRounds: 3, blue: 'send' } },
  battle({ success, limit, ...policies }) {
    /** @param {0 | 1} side @returns {Phase} */
    const choose = (side) => (state, chance) => {
      const { stage, waits, counter } = /** @type {User} */ (state.users[side]);
      const answer = () => {
        if (stage !== 'ready') return stage === 'backoff' && counter === 0;
        const options = /** @type {const} */ (waits < WAITS_MAX ? ['send', 'wait'] : ['send']);
        const wish = () => (options.length === 1 ? 'send' : policies[SIDES[side]]);
        return chance.decide('send', SIDES[side], options, wish) === 'send';
      };
      return { ...state, sends: [...state.sends, answer()] };
    };

    /** @param {User} user @param {import('warpool/system').RoundContext} chance @returns {User} */
    const fail = (user, chance) => {
      const failures = Math.min(limit, user.failures + 1);
      const counter = chance.pick(Array.from({ length: 2 ** failures }, () => 1));
      return { stage: failures === 1 && counter === 0 ? 'ready' : 'backoff', waits: 0, failures, counter };
    };

    /** @type {Phase} */
    const transmit = ({ users, sends }, chance) => {
      const senders = sends.filter(Boolean).length;
      const after = users.map((user, side) => {
        if (sends[side] !== true) {
          if (user.stage === 'ready') return { ...user, waits: user.waits + 1 };
          return { ...user, counter: Math.max(0, user.counter - 1) };
        }
        const isSent = chance.at('sent', side).pick([success, 100 * senders ** 2 - success], ['sent', 'failed']) === 0;
        chance.rule('sent', () => ({ side: side === 0 ? 'Red' : 'Blue', result: isSent ? 'succeeds' : 'fails' }));
        if (isSent) return { ...user, stage: /** @type {const} */ ('sent'), waits: 0, counter: 0 };
        return fail(user, chance.at('backoff', side));
      });
      return { users: after, sends: [] };
    };

    return {
      outcomes: ['red', 'blue'],
      atRoundLimit: 'blue',
      streams: { sent: 2, backoff: 2 },
      /** @returns {State} */
      start: () => ({ users: SIDES.map(() => ({ stage: 'ready', waits: 0, failures: 0, counter: 0 })), sends: [] }),
      round: [choose(0), choose(1), transmit],
      outcome: ({ users }) => (users[0]?.stage === 'sent' ? 'red' : undefined),
    };
  },
  // The features omit `sends`, because the second user must not observe the choice of the first user.
  environment: ({ limit }) => ({
    players: SIDES,
    actions: { send: ['send', 'wait'] },
    features: SIDES.flatMap((name, side) => [
      { name: `stage.${name}`, high: 2, of: ({ users }) => STAGES.indexOf(users[side]?.stage ?? 'ready') },
      { name: `waits.${name}`, high: WAITS_MAX, of: ({ users }) => users[side]?.waits ?? 0 },
      { name: `failures.${name}`, high: limit, of: ({ users }) => users[side]?.failures ?? 0 },
      { name: `counter.${name}`, high: 2 ** limit - 1, of: ({ users }) => users[side]?.counter ?? 0 },
    ]),
  }),
});
