/** Simulates the scenarios of /plan.json with the library for browsers, and posts their digests to /result. */

/** @typedef {{ name: string, battles: number, text: string, module?: string }} Planned A scenario, and where its system is, unless shipped */
/** @typedef {{ workers: number[], scenarios: Planned[] }} Plan */

/** @param {Plan} plan @param {Record<string, unknown>} library */
async function play(plan, { loadSystems, parseScenario, ThreadPool, simulate }) {
  /** @type {Record<string, Record<string, string>>} */
  const digests = {};
  for (const workers of plan.workers) {
    const pool = workers === 0 ? undefined : await ThreadPool.create({ workers });
    digests[workers] = {};
    for (const { name, battles, text, module } of plan.scenarios) {
      const systems = module === undefined ? undefined : await loadSystems([module]);
      const scenario = parseScenario(text, { source: name, systems });
      const options = { battles, seed: 1, ...(pool === undefined ? { workers: 1 } : { pool }) };
      digests[workers][name] = (await simulate(scenario, options)).digest;
      document.getElementById('told').textContent = `${workers} ${name}`;
    }
    await pool?.close();
  }
  return digests;
}

async function outcome() {
  try {
    const plan = await (await fetch('/plan.json')).json();
    return { digests: await play(plan, await import('/library/index.js')) };
  } catch (error) {
    return { error: String(error?.stack ?? error) };
  }
}

const started = performance.now();
const result = await outcome();
const seconds = (performance.now() - started) / 1000;
const { crossOriginIsolated: isolated, navigator } = globalThis;
const body = JSON.stringify({ ...result, seconds, isolated, browser: navigator.userAgent });
document.getElementById('told').textContent = 'done';
await fetch('/result', { method: 'POST', body });
