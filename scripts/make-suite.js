/**
 * Computes the values of the tasks of warpool/suite: writes src/environments/suite/tasks.json and the table of
 * docs/reference/suite.md. Needs a build. A new task is an element of tasks.json with name, about, scenario, players and
 * reward, and module for a custom system.
 *
 *     node scripts/make-suite.js                  # all tasks: takes half an hour
 *     node scripts/make-suite.js robots-five-v1   # some tasks
 *     node scripts/make-suite.js --ppo robots-five-v1   # only the values of PPO
 *     node scripts/make-suite.js --table          # only the table of the page
 *
 * Baselines are graded like all policies. Q-learning is examples/q-learning.mjs. Policies of PPO are read from
 * scripts/suite-policies/<task>.ppo.json if one player decides, and <task>.<player>.ppo.json if two players decide:
 *
 *     python examples/ppo.py --learning-rate 0.001 --entropy 0.02 --steps 700000 --scenario <scenario> --out <file>
 *     python examples/ppo.py --learning-rate 0.001 --entropy 0.02 --steps 300000 --scenario <scenario> --self-play \
 *       --choose softmax --reward <reward> --out <file>
 */
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { argv, execPath, stdout } from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { enterRoot } from './files.js';

/** @typedef {import('../src/environments/suite/suite-tasks.ts').SuiteTask} SuiteTask */

const FILE = 'src/environments/suite/tasks.json';
const PAGE = 'docs/reference/suite.md';

/** Battles of the training of Q-learning. */
const TRAINING = 200_000;

/** Difference of frozen values that is rounding. */
const ROUNDING = 1e-9;

/** Steps of a task that are not known yet. */
const STEPS = 32_000_000;

/** @param {string} path */
const compiled = (path) => import(new URL(`../dist/src/${path}`, import.meta.url).href);

/** @returns {{ ruleset: string, tasks: SuiteTask[] }} */
const readSuite = () => JSON.parse(readFileSync(FILE, 'utf8'));

/** Returns the policy of PPO; undefined if it is not measured. @param {SuiteTask} task @param {string} player */
function readPpoPolicy({ name, players }, player) {
  const file = `scripts/suite-policies/${name}${players.length > 1 ? `.${player}` : ''}.ppo.json`;
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** Trains all players of a task, with the built library. @param {SuiteTask} task */
async function learn({ name, module, scenario, players, reward }) {
  const { loadSystems, validateScenario } = await import('warpool');
  const { learnPolicies } = await import('../examples/q-learning.mjs');
  const systems = module === undefined ? {} : { systems: await loadSystems([module]) };
  const ready = validateScenario(scenario, { source: name, ...systems });
  const agents = players.length === 1 ? (players[0] ?? '') : 'all';
  return await learnPolicies(ready, { agents, reward, battles: TRAINING, seed: 1 });
}

/** @typedef {{ baseline: string, player: string, policy: unknown }} BaselinePolicy */

/** Reads the policies of PPO of all players. @param {SuiteTask} task @returns {BaselinePolicy[]} */
const readPpoPolicies = (task) =>
  task.players.map((player) => ({ baseline: 'ppo', player, policy: readPpoPolicy(task, player) }));

/** Lists the policies of all baselines and players. @param {SuiteTask} task @returns {Promise<BaselinePolicy[]>} */
async function listPolicies(task) {
  const learned = await learn(task);
  const others = task.players.flatMap((player) =>
    Object.entries({ uniform: 'uniform', scenario: 'scenario', 'q-learning': learned[player] }).map(
      ([baseline, policy]) => ({ baseline, player, policy }),
    ),
  );
  return [...others, ...readPpoPolicies(task)];
}

/**
 * Grades policies. Returns their values, and the grade of the policy of the scenario.
 * @param {SuiteTask} task
 * @param {BaselinePolicy[]} policies
 */
async function gradeBaselines(task, policies) {
  const { gradeLoadedTask } = await compiled('environments/suite/grade-policy.js');
  const { loadTaskScenario } = await compiled('environments/suite/suite-tasks.js');
  const scenario = await loadTaskScenario(task);
  const loaded = { task: { ...task, steps: task.steps ?? STEPS }, scenario };
  /** @type {Record<string, Record<string, number>>} */
  const baselines = {};
  let own;
  for (const { baseline, player, policy } of policies) {
    if (policy === undefined) continue;
    const grade = gradeLoadedTask(loaded, policy, player);
    baselines[baseline] = { ...baselines[baseline], [player]: grade.value };
    if (baseline === 'scenario') own ??= grade;
    stdout.write(
      `${task.name} ${player} ${baseline}: ${grade.value} of ${grade.optimum}, ${grade.elapsedSeconds.toFixed(1)} s\n`,
    );
  }
  return { scenario, baselines, own };
}

/** Computes the values of PPO of a known task. @param {SuiteTask} task @returns {Promise<SuiteTask>} */
async function computePpo(task) {
  const { baselines } = await gradeBaselines(task, readPpoPolicies(task));
  return { ...task, baselines: { ...task.baselines, ...baselines } };
}

/** Computes a task. @param {SuiteTask} given @returns {Promise<SuiteTask>} */
async function computeTask(given) {
  const { hashScenario, identifyRules } = await compiled('stats/index.js');
  const { scenario, baselines, own } = await gradeBaselines(given, await listPolicies(given));
  const { optimum: value, interval, positions, decisionStates, steps, elapsedSeconds } = own;
  if (given.value !== undefined && Math.abs(given.value - value) > ROUNDING)
    throw new Error(
      `${given.name}: the frozen value is ${given.value}, not ${value}; a task with another value needs another version`,
    );
  const { name, about, module, scenario: fields, players, reward } = given;
  const { systemHash } = identifyRules(scenario);
  return {
    ...{ name, about, ...(module !== undefined && { module }), scenario: fields, players, reward },
    ...{ scenarioHash: hashScenario(scenario), ...(systemHash !== undefined && { systemHash }) },
    ...{ positions, decisionStates, steps, value, interval, baselines },
    seconds: Number(elapsedSeconds.toPrecision(2)),
  };
}

/** @param {number} value @param {number} digits */
const format = (value, digits) => (Math.abs(value) < 10 ** -digits / 2 ? 0 : value).toFixed(digits);

/** Formats the rows of a task: one for each player. @param {SuiteTask} task */
const rowsOf = ({ name, scenario, players, reward, positions, value, baselines, seconds }) =>
  players.map((player, p) => {
    const best = p === 0 ? value : 0 - value;
    const cells = ['uniform', 'scenario', 'q-learning', 'ppo'].map((baseline) => {
      const known = /** @type {Record<string, Record<string, number>>} */ (baselines)[baseline]?.[player];
      return known === undefined ? 'not measured' : format(known, 4);
    });
    const size = String(positions).replaceAll(/\B(?=(\d{3})+$)/g, ' ');
    const head = p === 0 ? [`\`${name}\``, scenario.system, reward, size] : ['', '', '', ''];
    return `| ${[...head, player, format(best, 6), ...cells, p === 0 ? `${seconds}` : ''].join(' | ')} |\n`;
  });

/** Renews the table of the page. @param {string} page @param {readonly SuiteTask[]} tasks */
export function renewTable(page, tasks) {
  const heads = [
    'task',
    'system',
    'reward',
    'positions',
    'player',
    'optimum',
    'uniform',
    'scenario',
    'Q-learning',
    'PPO',
    'seconds',
  ];
  const line = heads.map((_, c) => ([3, 5, 6, 7, 8, 9, 10].includes(c) ? '---:' : '---'));
  const table = [
    `| ${heads.join(' | ')} |\n`,
    `|${line.join('|')}|\n`,
    ...tasks.filter(({ baselines }) => baselines !== undefined).flatMap(rowsOf),
  ].join('');
  return page.replace(/(<!-- suite -->\n\n)(?:(?:\|.*\n)+\n)?/, `$1${table}\n`);
}

/** Writes the file of the tasks. @param {{ ruleset: string, tasks: readonly SuiteTask[] }} suite */
function writeSuite(suite) {
  writeFileSync(FILE, JSON.stringify(suite));
  spawnSync(execPath, ['node_modules/@biomejs/biome/bin/biome', 'format', '--write', '--vcs-enabled=false', FILE]);
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  enterRoot();
  const { values, positionals: asked } = parseArgs({
    options: { table: { type: 'boolean' }, ppo: { type: 'boolean' } },
    allowPositionals: true,
  });
  const compute = values.ppo === true ? computePpo : computeTask;
  const { tasks } = readSuite();
  const { RULESET: ruleset } = await compiled('stats/index.js');
  for (const [t, task] of tasks.entries()) {
    if (values.table === true || (asked.length > 0 && !asked.includes(task.name))) continue;
    tasks[t] = await compute(task);
    writeSuite({ ruleset, tasks });
  }
  writeFileSync(PAGE, renewTable(readFileSync(PAGE, 'utf8'), tasks));
}
