/**
 * Equilibria of shipped scenarios, and the best response of the first player to the policies of the scenario, without
 * simultaneous decisions of the other one.
 */
import { findBestResponseSync } from '../src/environments/best-response/best-response.ts';
import { findEquilibriumSync } from '../src/environments/equilibrium/find-equilibrium.ts';
import { loadScenario } from '../src/rules/scenario/index.ts';
import { race } from './race.ts';
import type { Options, Row } from './row.ts';

const FILES = ['phased-dice-dogfight', 'strength-cards-pocket', 'cube-bag-outpost', 'phased-dice-last-stand'];

async function measure(file: string, { quick }: Options): Promise<Row> {
  const scenario = await loadScenario(`scenarios/${file}.yaml`);
  const { positions, decisionStates } = findEquilibriumSync(scenario);
  const solving = (find: (of: typeof scenario) => unknown) => () => () => {
    find(scenario);
    return 1;
  };
  const contenders = { equilibrium: solving(findEquilibriumSync), 'best response': solving(findBestResponseSync) };
  const times = await race(contenders, { turns: quick ? 1 : 3, time: 10, samples: 1, warmUp: 0 });
  const [both, one] = ['equilibrium', 'best response'].map((name) => Math.min(...(times.get(name) ?? []))) as [
    number,
    number,
  ];
  const [size, games] = [positions, decisionStates].map((count) => count.toLocaleString('en'));
  return {
    ...{ suite: 'equilibria', name: file, value: both / 1e6, unit: 'ms', ratio: both / one, of: 'best response' },
    note: `${size ?? ''} positions, ${games ?? ''} matrix games, ${((1e9 * positions) / both).toFixed(0)} positions a second`,
  };
}

export async function equilibria(options: Options): Promise<Row[]> {
  const rows: Row[] = [];
  for (const file of options.quick ? FILES.slice(0, 2) : FILES) rows.push(await measure(file, options));
  return rows;
}
