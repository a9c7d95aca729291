/** Games that other solvers evaluate. */
import { fileURLToPath } from 'node:url';
import type { ExportGameOptions } from '../../src/environments/equilibrium/export-game.ts';
import { loadScenario, loadSystems } from '../../src/index.ts';
import { validateScenario } from '../../src/rules/scenario/index.ts';
import type { Scenario } from '../../src/rules/system.ts';
import { example } from '../examples/files.ts';

const at = (name: string): string => fileURLToPath(new URL(`../../${example(name)}`, import.meta.url));

async function loadExample(name: string, changes: object = {}): Promise<Scenario> {
  const systems = await loadSystems([at(`${name.replace(/-\w+$/, '')}.mjs`)]);
  return validateScenario({ ...(await loadScenario(at(`${name}.yaml`), { systems })), ...changes }, { systems });
}

const PROBABILITY = { reward: { red: { outcomes: { red: 1 } } } };

type Game = readonly [name: string, load: () => Promise<Scenario>, options: ExportGameOptions, size: number];

/** Games with the number of nodes of their trees; the last ones have a round limit, and rewards of rounds. */
export const GAMES: readonly Game[] = [
  ['Goofspiel', () => loadExample('goofspiel-three'), { reward: 'points' }, 418],
  ['strength cards, bluff', () => loadScenario('scenarios/strength-cards-bluff.yaml'), { reward: 'hp' }, 58],
  [
    'strength cards, two decisions in a stage',
    () => loadScenario('scenarios/strength-cards-island.yaml'),
    { reward: 'hp', decisions: ['card', 'air'] },
    631,
  ],
  ['robots', () => loadExample('robots-five', { size: 3, maxRounds: 2 }), PROBABILITY, 3294],
  ['rock, paper, scissors', () => loadExample('first-win-two'), PROBABILITY, 85],
  [
    'rewards of rounds',
    () => loadExample('first-win-paper', { maxRounds: 3 }),
    { reward: { red: { outcomes: { red: 1 }, metrics: { rounds: -0.25 } } } },
    157,
  ],
];
