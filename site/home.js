/** Home page: description, audience, and a question with its answer. */
import { existsSync, writeFileSync } from 'node:fs';
import { answered, inWords, writeCard } from './cards.js';
import { PAGES, pageOf, writePage } from './gather.js';
import { PAGE } from './markdown.js';

/** @param {string} file of dist/src */
const built = (file) => import(new URL(`../dist/src/${file}`, import.meta.url).href);
const { loadSystems, parseScenario } = await built('index.js');
const { createLink } = await built('report/link/link.js');
const { RULESET } = await built('stats/digest.js');

/** Question at the top of the home page. */
const FIRST = { attacker: 12, defender: 10 };

/** @param {number} attacker @param {number} defender */
const textOf = (attacker, defender) =>
  `system: conquest-dice\nname: ${attacker} armies attack ${defender}\nattacker: ${attacker}\ndefender: ${defender}\n`;

/** Well-known games, with the pages of their rules. */
const GAMES = [
  ['Risk', 'conquest-dice', 'Armies against armies, three dice against two.'],
  ['Axis & Allies', 'combined-arms', 'Infantry, tanks, planes and ships, on land and at sea.'],
  ['Warhammer', 'hit-wound-save', 'Hit, wound, save: the number of casualties.'],
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
  return `## Games\n\n${tiles.join('')}- [**Your own**](docs/tutorials/custom-rules.md) Write your own rules in a module of 40 lines.\n`;
}

/** Other audiences, with purpose, first command and pages. */
const OTHERS = [
  [
    'Designers',
    'Find the value of a point of attack, fair values, and the effect of a rule change.',
    'npx warpool balance scenarios/attrition-direct.yaml --vary defender.hp --target attacker=50%',
    ['docs/how-to/balance.md', 'Balance'],
    ['docs/how-to/compare.md', 'Comparing'],
  ],
  [
    'Researchers',
    'Exact distributions, reproducible runs with intervals, parameter sweeps on many machines, and a digest for every number of a paper.',
    'npx warpool sweep examples/duels.yaml --out duels',
    ['docs/how-to/cite.md', 'In a paper'],
    ['docs/how-to/sweep.md', 'Sweeps'],
  ],
  [
    'Reinforcement learning',
    'Environments with millions of steps per second, in Python and JavaScript, and optimal policies as a benchmark.',
    'npx warpool best-response scenarios/phased-dice-broadside.yaml',
    ['docs/reference/environments.md', 'Rollouts'],
    ['python/README.md', 'Python'],
  ],
  [
    'Continuous integration',
    'Check exactly at every push that odds have not changed.',
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

/** Description for search engines and link previews. */
const WORDS =
  'Exact odds of battles in tabletop games: win probabilities and remaining units. Runs in the browser, also on phones.';

const ABOUT =
  'It runs on phones and computers, also offline, and sends no data. AnyDice computes dice; warpool computes whole battles. ' +
  'Custom rules take 40 lines. [Overview](README.md), [web app](docs/how-to/web-app.md), [all scenarios](scenarios/index.md).';

/** Writes the home page and the data of its question. */
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
