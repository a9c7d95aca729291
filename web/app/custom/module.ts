/** The chosen module of custom rules: reads, runs and checks it. */
import { signal } from '@preact/signals';
import { InputError } from '../../../src/core/index.ts';
import { sanitizeFileName } from '../../../src/report/index.ts';
import { perform, restartEngine, WorkStopped } from '../../engine/client.ts';
import type { CustomModule, CustomSystem, ModuleFile } from '../../engine/custom/custom-rules.ts';
import type { ConformanceVerdict } from '../../engine/custom/verdict.ts';
import { EngineDied, type EngineSetup } from '../../engine/live.ts';
import { performInSeparateEngine } from '../../engine/separate-engine.ts';
import { readFileText } from '../files.ts';
import { openText, panel, text as scenarioText, verdicts } from '../state.ts';

/** Pattern of module file names. */
export const MODULE_FILE_PATTERN = /\.m?js$/i;

/** Module text that may be run. */
export interface ChosenModule extends ModuleFile {
  /** Origin. Modules from `here` and `server` run without a warning. */
  readonly from: 'disk' | 'here' | 'server' | 'link';
}

/** Module that was read or written; it may have been run. */
export const chosenModule = signal<ChosenModule | undefined>(undefined);
/** Module that runs in the engine. */
export const runningModule = signal<ChosenModule | undefined>(undefined);

/** Systems of the running module. */
export const openedModule = signal<CustomModule | undefined>(undefined);
export const moduleFault = signal<unknown>(undefined);
export const isOpening = signal(false);

/** Scenario that is being checked. */
export const checkedScenario = signal<string | undefined>(undefined);

/** Creates the file name of an example scenario. */
export const createScenarioFileName = (name: string): string =>
  `${name.replaceAll(/[^\p{L}\p{N}_-]+/gu, '-').replace(/^-+/, '') || 'scenario'}.yaml`;

/** Reads a module file without running it. */
export async function chooseFile(file: File): Promise<void> {
  const name = sanitizeFileName(file.name);
  moduleFault.value = undefined;
  chosenModule.value = undefined;
  try {
    if (!MODULE_FILE_PATTERN.test(name))
      throw new InputError(name, 'a JavaScript module (.js or .mjs)', 'another file type');
    chosenModule.value = { file: name, text: await readFileText(file, name), from: 'disk' };
  } catch (error) {
    moduleFault.value = error;
  }
}

/** Restarts the engine with only the shipped systems; the scenario is validated again there. */
function resetEngine(): void {
  engineSetup = undefined;
  restartEngine(undefined);
  perform((engine) => engine.ping()).catch(() => undefined);
}

/** Setup of engines while a module is open. */
let engineSetup: EngineSetup | undefined;

/** Time limit for loading a module, in milliseconds. */
const LOAD_TIMEOUT = 10_000;

let loading = new AbortController();

/** Cancels the loading of a module. */
export function stopOpening(reason?: Error): void {
  loading.abort(reason);
}

async function loadModule(module: ModuleFile): Promise<CustomModule | undefined> {
  loading = new AbortController();
  const { signal } = loading;
  const late = new Error(`${module.file} did not load within 10 s: it may be in an infinite loop or wait forever`);
  const timer = setTimeout(stopOpening, LOAD_TIMEOUT, late);
  engineSetup = { file: module.file, load: (engine) => engine.openModule(module) };
  restartEngine(engineSetup);
  try {
    return await perform((engine) => engine.openedModule(), signal);
  } catch (error) {
    resetEngine();
    const said = error instanceof WorkStopped ? (signal.reason as unknown) : error;
    if (said === late || !(error instanceof WorkStopped)) moduleFault.value = said;
    return undefined;
  } finally {
    clearTimeout(timer);
  }
}

/** Opens the first example of rules written here, unless the scenario already uses their system. */
function showWrittenExample([system]: readonly CustomSystem[]): void {
  const [example] = system?.examples ?? [];
  const mine =
    system !== undefined && new RegExp(`^["']?system["']?: *["']?${system.id}\\b`, 'm').test(scenarioText.peek());
  if (chosenModule.peek()?.from === 'here' && example !== undefined && !mine)
    openText(example.text, createScenarioFileName(example.name));
}

/** Runs the chosen module in its own engine. @param shown is called with the systems before they are checked */
export async function openChosenModule(
  shown: (systems: readonly CustomSystem[]) => void = showWrittenExample,
): Promise<void> {
  const module = chosenModule.value;
  if (module === undefined) return;
  closeModule();
  isOpening.value = true;
  const found = await loadModule({ file: module.file, text: module.text });
  openedModule.value = found;
  isOpening.value = false;
  if (found === undefined) return;
  runningModule.value = module;
  shown(found.systems);
  for (const { id } of found.systems) if (openedModule.value === found) await checkConformance(id, true);
}

/**
 * Opens the module that the server provides; the user has already run it.
 * @param plain true if the address has no question: then the first example is shown
 */
export async function openServedModule(address: string, plain: boolean): Promise<void> {
  const file = sanitizeFileName(decodeURIComponent(address.replace(/^.*\//, '')));
  try {
    const answer = await fetch(address);
    if (!answer.ok)
      throw new InputError(file, 'the module from the server of this page', `HTTP ${String(answer.status)}`);
    chosenModule.value = { file, text: await answer.text(), from: 'server' };
  } catch (error) {
    moduleFault.value = error;
  }
  // The engine starts with the module; other requests wait.
  const getShown = ([first]: readonly CustomSystem[]): void => {
    const [example] = first?.examples ?? [];
    if (plain && example !== undefined) openText(example.text, createScenarioFileName(example.name));
  };
  void openChosenModule(getShown).then(() => {
    if (moduleFault.value !== undefined) panel.value = 'own';
  });
}

/** Closes the module and restarts the engine. */
export function closeModule(): void {
  conformanceCheck.abort();
  if (openedModule.value !== undefined) resetEngine();
  openedModule.value = undefined;
  runningModule.value = undefined;
  moduleFault.value = undefined;
  verdicts.value = {};
}

let conformanceCheck = new AbortController();

export function stopConformanceCheck(): void {
  conformanceCheck.abort();
}

/** Seconds without a response after which the engine of a check is ended. */
const MAX_SILENCE = { quick: 20, thorough: 600 };

/** Checks a system in a second engine, so that the first stays free. @param quick true for fewer checks */
export async function checkConformance(id: string, quick: boolean): Promise<void> {
  conformanceCheck.abort();
  const module = engineSetup;
  if (module === undefined) return;
  conformanceCheck = new AbortController();
  const { signal } = conformanceCheck;
  const handleScenario = (scenario: string): void => {
    checkedScenario.value = `${id}: ${scenario}`;
  };
  const showVerdict = (verdict: ConformanceVerdict): void => {
    verdicts.value = { ...verdicts.value, [id]: verdict };
  };
  checkedScenario.value = id;
  try {
    const silence = quick ? MAX_SILENCE.quick : MAX_SILENCE.thorough;
    showVerdict(
      await performInSeparateEngine(
        module,
        (engine, _, reported) => engine.conform(id, quick, reported),
        silence,
        signal,
        handleScenario,
      ),
    );
  } catch (error) {
    if (error instanceof EngineDied)
      showVerdict({ good: false, lines: [`${id} could not be checked: ${error.message}`] });
    else if (!(error instanceof WorkStopped)) moduleFault.value = error;
  }
  if (conformanceCheck.signal === signal) checkedScenario.value = undefined;
}
