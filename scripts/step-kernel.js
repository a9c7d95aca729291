/**
 * Steps through a kernel: simulates one battle with the debug build, stops at a line of AssemblyScript, and prints each
 * further step with the local variables of its function.
 *
 *     node scripts/step-kernel.js assembly/attrition/duel.ts:48 scenarios/attrition-direct.yaml --battle 17 --steps 40
 *
 * Needs `npm run build`. The debugger is a thread of the same process and uses the inspector protocol of V8, because
 * graphical debuggers do not use the source map of a kernel that Node.js has compiled.
 */
import { once } from 'node:events';
import { existsSync, readFileSync, statSync, writeSync } from 'node:fs';
import { Session } from 'node:inspector';
import { SourceMap } from 'node:module';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { enterRoot } from './files.js';

const FOLDER = 'dist/kernels/debug';

/** @param {string} path */
const compiled = (path) => import(new URL(`../dist/src/${path}`, import.meta.url).href);

/** @typedef {{ readonly file: string, readonly line: number }} Place of a source; lines are counted from 1 */

/** Simulates, when the debugger is connected. */
async function play() {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: {
      battle: { type: 'string', default: '0' },
      seed: { type: 'string', default: '1' },
      steps: { type: 'string', default: '20' },
    },
  });
  const [, file, line] = /^(.+):(\d+)$/.exec(positionals[0] ?? '') ?? [];
  if (positionals.length !== 2 || line === undefined)
    throw new Error('expected a place such as assembly/attrition/duel.ts:48, and a scenario');
  const { loadScenario } = await compiled('rules/scenario/index.js');
  const { getBoundScenario } = await compiled('rules/bound-scenario.js');
  const { SystemKernel, loadKernel } = await compiled('engines/kernel/kernel.js');
  const scenario = await loadScenario(positionals[1] ?? '');
  const open = getBoundScenario(scenario);
  const encoded = open.words();
  if (encoded === undefined) throw new Error(`${scenario.system} has no kernel`);
  const kernel = new SystemKernel(await loadKernel(scenario.system, 'debug'), open.shape, encoded);
  const task = { system: scenario.system, place: { file, line: Number(line) }, steps: Number(values.steps) };
  const thread = new Worker(new URL(import.meta.url), { workerData: task });
  await once(thread, 'message');
  // biome-ignore lint/suspicious/noDebugger: here the thread, which hears of nothing before, sets its breakpoints
  debugger;
  const { outcome, metrics } = kernel.play(BigInt(values.seed), Number(values.battle));
  /** @type {{ readonly name: string }[]} */
  const shown = open.shape.metrics;
  const named = shown.map(({ name }, m) => `${name} ${metrics[m]}`);
  writeSync(1, `the battle ended: ${[open.shape.outcomes[outcome], ...named].join(', ')}\n`);
  await thread.terminate();
}

/** Finds the line of AssemblyScript of a byte. @param {string} system @returns {(byte: number) => Place | undefined} */
function placesIn(system) {
  const map = new SourceMap(JSON.parse(readFileSync(`${FOLDER}/${system}.wasm.map`, 'utf8')));
  return (byte) => {
    const entry = map.findEntry(0, byte);
    if (!('originalSource' in entry) || entry.originalSource === undefined) return undefined;
    return { file: entry.originalSource, line: entry.originalLine + 1 };
  };
}

/** @param {Place} place */
const lineOf = ({ file, line }) =>
  existsSync(file) ? (readFileSync(file, 'utf8').split('\n')[line - 1]?.trim() ?? '') : '';

/**
 * Formats a WebAssembly number, an object with type and value.
 * @param {import('node:inspector').Runtime.PropertyDescriptor} local
 */
const localText = ({ name, value }) =>
  `${name.replace('$', '')} ${value?.preview?.properties.find(({ name }) => name === 'value')?.value}`;

/** Steps while the main thread is paused. @param {{ system: string, place: Place, steps: number }} task */
function debug({ system, place, steps }) {
  const placeOf = placesIn(system);
  const isThere = (/** @type {number} */ byte) => {
    const other = placeOf(byte);
    return other?.file === place.file && other.line === place.line;
  };
  const size = statSync(`${FOLDER}/${system}.wasm`).size;
  // Inlined code has several positions.
  const starts = Array.from({ length: size }, (_, byte) => byte).filter((byte) => isThere(byte) && !isThere(byte - 1));

  const session = new Session();
  session.connectToMainThread();
  let script = '';
  let left = steps;
  let last = '';
  /** @type {ReadonlySet<string>} */
  let known = new Set();

  /** @param {import('node:inspector').Debugger.CallFrame} frame */
  function tell({ location, functionName, scopeChain }) {
    const at = placeOf(location.columnNumber ?? 0);
    if (at === undefined || `${at.file}:${at.line}` === last) return;
    last = `${at.file}:${at.line}`;
    left -= 1;
    writeSync(1, `${last}  ${lineOf(at)}    (${functionName.replace(/.*\//, '')})\n`);
    const objectId = scopeChain.find(({ type }) => type === 'local')?.object.objectId;
    if (objectId === undefined) return;
    session.post('Runtime.getProperties', { objectId, generatePreview: true }, (_, { result }) => {
      const locals = result.map(localText);
      const changed = locals.filter((local) => !known.has(local));
      known = new Set(locals);
      if (changed.length > 0) writeSync(1, `    ${changed.join(', ')}\n`);
    });
  }

  function setBreakpoints() {
    if (starts.length === 0) writeSync(2, `the kernel of ${system} has no code of ${place.file}:${place.line}\n`);
    for (const columnNumber of starts)
      session.post('Debugger.setBreakpoint', { location: { scriptId: script, lineNumber: 0, columnNumber } });
  }

  session.on('Debugger.scriptParsed', ({ params }) => {
    if (params.sourceMapURL?.endsWith(`${system}.wasm.map`)) script = params.scriptId;
  });
  session.on('Debugger.paused', ({ params: { callFrames } }) => {
    const [frame] = callFrames;
    if (frame?.location.scriptId === script) tell(frame);
    else setBreakpoints();
    if (left <= 0) session.post('Debugger.disable');
    else session.post(left < steps ? 'Debugger.stepInto' : 'Debugger.resume');
  });
  // Keeps this thread alive while the other one simulates.
  parentPort?.on('message', () => undefined);
  session.post('Debugger.enable', () => parentPort?.postMessage('ready'));
}

if (isMainThread) {
  enterRoot();
  await play().catch((error) => {
    process.stderr.write(`step-kernel: ${error instanceof Error ? error.message : String(error)}\n`);
    process.exitCode = 2;
  });
} else debug(workerData);
