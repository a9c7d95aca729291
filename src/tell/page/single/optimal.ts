/** The page of an optimum. */

import type { Correction, Optimum } from '../../../agents/optimal/optimal.ts';
import { RULESET } from '../../../answers/digest.ts';
import { inPercent, percent, placed, SHARE } from '../../figure.ts';
import { givenPolicy, outcomeTable, scene } from '../../optimal.ts';
import { colourIn } from '../../pictures/colours.ts';
import { type Dot, dotsSpec } from '../../pictures/dots.ts';
import type { Picture } from '../../pictures/picture.ts';
import { SINGLE } from '../../pictures/theme.ts';
import { sidesOf } from '../../sides.ts';
import { cleanText } from '../../text/clean.ts';
import { exactly, grouped } from '../../text/digits.ts';
import { type Head, type Markup, markup, table } from '../markup.ts';
import { shellOf } from '../shell.ts';
import { SINGLE_STYLE } from './dress.ts';
import { answerOf, commandOf, factsOf, paragraphs, picturesOf, type Subject, scenarioOf } from './parts.ts';
import { sheetOf } from './sheets.ts';

/** States that are listed, and those that have a line in the picture. */
const LISTED = 200;
const DRAWN = 12;

/** What a state's correction is of all that the policy gives away, 0..1. */
const shareOf = ({ visits, loss }: Correction, { value, given }: Optimum): number => (visits * loss) / (value - given);

function answer(optimum: Optimum): Markup {
  const { agent, value, given, corrections, decisions } = optimum;
  const wanted = rewardOf(optimum);
  const figures = `A battle is worth ${exactly(value, 6)} to ${cleanText(agent)} by the best play (reward ${wanted})`;
  if (decisions === 0) return answerOf(`${figures}: it has nothing to decide.`, []);
  if (corrections.length === 0) return answerOf(`${figures}, and its own policy is that good.`, []);
  const [first] = corrections;
  const most =
    first === undefined
      ? []
      : [
          `The largest part of it, ${percent(exactly, shareOf(first, optimum), 1)}: it takes ${givenPolicy(first)} in the place of ${cleanText(first.best)} where it sees ${scene(first)}.`,
        ];
  return answerOf(`${figures}, ${exactly(given, 6)} by its own policy.`, [
    `The policy gives away ${exactly(value - given, 6)}, in ${grouped(corrections.length)} states.`,
    ...most,
  ]);
}

const rewardOf = ({ reward }: Optimum): string => (typeof reward === 'string' ? cleanText(reward) : 'as given');

/** What the policy gives away, state by state. */
function lossesPicture(optimum: Optimum): Picture {
  const dots = optimum.corrections.slice(0, DRAWN).map((each, c): Dot => {
    const share = shareOf(each, optimum);
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

function warned({ warning }: Optimum): Markup {
  return warning === undefined ? markup`` : markup`<p class="open">Warning: ${cleanText(warning)}</p>`;
}

function corrections(optimum: Optimum, picture: Markup): Markup {
  const all = optimum.corrections;
  if (all.length === 0) return markup``;
  const number = true;
  const heads: Head[] = [
    { head: 'state', number },
    { head: 'the player sees', wide: true },
    { head: 'point' },
    { head: 'best' },
    { head: 'the policy', wide: true },
    { head: 'visits', number },
    { head: 'loss', number },
    { head: '% of all', number },
  ];
  const rows = all
    .slice(0, LISTED)
    .map((each, c) => [
      String(c + 1),
      scene(each),
      cleanText(each.point),
      cleanText(each.best),
      givenPolicy(each),
      exactly(each.visits, 4),
      exactly(each.loss, 4),
      inPercent(exactly, shareOf(each, optimum), 1),
    ]);
  const more = all.length - rows.length;
  const notes = [
    ...(more > 0 ? [`The first ${grouped(LISTED)} of ${grouped(all.length)} states; --json has all of them.`] : []),
    'Visits: how often a battle comes to the state under the policies of the scenario. Loss: what the policy loses there each time, by the best play from there on. Features that are 0 are left out. Visits times losses of all states sum to what the policy gives away.',
  ];
  return markup`<section id="states"><h2>Where the policy is not the best</h2>
${picture}
${table(heads, rows)}${paragraphs(notes, 'note')}</section>`;
}

function asked(optimum: Optimum, { name, version, command }: Subject): Markup {
  const { scenario, scenarioHash, agent, points, decisions, positions, beliefs, steps, rounds, error } = optimum;
  return markup`<section id="asked"><h2>What was asked</h2>
${factsOf([
  ['scenario', `${name}, ${scenarioHash}`],
  ['system', `${scenario.system}, ruleset ${RULESET}`],
  ['player', cleanText(agent)],
  ['reward', rewardOf(optimum)],
  ['decides', points.length === 0 ? 'nothing' : points.join(', ')],
  [
    'decisions',
    `${grouped(decisions)} in ${grouped(positions)} positions${beliefs > 0 ? `, ${grouped(beliefs)} with something hidden` : ''}`,
  ],
  ['steps', `${grouped(steps)}, ${grouped(rounds)} ${rounds === 1 ? 'round' : 'rounds'}`],
  ['error', error > 0 ? `below ${error.toExponential(0)}` : 'rounding alone'],
  ['version', `warpool ${version}`],
])}
<p class="note">The optimum knows the policies of all others, but not what they choose in secret.</p>
${commandOf(command)}
${scenarioOf(scenario)}</section>`;
}

/** The whole page of an optimum. */
export async function optimalPage(optimum: Optimum, subject: Subject): Promise<string> {
  const { name, version } = subject;
  const { scenario, agent } = optimum;
  const footer = [name, scenario.system, cleanText(agent), `reward ${rewardOf(optimum)}`, `warpool ${version}`].join(
    ' · ',
  );
  const picture = optimum.corrections.length > 1 ? await picturesOf([lossesPicture(optimum)], footer) : markup``;
  return shellOf({
    title: `${name}: the best play of ${cleanText(agent)}`,
    lead: [scenario.system, cleanText(agent), `reward ${rewardOf(optimum)}`].join(' · '),
    warpool: version,
    style: SINGLE_STYLE,
    before: markup`${answer(optimum)}${warned(optimum)}`,
    sections: [
      {
        id: 'outcomes',
        title: 'Outcomes',
        body: markup`<section id="outcomes"><h2>How battles end</h2>${sheetOf(outcomeTable(optimum), sidesOf(scenario))}</section>`,
      },
      { id: 'states', title: 'Where the policy is not the best', body: corrections(optimum, picture) },
      { id: 'asked', title: 'What was asked', body: asked(optimum, subject) },
    ],
  });
}
