/** Thread of the page: a thread of the library that loads systems by name. */
import { expose } from 'comlink';
import type { AnswerTask, Job, SimulatorCommand, SimulatorSetup } from '../../src/engines/index.ts';
import type { PortableScenario } from '../../src/rules/index.ts';
import { faceOf } from '../../workers/face.ts';

/** Lists scenarios that are simulated by interpreted rules. */
function listReferenceScenarios(setup: SimulatorSetup): PortableScenario[] {
  if (setup.form === 'together') return setup.parts.flatMap(listReferenceScenarios);
  return setup.form === 'reference' ? [setup] : [];
}

function listScenarios(task: Job | SimulatorCommand | AnswerTask | null): PortableScenario[] {
  if (task === null) return [];
  if ('setup' in task) return listReferenceScenarios(task.setup);
  return 'scenario' in task ? [task] : [];
}

expose(
  faceOf(async (task) => {
    const sent = listScenarios(task as Parameters<typeof listScenarios>[0]);
    if (sent.length > 0) await (await import('./registry/received.ts')).openReceived(sent);
  }),
);
