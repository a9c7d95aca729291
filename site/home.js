/** The site's home: what this is, for whom, and a question with its answer. */
import { existsSync, writeFileSync } from 'node:fs';
import { answered, inWords, writeCard } from './cards.js';
import { PAGES, pageOf, writePage } from './gather.js';
import { PAGE } from './markdown.js';

/** @param {string} file of dist/src */
const built = (file) => import(new URL(`../dist/src/${file}`, import.meta.url).href);
const { loadSystems, parseScenario } = await built('index.js');
const { createLink } = await built('report/link/link.js');
const { RULESET } = await built('stats/digest.js');

/** The question that the home begins with. */
const FIRST = { attacker: 12, defender: 10 };

/** @param {number} attacker @param {number} defender */
const textOf = (attacker, defender) =>
  `system: conquest-dice\nname: ${attacker} armies attack ${defender}\nattacker: ${attacker}\ndefender: ${defender}\n`;

/** Games that people know, by the names that they know, each with the page of its rules. */
const GAMES = [
  ['Risk', 'conquest-dice', 'Armies against armies, three dice against two.'],
  ['Axis & Allies', 'combined-arms', 'Infantry, tanks, planes and ships, on land and at sea.'],
  ['Warhammer', 'hit-wound-save', 'Hit, wound, save: how many models fall.'],
  ['Twilight Imperium', 'space-fleets', 'Fleets in space, bombardment, landings.'],
  ["Memoir '44", 'symbol-dice', 'Dice with symbols, and flags that drive back.'],
  ['Hammer of the Scots', 'block-dice', 'Blocks with a die for each step, A before B.'],
];

/** @param {boolean} hasPage */
function games(hasPage) {
  const tiles = GAMES.map(([name = '', id = '', about = '']) => {
    const rules = `docs/reference/games/${id}.md`;
    return `- [**${name}**](${hasPage ? `${PAGE}?game=${id}` : rules}) ${about} [How it is counted](${rules})\n`;
  });
  return `## Games\n\n${tiles.join('')}- [**Your own**](docs/tutorials/custom-rules.md) Rules of your own, in a module of 40 lines.\n`;
}

/** Who else asks, what for, and the one command to begin with. */
const OTHERS = [
  [
    'Designers',
    'What is a point of attack worth, which value makes it fair, what changes a rule?',
    'npx warpool balance scenarios/attrition-direct.yaml --vary defender.hp --target attacker=50%',
    ['docs/how-to/balance.md', 'Balance'],
    ['docs/how-to/compare.md', 'Comparing'],
  ],
  [
    'Researchers',
    'Exact laws beside seeded runs with intervals, sweeps over many machines, a digest for every number of a paper.',
    'npx warpool sweep examples/duels.yaml --out duels',
    ['docs/how-to/cite.md', 'In a paper'],
    ['docs/how-to/sweep.md', 'Sweeps'],
  ],
  [
    'Trainers of agents',
    'Environments of millions of steps a second, in Python and JavaScript, and optimal play to measure by.',
    'npx warpool best-response scenarios/phased-dice-broadside.yaml',
    ['docs/reference/environments.md', 'Rollouts'],
    ['python/README.md', 'Python'],
  ],
  [
    'Continuous integration',
    'Odds that must not move, checked at every push, exactly.',
    'npx warpool assert examples/balance.yaml --junit report.xml',
    ['docs/how-to/ci.md', 'Continuous integration'],
    ['docs/reference/expectations.md', 'Expectations'],
  ],
];

function others() {
  const parts = OTHERS.map(([who, what, command, ...pages]) => {
    const links = pages.map(([page = '', title = '']) => `[${title}](${/** @type {string} */ (page)})`).join(', ');
    return `### ${who}\n\n${what} ${links}.\n\n\`\`\`sh\n${command}\n\`\`\`\n`;
  });
  return `## On the command line\n\n${parts.join('\n')}`;
}

/** What it is, for search engines and chats. */
const WORDS =
  'The exact odds of battles in tabletop games: who wins how often, and what is left. In the browser, on a phone too.';

const ABOUT =
  'It runs on a phone as on a computer, also offline, and sends nothing anywhere. What AnyDice does for dice, it does for whole battles: ' +
  'rules of your own have 40 lines. [Overview](README.md), [the page](docs/how-to/web-app.md), [all scenarios](scenarios/index.md).';

/** Writes the home and the data of its question. */
export async function writeHome() {
  const hasPage = existsSync(`dist/${PAGE}`);
  const systems = await loadSystems(['examples/games/conquest-dice.mjs']);
  const text = textOf(FIRST.attacker, FIRST.defender);
  const scenario = parseScenario(text, { source: 'the home', systems });
  const { told } = await answered(scenario);
  const card = writeCard('home', told);
  const asked = { seed: '1', effort: { kind: 'battles', battles: 1_000_000 }, panel: 'answer', notes: {} };
  const link = await createLink({ text, file: 'conquest-dice.yaml', ...asked, ruleset: RULESET });
  const alt = `${told.title}: ${inWords(told)}`;
  const home = { ...FIRST, hasPage, link, ruleset: RULESET, image: `${card}.png`, picture: `/${card}.svg`, alt };
  writeFileSync(`${PAGES}/home.json`, JSON.stringify(home));
  const head = `---\nlayout: FrontPage\nsidebar: false\ntitle: The odds of battles in tabletop games\ndescription: ${JSON.stringify(WORDS)}\n---\n`;
  const about = ABOUT.replace('README.md', pageOf('README.md'));
  const rest = others().replaceAll('python/README.md', pageOf('python/README.md'));
  writePage('index.md', `${head}\n${games(hasPage)}\n${about}\n\n${rest}`);
}
