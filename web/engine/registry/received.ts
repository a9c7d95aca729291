/** Scenarios that a thread is sent, opened with the systems that the page has by name. */
import { SYSTEMS } from 'virtual:systems';
import { bindScenario, type PortableScenario } from '../../../src/rules/index.ts';
import { getRegistry, loadSystemsById, setLoadableSystems } from './registry.ts';

setLoadableSystems(SYSTEMS);

/** Those of the user's own modules are left as they are: no thread can load these. */
export async function openReceived(received: readonly PortableScenario[]): Promise<void> {
  await loadSystemsById(received.map(({ scenario }) => scenario.system));
  const systems = getRegistry();
  for (const { scenario, module } of received) {
    const { system } = scenario;
    const same = systems.find(system) !== undefined && systems.moduleOf(system)?.hash === module?.hash;
    if (same) bindScenario(scenario, systems);
  }
}
