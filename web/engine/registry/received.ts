/** Binds scenarios that a thread receives to the systems of the page. */
import { SYSTEMS } from 'virtual:systems';
import { bindScenario, type PortableScenario } from '../../../src/rules/index.ts';
import { getRegistry, loadSystemsById, setLoadableSystems } from './registry.ts';

setLoadableSystems(SYSTEMS);

/** Binds received scenarios; skips custom modules, which threads cannot load. */
export async function openReceived(received: readonly PortableScenario[]): Promise<void> {
  await loadSystemsById(received.map(({ scenario }) => scenario.system));
  const systems = getRegistry();
  for (const { scenario, module } of received) {
    const { system } = scenario;
    const same = systems.find(system) !== undefined && systems.moduleOf(system)?.hash === module?.hash;
    if (same) bindScenario(scenario, systems);
  }
}
