/** `warpool app` */

import { once } from 'node:events';
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { BATTLES } from '../analysis/index.ts';
import { InputError, RunError } from '../core/index.ts';
import { createLink, sanitizeFileName } from '../report/index.ts';
import { getSourceName, identifyModule, readScenario, readText, type SystemRegistry } from '../rules/index.ts';
import { count, flag, type OptionSpecs, type ParsedOptions } from '../rules/option-spec.ts';
import { RULESET } from '../stats/index.ts';
import { type CommandDeclaration, formatExamples, SCENARIO } from './command.ts';
import { endIfStopped } from './failure.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import { loadRegistry, type RegistryOptions } from './registry.ts';
import { createHeaders, readPolicy } from './static-server/content-security-policy.ts';
import { openInBrowser } from './static-server/open-in-browser.ts';
import { addModule, readStaticFiles, type StaticFiles } from './static-server/static-files.ts';
import { closeServer, createStaticServer, LOOPBACK, listenLocally } from './static-server/static-server.ts';
import { print, printStatus } from './terminal.ts';

/** Ports of TCP have 16 bits. */
const PORT_MAX = 65_535;

const OPTIONS = {
  port: count(1, PORT_MAX, 'port to listen on, 1..65535 (default: a free port)'),
  open: flag('also open the web app in your browser'),
} as const satisfies OptionSpecs;

type AppCommandOptions = ParsedOptions<typeof OPTIONS> & RegistryOptions;

/** Default number of battles, as for `warpool run`. */
const DEFAULT_EFFORT = { kind: 'battles', battles: BATTLES } as const;

/** Finds the folder of the built web app. @throws RunError if it does not exist */
function findBuiltApp(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve('#page/index.html'));
  } catch (error) {
    throw new RunError('the web app is not built; run "npm run build"', { cause: error });
  }
}

/** @throws RunError if the folder has no web app, or cannot be read */
async function loadApp(folder: string): Promise<{ files: StaticFiles; headers: Readonly<Record<string, string>> }> {
  const files = await readStaticFiles(folder).catch((error: unknown) => {
    throw new RunError(`${folder}: ${(error as Error).message}`, { cause: error });
  });
  const index = files.get('/');
  if (index === undefined) throw new RunError('the web app is not built; run "npm run build"');
  return { files, headers: createHeaders(readPolicy(new TextDecoder().decode(index.body))) };
}

/** Creates the part of the address that opens a scenario. @throws InputError if it is invalid */
async function createFragment(file: string, systems: SystemRegistry): Promise<{ fragment: string; system: string }> {
  const text = await readText(file);
  const { system } = await readScenario(text, getSourceName(file), { systems });
  const requested = { seed: '1', effort: DEFAULT_EFFORT, panel: 'answer', notes: {}, ruleset: RULESET };
  return { fragment: await createLink({ text, file: sanitizeFileName(basename(file)), ...requested }), system };
}

/** Modules that a custom module may import in a browser. */
const BROWSER_MODULES = /^(?:warpool\/system|zod)$/;

/**
 * Chooses the module for the web app: the module of the scenario, or else the first one.
 * @param id system of the scenario
 * @param why called with the reason if the web app cannot open the module
 */
async function chooseModule(systems: SystemRegistry, id: string | undefined, why: (reason: string) => void) {
  const module = (id === undefined ? undefined : systems.moduleOf(id)) ?? systems.modules[0];
  if (module === undefined) return undefined;
  const [first] = (await identifyModule(module.url, '--systems')).files;
  const name = basename(fileURLToPath(module.url));
  const other = first?.imports.find(({ specifier }) => !BROWSER_MODULES.test(specifier));
  if (first === undefined || other !== undefined || !/\.m?js$/.test(name)) {
    const reason = other === undefined ? 'it is not JavaScript' : `it imports '${other.specifier}'`;
    why(`the web app cannot open ${name}: ${reason}; modules may import only warpool/system and zod`);
    return undefined;
  }
  return { name, text: new TextEncoder().encode(first.text) };
}

/** Converts a system error of a port. */
function toPortError(error: unknown, port: number): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  const found = String(port);
  if (code === 'EADDRINUSE') return new InputError('--port', 'a free port', `${found}, which is in use`);
  if (code === 'EACCES') return new InputError('--port', 'a port that you have permission to use', found);
  return new RunError(`${LOOPBACK}: cannot listen: ${message}`, { cause: error });
}

export interface RunningApp {
  /** Address; opens the scenario, if any. */
  readonly url: string;
  readonly end: () => Promise<void>;
}

/**
 * Serves the web app to this machine.
 * @param file scenario that the address opens
 * @param folder of the web app
 * @throws InputError if the systems, the scenario or the port are invalid
 * @throws RunError if the web app is not built
 */
export async function startApp(
  file: string | undefined,
  options: AppCommandOptions,
  folder = findBuiltApp(),
): Promise<RunningApp> {
  const { port = 0 } = options;
  const systems = await loadRegistry(options);
  const requested = file === undefined ? undefined : await createFragment(file, systems);
  const module = await chooseModule(systems, requested?.system, (reason) => {
    printStatus(`warpool: ${reason}`);
  });
  const { files, headers } = await loadApp(folder);
  const server = createStaticServer(module === undefined ? files : addModule(files, module.name, module.text), headers);
  const found = await listenLocally(server, port).catch((error: unknown) => {
    throw toPortError(error, port);
  });
  return { url: `http://${LOOPBACK}:${String(found)}/${requested?.fragment ?? ''}`, end: () => closeServer(server) };
}

/**
 * Serves the web app to this machine until a signal.
 * @param file scenario that the address opens
 * @throws as `offerPage`
 * @throws CommandExit after a signal
 */
export async function serveApp(file: string | undefined, options: AppCommandOptions, signals: Signals): Promise<void> {
  const { url, end } = await startApp(file, options);
  print(`${url}\n`);
  printStatus('serving only this machine; Ctrl-C ends');
  if (options.open === true)
    openInBrowser(url, (why) => {
      printStatus(`warpool: cannot open a browser: ${why}`);
    });
  if (!signals.stop.aborted) await once(signals.stop, 'abort');
  await end();
  endIfStopped(signals);
}

const NOTES = `
The web app computes in the browser and sends no data. It is served at 127.0.0.1, which other machines cannot reach.
The first line of standard output is its address. docs/how-to/host-web-app.md shows how to host it on other web servers.`;

export const command: CommandDeclaration = {
  description: 'Serves the web app, in which you edit and evaluate scenarios, to browsers on this machine.',
  parameters: [`${SCENARIO}; the web app opens it`],
  settings: OPTIONS,
  notes: [formatExamples('app', 'app scenarios/phased-dice-ground.yaml --open', 'app --port 8080'), NOTES],
  action: (file: string | undefined, options: AppCommandOptions) => serveApp(file, options, catchSignals()),
};
