/** A thread of the page: that of the library, which loads the systems of what it is sent by their names. */
import { expose } from 'comlink';
import type { AnswerTask, Job, Order, Setup } from '../../src/engines/index.ts';
import type { Portable } from '../../src/rules/index.ts';
import { faceOf } from '../../workers/face.ts';

/** Scenarios that are played by the rules as written. */
function writtenIn(setup: Setup): Portable[] {
  if (setup.form === 'together') return setup.parts.flatMap(writtenIn);
  return setup.form === 'reference' ? [setup] : [];
}

function scenariosIn(task: Job | Order | AnswerTask | null): Portable[] {
  if (task === null) return [];
  if ('setup' in task) return writtenIn(task.setup);
  return 'scenario' in task ? [task] : [];
}

expose(
  faceOf(async (task) => {
    const sent = scenariosIn(task as Parameters<typeof scenariosIn>[0]);
    if (sent.length > 0) await (await import('./received.ts')).open(sent);
  }),
);
