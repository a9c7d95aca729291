/** `warpool page` */

import { once } from 'node:events';
import { createRequire } from 'node:module';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { RULESET } from '../answers/index.ts';
import { InputError, RunError } from '../core/index.ts';
import { identityOf, placeOf, type Registry, readScenario, readText } from '../rules/index.ts';
import { count, flag, type Given, type Settings } from '../rules/setting.ts';
import { BATTLES } from '../studies/index.ts';
import { linkOf, safeName } from '../tell/index.ts';
import { type DeclaredCommand, examples, SCENARIO } from './command.ts';
import { endIfStopped } from './failure.ts';
import { catchSignals, type Signals } from './interrupt.ts';
import { type Known, registryFor } from './registry.ts';
import { type Served, servedFrom, withModule } from './served/files.ts';
import { openInBrowser } from './served/opener.ts';
import { headersOf, policyOf } from './served/policy.ts';
import { close, LOOPBACK, listenAt, serverOf } from './served/server.ts';
import { print, say } from './terminal.ts';

/** Ports of TCP have 16 bits. */
const PORT_MAX = 65_535;

/** What it is asked with. */
const ASKED = {
  port: count(1, PORT_MAX, 'where to listen, 1..65535 (default: a free port)'),
  open: flag('also open it in your browser'),
} as const satisfies Settings;

type PageOptions = Given<typeof ASKED> & Known;

/** As many as `warpool run` plays unless asked otherwise. */
const EFFORT = { kind: 'battles', battles: BATTLES } as const;

/** The folder of the built page. @throws RunError if it is not there */
function builtPage(): string {
  try {
    return dirname(createRequire(import.meta.url).resolve('#page/index.html'));
  } catch (error) {
    throw new RunError('the page is not built; run "npm run build"', { cause: error });
  }
}

/** @throws RunError if the folder has no page, or cannot be read */
async function pageIn(folder: string): Promise<{ files: Served; headers: Readonly<Record<string, string>> }> {
  const files = await servedFrom(folder).catch((error: unknown) => {
    throw new RunError(`${folder}: ${(error as Error).message}`, { cause: error });
  });
  const index = files.get('/');
  if (index === undefined) throw new RunError('the page is not built; run "npm run build"');
  return { files, headers: headersOf(policyOf(new TextDecoder().decode(index.body))) };
}

/** The part of the address that opens a scenario. @throws InputError on whatever is wrong with it */
async function fragmentOf(file: string, systems: Registry): Promise<{ fragment: string; system: string }> {
  const text = await readText(file);
  const { system } = await readScenario(text, placeOf(file), { systems });
  const asked = { seed: '1', effort: EFFORT, panel: 'answer', notes: {}, ruleset: RULESET };
  return { fragment: await linkOf({ text, file: safeName(basename(file)), ...asked }), system };
}

/** What a module may import in a browser. */
const THERE = /^(?:warpool\/system|zod)$/;

/**
 * The module that the page can open: that of the scenario, else the first one.
 * @param id  the system of the scenario
 * @param why is told of a module that the page cannot open
 */
async function moduleFor(systems: Registry, id: string | undefined, why: (reason: string) => void) {
  const module = (id === undefined ? undefined : systems.moduleOf(id)) ?? systems.modules[0];
  if (module === undefined) return undefined;
  const [first] = (await identityOf(module.url, '--systems')).files;
  const name = basename(fileURLToPath(module.url));
  const other = first?.imports.find(({ specifier }) => !THERE.test(specifier));
  if (first === undefined || other !== undefined || !/\.m?js$/.test(name)) {
    const reason = other === undefined ? 'it is not JavaScript' : `it imports '${other.specifier}'`;
    why(`the page cannot open ${name}: ${reason}, and the page takes one file that imports warpool/system alone`);
    return undefined;
  }
  return { name, text: new TextEncoder().encode(first.text) };
}

/** What is wrong with a port, by the code of the system. */
function portError(error: unknown, port: number): unknown {
  const { code, message } = error as NodeJS.ErrnoException;
  const found = String(port);
  if (code === 'EADDRINUSE') return new InputError('--port', 'a free port', `${found}, at which a program listens`);
  if (code === 'EACCES') return new InputError('--port', 'a port that you may listen at', found);
  return new RunError(`${LOOPBACK}: cannot listen: ${message}`, { cause: error });
}

export interface Offer {
  /** The address, which opens the scenario if one was given. */
  readonly url: string;
  readonly end: () => Promise<void>;
}

/**
 * Serves the page to this machine.
 * @param file   a scenario that the address opens
 * @param folder of the page
 * @throws InputError on whatever is wrong with the systems, the scenario or the port
 * @throws RunError if the page is not built
 */
export async function offerPage(file: string | undefined, options: PageOptions, folder = builtPage()): Promise<Offer> {
  const { port = 0 } = options;
  const systems = await registryFor(options);
  const asked = file === undefined ? undefined : await fragmentOf(file, systems);
  const module = await moduleFor(systems, asked?.system, (reason) => {
    say(`warpool: ${reason}`);
  });
  const { files, headers } = await pageIn(folder);
  const server = serverOf(module === undefined ? files : withModule(files, module.name, module.text), headers);
  const found = await listenAt(server, port).catch((error: unknown) => {
    throw portError(error, port);
  });
  return { url: `http://${LOOPBACK}:${String(found)}/${asked?.fragment ?? ''}`, end: () => close(server) };
}

/**
 * Serves the page to this machine until a signal comes.
 * @param file a scenario that the address opens
 * @throws what `offerPage` throws
 * @throws Ended by a signal
 */
export async function servePage(file: string | undefined, options: PageOptions, signals: Signals): Promise<void> {
  const { url, end } = await offerPage(file, options);
  print(`${url}\n`);
  say('the page is served to this machine alone; Ctrl-C ends');
  if (options.open === true)
    openInBrowser(url, (why) => {
      say(`warpool: no browser was opened: ${why}`);
    });
  if (!signals.stop.aborted) await once(signals.stop, 'abort');
  await end();
  endIfStopped(signals);
}

const NOTES = `
The page computes in the browser and sends nothing anywhere. It is served at 127.0.0.1, which no other machine reaches,
and its address is the first line of standard output. docs/how-to/host-web-app.md shows how other web servers can host it.`;

export const command: DeclaredCommand = {
  description: 'Serves the page, in which scenarios are edited and answered, to browsers of this machine.',
  takes: [`${SCENARIO}: the address opens it`],
  asked: ASKED,
  after: [examples('page', 'page scenarios/phased-dice-ground.yaml --open', 'page --port 8080'), NOTES],
  action: (file: string | undefined, options: PageOptions) => servePage(file, options, catchSignals()),
};
