/**
 * The pages of the site that are written by hand: their order and their titles in the sidebar. A test holds the list
 * complete: every file of docs/ stands in it exactly once.
 */

/**
 * @typedef {readonly [file: string, title: string]} Page a Markdown file, its path from the root of the project
 * @typedef {{ readonly title: string, readonly pages: readonly Page[] }} Section
 */

/** @type {readonly Section[]} */
export const SECTIONS = [
  {
    title: 'Start',
    pages: [
      ['README.md', 'Overview'],
      ['docs/page.md', 'The page'],
      ['docs/glossary.md', 'Glossary'],
    ],
  },
  {
    title: 'Systems',
    pages: [
      ['docs/systems/attrition.md', 'attrition'],
      ['docs/systems/phased-dice.md', 'phased-dice'],
      ['docs/systems/token-conflict.md', 'token-conflict'],
      ['docs/systems/cube-bag.md', 'cube-bag'],
      ['docs/systems/strength-cards.md', 'strength-cards'],
    ],
  },
  {
    title: 'Games',
    pages: [
      ['docs/games/conquest-dice.md', 'conquest-dice'],
      ['docs/games/block-dice.md', 'block-dice'],
      ['docs/games/combined-arms.md', 'combined-arms'],
      ['docs/games/space-fleets.md', 'space-fleets'],
      ['docs/games/hit-wound-save.md', 'hit-wound-save'],
      ['docs/games/symbol-dice.md', 'symbol-dice'],
      ['docs/printed-odds.md', 'Printed odds'],
    ],
  },
  {
    title: 'Answers',
    pages: [
      ['docs/exact.md', 'Exact answers'],
      ['docs/statistics.md', 'Statistics'],
      ['docs/comparing.md', 'Comparing'],
      ['docs/sensitivity.md', 'Sensitivity'],
      ['docs/balance.md', 'Balance'],
      ['docs/expectations.md', 'Expectations'],
      ['docs/continuous-integration.md', 'Continuous integration'],
      ['docs/in-a-paper.md', 'In a paper'],
    ],
  },
  {
    title: 'Sweeps and many machines',
    pages: [
      ['docs/sweeps.md', 'Sweeps'],
      ['docs/reports.md', 'Reports'],
      ['docs/huge-runs.md', 'Huge runs'],
      ['docs/many-machines.md', 'Many machines'],
      ['docs/queue.md', 'Work over a queue'],
      ['docs/object-stores.md', 'Object stores'],
      ['docs/threat-model.md', 'Threat model'],
    ],
  },
  {
    title: 'Rollouts and agents',
    pages: [
      ['docs/rollouts.md', 'Rollouts'],
      ['docs/rollout-pool.md', 'Environments in threads'],
      ['docs/optimal.md', 'Optimal play'],
      ['docs/rollout-protocol.md', 'Protocol'],
      ['docs/abi.md', 'Interface of the kernels'],
      ['python/README.md', 'Python'],
    ],
  },
  {
    title: 'Own rules',
    pages: [
      ['docs/your-own-rules.md', 'Tutorial'],
      ['docs/example-systems.md', 'Example systems'],
      ['docs/laws.md', 'Laws of dice'],
      ['docs/loading-systems.md', 'Loading systems'],
      ['docs/conform.md', 'Testing a system'],
    ],
  },
  {
    title: 'Reference',
    pages: [
      ['docs/command-line.md', 'Commands'],
      ['docs/tables.md', 'Tables'],
      ['docs/json.md', 'JSON'],
      ['docs/errors.md', 'Errors'],
      ['docs/browsers.md', 'In browsers'],
      ['docs/bundling.md', 'Bundling'],
      ['CHANGELOG.md', 'Changelog'],
    ],
  },
  {
    title: 'Internals',
    pages: [
      ['docs/design.md', 'Design'],
      ['docs/randomness.md', 'Random numbers'],
      ['docs/benchmarks.md', 'Benchmarks and the gate'],
      ['docs/adding-a-system.md', 'Adding a system'],
      ['CONTRIBUTING.md', 'Contributing'],
    ],
  },
];

/** The files of all sections, in order. */
export const FILES = SECTIONS.flatMap(({ pages }) => pages.map(([file]) => file));
