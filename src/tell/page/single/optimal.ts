/** The page of an optimum. */
import type { Optimum } from '../../../agents/index.ts';
import { percent, placed, SHARE } from '../../figure.ts';
import { givenPolicy, lossShare, opponentPolicy, optimalSheet, rewardOf, scene } from '../../optimal.ts';
import { colourIn } from '../../pictures/colours.ts';
import { type Dot, dotsSpec } from '../../pictures/dots.ts';
import type { Picture } from '../../pictures/picture.ts';
import { SINGLE } from '../../pictures/theme.ts';
import { sidesOf } from '../../sides.ts';
import { cleanText } from '../../text/clean.ts';
import { exactly, grouped } from '../../text/digits.ts';
import { answerPage, type Subject } from './answer.ts';

/** States that have a line in the picture. */
const DRAWN = 12;

/** Says what the best play and the policy of the scenario are worth. */
function answer(optimum: Optimum): string[] {
  const { agent, value, given, corrections, decisions } = optimum;
  const against = opponentPolicy(optimum);
  const response = against === undefined ? 'the best play' : `the best response to ${against}`;
  const figures = `A battle is worth ${exactly(value, 6)} to ${cleanText(agent)} by ${response} (reward ${cleanText(rewardOf(optimum))})`;
  if (decisions === 0) return [`${figures}: it has nothing to decide.`];
  if (corrections.length === 0) return [`${figures}, and its own policy is that good.`];
  return [
    `${figures}, ${exactly(given, 6)} by its own policy.`,
    `The policy gives away ${exactly(value - given, 6)}, in ${grouped(corrections.length)} states.`,
  ];
}

/** What the policy gives away, state by state. */
function lossesPicture(optimum: Optimum): Picture {
  const dots = optimum.corrections.slice(0, DRAWN).map((each, c): Dot => {
    const share = lossShare(each, optimum);
    const text = percent(exactly, share, 1);
    return {
      name: `${String(c + 1)}: ${cleanText(each.best)}`,
      ...placed(SHARE, share),
      colour: colourIn(optimum.agent, sidesOf(optimum.scenario)),
      text,
      told: `${cleanText(each.best)} instead of ${givenPolicy(each)}: ${text}\n${scene(each)}`,
    };
  });
  const spec = dotsSpec(dots, { title: 'what the policy gives away', axis: 'share of the difference (%)', zero: true });
  return {
    kind: 'effects',
    of: '',
    width: SINGLE,
    caption: 'By state, numbered as in the table, with the best action there.',
    spec,
  };
}

/** The whole page of an optimum. */
export async function optimalPage(optimum: Optimum, subject: Subject): Promise<string> {
  const { name } = subject;
  const { scenario, agent, points, decisions, positions } = optimum;
  return await answerPage(
    {
      title: `${name}: the best response of ${cleanText(agent)}`,
      sheet: optimalSheet(optimum, name),
      answer: answer(optimum),
      pictures: optimum.corrections.length > 1 ? [lossesPicture(optimum)] : [],
      facts: [
        ['decides', points.length === 0 ? 'nothing' : points.join(', ')],
        ['decisions', `${grouped(decisions)} in ${grouped(positions)} positions`],
      ],
      scenarios: [[name, scenario]],
    },
    subject,
  );
}
