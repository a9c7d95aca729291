/** Scenarios that a thread is sent, opened with the systems that the page has by name. */
import { SYSTEMS } from 'virtual:systems';
import { openScenario, type Portable } from '../../src/rules/index.ts';
import { loadNamed, nameSystems, registry } from './registry.ts';

nameSystems(SYSTEMS);

/** Those of the user's own modules are left as they are: no thread can load these. */
export async function open(sent: readonly Portable[]): Promise<void> {
  await loadNamed(sent.map(({ scenario }) => scenario.system));
  const systems = registry();
  for (const { scenario, module } of sent) {
    const { system } = scenario;
    const same = systems.find(system) !== undefined && systems.moduleOf(system)?.hash === module?.hash;
    if (same) openScenario(scenario, systems);
  }
}
