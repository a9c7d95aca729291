/** Pages of the scenarios: what each asks, its file, the exact answer, and the commands. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { BudgetError, loadScenario, loadSystems, solve, systems } from 'warpool';
import { fenced, pageOf, shown, writePage } from './gather.js';
import { PAGE } from './markdown.js';

/** @param {string} file of dist/src */
const built = (file) => import(new URL(`../dist/src/${file}`, import.meta.url).href);
const { exactly } = await built('tell/text/digits.js');
const { linkOf } = await built('tell/link/link.js');
const { RULESET } = await built('answers/digest.js');

/** @param {string} folder @param {string} end */
const filesIn = (folder, end) =>
  readdirSync(folder)
    .filter((name) => name.endsWith(end))
    .sort()
    .map((name) => `${folder}/${name}`);

/** The comment for editors that names a schema beside the file. */
const EDITORS = /^# yaml-language-server:.*\n/;

/** The comment at the head of a file. */
const HEAD = /^(?:#.*\n)+/;

/** The comment at the head of a file in YAML, as one paragraph. @param {string} file */
function questionOf(file) {
  const [head = ''] = HEAD.exec(readFileSync(file, 'utf8')) ?? [];
  const lines = head.split('\n').map((line) => line.replace(/^# ?/, '').trim());
  return lines.filter((line) => line !== '' && !line.startsWith('yaml-language-server')).join(' ');
}

/** @param {readonly (readonly string[])[]} rows the heads first; all columns but the first are numbers */
function table([heads = [], ...rows]) {
  const line = heads.map((_, h) => (h === 0 ? '---' : '---:'));
  return [heads, line, ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');
}

/** @param {readonly import('warpool').OutcomeSummary[]} outcomes */
function outcomeRows(outcomes) {
  const rows = outcomes.filter(({ p }) => outcomes.length <= 8 || p > 0);
  return [['outcome', '%'], ...rows.map(({ name, p }) => [`\`${name}\``, exactly(100 * p, 4)])];
}

/** @param {readonly import('warpool').MetricSummary[]} metrics */
function metricRows(metrics) {
  return [
    ['metric', 'mean', 'SD', '5 %', '50 %', '95 %'],
    ...metrics.map(({ name, mean, variance, quantiles }) => [
      `\`${name}\``,
      ...[exactly(mean, 4), exactly(Math.sqrt(variance), 4)],
      ...[quantiles[0.05], quantiles[0.5], quantiles[0.95]].map((value) => exactly(value, 4)),
    ]),
  ];
}

/** The exact answer as Markdown; undefined where it would take too long. @param {import('warpool').Scenario} scenario */
function answer(scenario) {
  try {
    const { summary } = solve(scenario);
    return `${table(outcomeRows(summary.outcomes))}\n${table(metricRows(summary.metrics))}`;
  } catch (error) {
    if (error instanceof BudgetError) return undefined;
    throw error;
  }
}

/** The commands of a scenario. @param {string} file @param {boolean} isExact @param {string} options */
function commands(file, isExact, options) {
  return [
    ...(isExact ? [`npx warpool exact ${file}${options}`] : []),
    `npx warpool run ${file}${options}`,
    `npx warpool replay ${file} --battle 17${options}`,
  ].join('\n');
}

/** As many battles as the page plays unless asked otherwise. */
const BATTLES = { kind: 'battles', battles: 1_000_000 };

/** Opens a shipped scenario in the page, if the site has it. @param {string} file */
async function opening(file) {
  if (!existsSync(`dist/${PAGE}`)) return '';
  const text = readFileSync(file, 'utf8').replace(EDITORS, '');
  const asked = { seed: '1', effort: BATTLES, panel: 'answer', notes: {}, ruleset: RULESET };
  return ` [Open in the page](../${PAGE}${await linkOf({ text, file: basename(file), ...asked })}).`;
}

/**
 * @param {string} file @param {import('warpool').Scenario} scenario
 * @param {string} about where its rules are explained @param {string} options of its commands
 */
function page(file, scenario, about, options) {
  const exact = answer(scenario);
  return [
    `# ${scenario['name'] ?? basename(file, '.yaml')}\n`,
    `${questionOf(file)}\n`,
    `${about} The file is \`${file}\`.\n`,
    fenced(readFileSync(file, 'utf8').replace(HEAD, ''), 'yaml'),
    '## Exact answer\n',
    exact ?? 'The exact answer takes too much work here. `run` estimates it.\n',
    '## Commands\n',
    `\`\`\`sh\n${commands(file, exact !== undefined, options)}\n\`\`\`\n`,
  ].join('\n');
}

/** Writes the pages of the shipped scenarios; returns what the sidebar needs. */
export async function shippedScenarios() {
  const entries = [];
  for (const file of filesIn('scenarios', '.yaml')) {
    const scenario = await loadScenario(file);
    const { system } = scenario;
    const about = `Rules: [${system}](../docs/systems/${system}.md).${await opening(file)}`;
    writePage(pageOf(file), page(file, scenario, about, ''));
    entries.push({
      system,
      title: String(scenario['name'] ?? basename(file, '.yaml')),
      file: pageOf(file),
      source: file,
    });
  }
  writePage('scenarios/index.md', index(entries));
  return entries;
}

/** @param {readonly { system: string, title: string, source: string }[]} entries */
function index(entries) {
  const sections = systems.map(({ id, title }) => {
    const rows = entries.filter(({ system }) => system === id);
    const lines = rows.map(
      ({ title: name, source }) => `| [${name}](${basename(pageOf(source))}) | ${questionOf(source)} |\n`,
    );
    return `## ${id}\n\n${title}: [the rules](../docs/systems/${id}.md).\n\n| scenario | about |\n| --- | --- |\n${lines.join('')}`;
  });
  const head =
    'The scenarios of the package, each with its exact answer. Installed, the files are in `node_modules/warpool/scenarios/`.';
  return `# Scenarios\n\n${head}\n\n${sections.join('\n')}`;
}

/** The comment at the head of a program, its first paragraph. @param {string} file */
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
  const of = (/** @type {string} */ end) => [...filesIn('examples/games', end), ...filesIn('examples/systems', end)];
  const modules = of('.mjs');
  const games = new Set(filesIn('examples/games', '.mjs'));
  const own = await loadSystems(modules);
  const scenarios = of('.yaml');
  for (const file of scenarios) {
    const scenario = await loadScenario(file, { systems: own });
    const module = `${dirname(file)}/${scenario.system}.mjs`;
    const options = games.has(module) ? '' : ` --systems ${module}`;
    const about = `Rules: [${scenario.system}.mjs](${scenario.system}.md).`;
    writePage(pageOf(file), page(file, scenario, about, options));
  }
  const others = [
    ...filesIn('examples', '.yaml'),
    ...filesIn('examples', '.mjs'),
    ...filesIn('examples', '.py'),
    ...modules,
  ];
  for (const file of others) writePage(pageOf(file), `# ${basename(file)}\n\n${aboutFile(file)}\n\n${shown(file)}`);
  const files = [...others, ...scenarios];
  const lines = files.map((file) => `| [${file.slice(9)}](${pageOf(file).slice(9)}) | ${aboutFile(file)} |\n`);
  const head =
    'Programs, systems of your own, and files of sweeps and expectations. Installed, they are in `node_modules/warpool/examples/`.';
  writePage('examples/index.md', `# Examples\n\n${head}\n\n| file | about |\n| --- | --- |\n${lines.join('')}`);
  return files;
}
