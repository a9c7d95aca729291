/**
 * Pages of the site that are written by hand, in the order of the sidebar, with their titles. A test checks that every
 * document and notebook of docs/ is listed exactly once.
 */

/**
 * @typedef {readonly [file: string, title: string]} Page Markdown file or notebook, by its path from the root of the project
 * @typedef {{ readonly title: string, readonly pages: readonly Page[] }} Section
 */

/** @type {readonly Section[]} */
export const SECTIONS = [
  {
    title: 'Start',
    pages: [
      ['README.md', 'Overview'],
      ['docs/README.md', 'Documentation'],
      ['docs/how-to/installation.md', 'Installation'],
      ['docs/tutorials/first-study.md', 'First study'],
      ['docs/tutorials/balance-scenarios.md', 'Balance three scenarios at once'],
      ['docs/tutorials/first-agent.md', 'First agent'],
      ['docs/tutorials/self-play.md', 'Self-play'],
      ['docs/tutorials/army-points.md', 'Army points'],
      ['docs/how-to/number-of-battles.md', 'How many battles'],
      ['docs/how-to/faq.md', 'FAQ and troubleshooting'],
      ['docs/how-to/web-app.md', 'Web app'],
      ['docs/how-to/host-web-app.md', 'Host the web app'],
      ['docs/reference/glossary.md', 'Glossary'],
    ],
  },
  {
    title: 'Systems',
    pages: [
      ['docs/reference/systems/attrition.md', 'attrition'],
      ['docs/reference/systems/phased-dice.md', 'phased-dice'],
      ['docs/reference/systems/token-conflict.md', 'token-conflict'],
      ['docs/reference/systems/cube-bag.md', 'cube-bag'],
      ['docs/reference/systems/strength-cards.md', 'strength-cards'],
    ],
  },
  {
    title: 'Games',
    pages: [
      ['docs/reference/games/conquest-dice.md', 'conquest-dice'],
      ['docs/reference/games/block-dice.md', 'block-dice'],
      ['docs/reference/games/combined-arms.md', 'combined-arms'],
      ['docs/reference/games/space-fleets.md', 'space-fleets'],
      ['docs/reference/games/hit-wound-save.md', 'hit-wound-save'],
      ['docs/reference/games/symbol-dice.md', 'symbol-dice'],
      ['docs/explanation/printed-odds.md', 'Printed odds'],
    ],
  },
  {
    title: 'Answers',
    pages: [
      ['docs/explanation/exact.md', 'Exact answers'],
      ['docs/explanation/statistics.md', 'Statistics'],
      ['docs/how-to/compare.md', 'Comparing'],
      ['docs/explanation/sensitivity.md', 'Sensitivity'],
      ['docs/explanation/matchup-analysis.md', 'Matchups'],
      ['docs/how-to/balance.md', 'Balance'],
      ['docs/how-to/balance-scenarios.md', 'Balance several scenarios'],
      ['docs/how-to/fit.md', 'Fitting'],
      ['docs/how-to/rare-outcomes.md', 'Rare outcomes'],
      ['docs/reference/expectations.md', 'Expectations'],
      ['docs/how-to/ci.md', 'Continuous integration'],
      ['docs/how-to/cite.md', 'In a paper'],
    ],
  },
  {
    title: 'Sweeps and many machines',
    pages: [
      ['docs/how-to/sweep.md', 'Sweeps'],
      ['docs/how-to/matchups.md', 'Matchups'],
      ['docs/how-to/report.md', 'Reports'],
      ['docs/how-to/plot.md', 'Plots'],
      ['docs/how-to/python.md', 'Python'],
      ['docs/how-to/cluster.md', 'Clusters'],
      ['docs/how-to/queue.md', 'Queues and object stores'],
      ['docs/explanation/threat-model.md', 'Threat model'],
    ],
  },
  {
    title: 'Rollouts and agents',
    pages: [
      ['docs/reference/environments.md', 'Rollouts'],
      ['docs/how-to/trained-network.md', 'Trained networks'],
      ['docs/reference/policy-files.md', 'Policy files'],
      ['docs/reference/suite.md', 'Tasks with known optima'],
      ['docs/reference/environment-threads.md', 'Environments in threads'],
      ['docs/explanation/best-response.md', 'Optimal play'],
      ['docs/explanation/equilibrium.md', 'Equilibria'],
      ['docs/reference/abi.md', 'Interface of the kernels'],
      ['python/README.md', 'Python'],
      ['docs/reference/tested-packages.md', 'Tested Python packages'],
    ],
  },
  {
    title: 'Notebooks',
    pages: [
      ['docs/notebooks/sweep-to-figure.ipynb', 'From a sweep to a figure'],
      ['docs/notebooks/train-and-evaluate.ipynb', 'Train a policy and measure its regret'],
      ['docs/notebooks/sensitivity-and-search.ipynb', 'SALib and Optuna'],
    ],
  },
  {
    title: 'Own rules',
    pages: [
      ['docs/tutorials/custom-rules.md', 'Tutorial'],
      ['docs/how-to/change-a-rule.md', 'Change a rule'],
      ['docs/how-to/unit-types.md', 'Add unit types'],
      ['docs/reference/games.md', 'Example systems'],
      ['docs/reference/rule-api.md', 'Rule API'],
      ['docs/reference/distributions.md', 'Distributions'],
      ['docs/reference/loading-systems.md', 'Load systems'],
      ['docs/reference/conform.md', 'Conformance checks'],
    ],
  },
  {
    title: 'Reference',
    pages: [
      ['docs/reference/cli.md', 'Commands'],
      ['docs/reference/tables.md', 'Tables'],
      ['docs/reference/json.md', 'JSON'],
      ['docs/reference/errors.md', 'Errors'],
      ['docs/how-to/browsers.md', 'Browsers and bundles'],
      ['CHANGELOG.md', 'Changelog'],
    ],
  },
  {
    title: 'Internals',
    pages: [
      ['docs/explanation/design.md', 'Design'],
      ['docs/explanation/randomness.md', 'Random numbers'],
      ['docs/explanation/benchmarks.md', 'Benchmarks and the gate'],
      ['docs/how-to/add-a-shipped-system.md', 'Adding a system'],
      ['CONTRIBUTING.md', 'Contributing'],
    ],
  },
];

/** Files of all sections, in order. */
export const FILES = SECTIONS.flatMap(({ pages }) => pages.map(([file]) => file));
