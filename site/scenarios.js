/** Pages of the scenarios: question, file, exact results, and commands. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { answered, inWords, writeCard } from './cards.js';
import { pageOf, shown, writePage } from './gather.js';
import { fenced, PAGE } from './markdown.js';

/** @param {string} file of dist/src */
const built = (file) => import(new URL(`../dist/src/${file}`, import.meta.url).href);
// All pages use one copy of the library, because a scenario is bound to the copy that has loaded it.
const { loadScenario, loadSystems, shippedSystems } = await built('index.js');
const { formatExact } = await built('report/text/number-format.js');
const { createLink } = await built('report/link/link.js');
const { RULESET } = await built('stats/digest.js');

/** @param {string} folder @param {string} end */
const filesIn = (folder, end) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(end))
    .sort()
    .map((name) => `${folder}/${name}`);

/** Comment for editors that names the schema of the file. */
const EDITORS = /^# yaml-language-server:.*\n/;

/** Comment at the beginning of a file. */
const HEAD = /^(?:#.*\n)+/;

/** Comment at the beginning of a YAML file, as one paragraph. @param {string} file */
function questionOf(file) {
  const [head = ''] = HEAD.exec(readFileSync(file, 'utf8')) ?? [];
  const lines = head.split('\n').map((line) => line.replace(/^# ?/, '').trim());
  return lines.filter((line) => line !== '' && !line.startsWith('yaml-language-server')).join(' ');
}

/** @param {readonly (readonly string[])[]} rows heads first; all columns except the first contain numbers */
function table([heads = [], ...rows]) {
  const line = heads.map((_, h) => (h === 0 ? '---' : '---:'));
  return [heads, line, ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** @param {readonly import('warpool').OutcomeSummary[]} outcomes */
function outcomeRows(outcomes) {
  const rows = outcomes.filter(({ p }) => outcomes.length <= 8 || p > 0);
  return [['outcome', '%'], ...rows.map(({ name, p }) => [`\`${name}\``, formatExact(100 * p, 4)])];
}

/** @param {readonly import('warpool').MetricSummary[]} metrics */
function metricRows(metrics) {
  return [
    ['metric', 'mean', 'SD', '5 %', '50 %', '95 %'],
    ...metrics.map(({ name, mean, variance, quantiles }) => [
      `\`${name}\``,
      ...[formatExact(mean, 4), formatExact(Math.sqrt(variance), 4)],
      ...[quantiles[0.05], quantiles[0.5], quantiles[0.95]].map((value) => formatExact(value, 4)),
    ]),
  ];
}

/** @param {import('warpool').Summary} summary */
const answer = ({ outcomes, metrics }) => `${table(outcomeRows(outcomes))}\n${table(metricRows(metrics))}`;

/** Formats the commands of a scenario. @param {string} file @param {boolean} isExact @param {string} options */
function commands(file, isExact, options) {
  return [
    ...(isExact ? [`npx warpool exact ${file}${options}`] : []),
    `npx warpool run ${file}${options}`,
    `npx warpool replay ${file} --battle 17${options}`,
  ].join('\n');
}

/** Default number of battles of the web app. */
const BATTLES = { kind: 'battles', battles: 1_000_000 };

/** Relative URL of a shipped scenario in the web app; undefined if the site has no web app. @param {string} file */
async function opening(file) {
  if (!existsSync(`dist/${PAGE}`)) return undefined;
  const text = readFileSync(file, 'utf8').replace(EDITORS, '');
  const asked = { seed: '1', effort: BATTLES, panel: 'answer', notes: {}, ruleset: RULESET };
  const up = '../'.repeat(file.split('/').length - 1);
  return `${up}${PAGE}${await createLink({ text, file: basename(file), ...asked })}`;
}

/** Escapes the text alternative of an image for a link. @param {string} text */
const plainText = (text) => text.replaceAll(/[[\]\\]/g, '\\$&');

/**
 * @param {string} file @param {import('warpool').Scenario} scenario
 * @param {string} about link to its rules @param {string} options options of its commands
 */
async function page(file, scenario, about, options) {
  const { exact, told } = await answered(scenario);
  const card = writeCard(basename(file, '.yaml'), told);
  const address = await opening(file);
  const picture = `![${plainText(inWords(told))}](/${card}.svg)`;
  const where = [about, ...(address === undefined ? [] : [` [Open in the web app](${address}).`])].join('');
  const head = {
    description: `${told.of === '' ? '' : `${inWords(told)}. `}${told.lines.join(' ')}`,
    image: `${card}.png`,
    alt: inWords(told),
    shared: `${told.title} (${told.system})`,
  };
  return [
    `---\n${Object.entries(head)
      .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
      .join('')}---\n`,
    `# ${scenario['name'] ?? basename(file, '.yaml')}\n`,
    `${questionOf(file)}\n`,
    `${address === undefined ? picture : `[${picture}](${address})`}\n`,
    `${where} The file is \`${file}\`.\n`,
    fenced(readFileSync(file, 'utf8').replace(HEAD, ''), 'yaml'),
    '## Exact answer\n',
    exact === undefined ? 'This scenario is too large for an exact answer. `run` estimates it.\n' : answer(exact),
    '## Commands\n',
    `\`\`\`sh\n${commands(file, exact !== undefined, options)}\n\`\`\`\n`,
  ].join('\n');
}

/** Sorts well-known games first. @param {{ id: string }} system */
const isShipped = ({ id }) => Number(shippedSystems.some((/** @type {{ id: string }} */ system) => system.id === id));

/** Path of the rules of a system. @param {string} system @param {boolean} isGame */
const rulesOf = (system, isGame) => `docs/reference/${isGame ? 'games' : 'systems'}/${system}.md`;

/**
 * Writes the pages of the scenarios of the shipped systems and games.
 * @returns {Promise<{ system: string, title: string, file: string, source: string, rules: string, card: string }[]>}
 *   data of lists
 */
export async function shippedScenarios() {
  const games = await loadSystems(filesIn('examples/games', '.mjs'));
  const entries = [];
  for (const file of [...filesIn('examples/games', '.yaml'), ...filesIn('scenarios', '.yaml')]) {
    const isGame = file.startsWith('examples/');
    const scenario = await loadScenario(file, isGame ? { systems: games } : {});
    const { system } = scenario;
    const rules = rulesOf(system, isGame);
    const about = `Rules: [${system}](${'../'.repeat(file.split('/').length - 1)}${rules}).`;
    const options = isGame ? ` --systems examples/games/${system}.mjs` : '';
    writePage(pageOf(file), await page(file, scenario, about, options));
    const title = String(scenario['name'] ?? basename(file, '.yaml'));
    const card = `cards/${basename(file, '.yaml')}.png`;
    entries.push({ system, title, file: pageOf(file), source: file, rules, card });
  }
  writePage('scenarios/index.md', index(entries, games.all));
  return entries;
}

/**
 * @param {readonly { system: string, title: string, source: string, rules: string }[]} entries
 * @param {readonly { id: string, title: string }[]} all
 */
function index(entries, all) {
  const sections = all
    .toSorted((a, b) => isShipped(a) - isShipped(b))
    .map(({ id, title }) => {
      const rows = entries.filter(({ system }) => system === id);
      const lines = rows.map(
        ({ title: name, source }) => `| [${name}](../${pageOf(source)}) | ${questionOf(source)} |\n`,
      );
      return `## ${id}\n\n${title}: [the rules](../${rows[0]?.rules}).\n\n| scenario | about |\n| --- | --- |\n${lines.join('')}`;
    });
  const head =
    'The scenarios of the package with their exact answers: first the scenarios of well-known games, then of the systems. ' +
    'Installed, the files are in `node_modules/warpool/examples/games/` and `node_modules/warpool/scenarios/`.';
  return `# Scenarios\n\n${head}\n\n${sections.join('\n')}`;
}

/** First paragraph of the comment at the beginning of a program. @param {string} file */
function aboutProgram(file) {
  const [, comment = ''] = /(?:\/\*\*|""")([\s\S]*?)(?:\*\/|""")/.exec(readFileSync(file, 'utf8')) ?? [];
  const text = comment.replaceAll(/^\s*\* ?/gm, '').trim();
  return (
    text
      .split(/\n\s*\n/)[0]
      ?.replaceAll('\n', ' ')
      .trim() ?? ''
  );
}

/** @param {string} file */
const aboutFile = (file) => (file.endsWith('.yaml') ? questionOf(file) : aboutProgram(file));

/** Writes the pages of the examples: systems, their scenarios, and programs; returns their files. */
export async function exampleFiles() {
  const modules = filesIn('examples/systems', '.mjs');
  const own = await loadSystems(modules);
  const scenarios = filesIn('examples/systems', '.yaml');
  for (const file of scenarios) {
    const scenario = await loadScenario(file, { systems: own });
    const module = `examples/systems/${scenario.system}.mjs`;
    const about = `Rules: [${scenario.system}.mjs](${scenario.system}.md).`;
    writePage(pageOf(file), await page(file, scenario, about, ` --systems ${module}`));
  }
  const others = [
    ...filesIn('examples', '.yaml'),
    ...filesIn('examples', '.mjs'),
    ...filesIn('examples', '.py'),
    ...filesIn('examples/games', '.mjs'),
    ...modules,
  ];
  for (const file of others) writePage(pageOf(file), `# ${basename(file)}\n\n${aboutFile(file)}\n\n${shown(file)}`);
  const files = [...others, ...scenarios];
  const lines = files.map((file) => `| [${file.slice(9)}](${pageOf(file).slice(9)}) | ${aboutFile(file)} |\n`);
  const head =
    'Programs, custom systems, and files of sweeps and expectations. Installed, they are in `node_modules/warpool/examples/`.';
  writePage('examples/index.md', `# Examples\n\n${head}\n\n| file | about |\n| --- | --- |\n${lines.join('')}`);
  return files;
}
