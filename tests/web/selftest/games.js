/**
 * Computes the scenarios of /plan.json in the engine of the page, exactly and by simulation, and posts the results to
 * /result.
 */
import { proxy, wrap } from 'comlink';
import { installErrorTransfer } from '../../../web/engine/errors.ts';

installErrorTransfer();

/** @typedef {{ name: string, battles: number, text: string }} Planned */
/** @typedef {{ game: string, shipped: string, scenario: { game: string, shipped: string }, battles: number }} Own */

/** @param {{ engine: string, scenarios: Planned[] }} plan */
async function answers({ engine, scenarios }) {
  const remote = wrap(new Worker(engine, { type: 'module' }));
  /** @type {Record<string, object>} */
  const said = {};
  for (const [n, { name, battles, text }] of scenarios.entries()) {
    document.getElementById('told').textContent = name;
    const { hash } = await remote.check(text);
    // Simulated first: with an exact answer, results have more content.
    const ask = { text, file: name, seed: '1', effort: { kind: 'battles', battles } };
    const { digest, command } = await remote.play(
      ask,
      n,
      proxy(() => undefined),
    );
    const exact = await remote.solve({ text, file: name }, true);
    said[name] = { hash, digest, command, exact: exact.tables?.outcomes.map((each) => [each.name, each.p]) };
  }
  return { answers: said };
}

const opened = (engine) => wrap(new Worker(`${engine}?own`, { type: 'module' }));

/**
 * Tests custom modules with the ids of other systems.
 * @param {{ engine: string, own: Own }} plan
 */
async function ownModules({ engine, own: { game, shipped, scenario, battles } }) {
  const remote = opened(engine);
  await remote.openModule({ file: 'mine.mjs', text: game });
  const { title, hash } = await remote.check(scenario.game);
  const ask = { text: scenario.shipped, file: 'a.yaml', seed: '1', effort: { kind: 'battles', battles } };
  // Loaded after the worker was restricted.
  const { digest, command } = await remote.play(
    ask,
    1,
    proxy(() => undefined),
  );
  const rejection = await opened(engine)
    .openModule({ file: 'mine.mjs', text: shipped })
    .then(
      () => 'nothing',
      (/** @type {Error} */ error) => error.message,
    );
  return { title, hash, digest, command, rejection };
}

async function outcome() {
  try {
    const plan = await (await fetch('/plan.json')).json();
    return { ...(await answers(plan)), own: await ownModules(plan) };
  } catch (error) {
    return { error: String(error?.stack ?? error) };
  }
}

const result = await outcome();
const { crossOriginIsolated: isolated, navigator } = globalThis;
await fetch('/result', { method: 'POST', body: JSON.stringify({ ...result, isolated, browser: navigator.userAgent }) });
document.getElementById('told').textContent = 'done';
