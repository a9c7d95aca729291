/** Systems of modules that the user has chosen from disk. */
import { stringify } from 'yaml';
import { InputError } from '../../src/core/index.ts';
import { holdKernels } from '../../src/core/platform/browser/kernels.ts';
import {
  addSystems,
  type Registry,
  SHIPPED,
  type System,
  systemsIn,
  textHash,
  thrownAt,
} from '../../src/rules/index.ts';
import { clean, conformSheet, isGood, PLAIN } from '../../src/tell/index.ts';
import { closeDoors } from './own/doors.ts';
import { exporting, rewritten } from './own/imports.ts';
import type { Verdict } from './own/verdict.ts';
import { loadNamed, registry, setRegistry } from './registry.ts';

/** A module, as it was read from disk. */
export interface Module {
  /** The name of the file, safe to show. */
  readonly file: string;
  readonly text: string;
}

/** A scenario that a module brings along. */
export interface OwnExample {
  readonly name: string;
  /** In YAML. */
  readonly text: string;
}

export interface OwnSystem {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly examples: readonly OwnExample[];
}

export interface OwnModule {
  readonly file: string;
  /** As `warpool run --systems` has it in its digests. */
  readonly hash: string;
  readonly systems: readonly OwnSystem[];
}

/** Characters of a line of a verdict: pages break lines themselves. */
const WIDTH = 2000;

function ownSystem({ id, title, about, examples }: System): OwnSystem {
  return {
    id,
    title: clean(title),
    about: clean(about),
    examples: examples.map(({ name, scenario }) => ({ name, text: stringify(scenario) })),
  };
}

/** Runs a text as a module. @throws InputError if it cannot be run */
async function run(text: string, file: string): Promise<Readonly<Record<string, unknown>>> {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  try {
    return (await import(/* @vite-ignore */ address)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw new InputError(file, 'a module that can be loaded', thrownAt(error));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** What modules may import: where it lies, and its part in their hash. */
interface Imports {
  readonly addresses: Readonly<Record<string, string>>;
  readonly lines: Readonly<Record<string, string>>;
}

/** `zod` is the one of warpool/system. */
async function importsHere(): Promise<Imports> {
  const { url, lines } = await import('./own/address.ts');
  const system = new URL(url, globalThis.location.href).href;
  const { z } = (await import(/* @vite-ignore */ system)) as { readonly z: object };
  const names = Object.keys(z).filter((name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== 'z' && name !== 'default');
  const zod = new Blob([exporting(names, system)], { type: 'text/javascript' });
  return { addresses: { 'warpool/system': system, zod: URL.createObjectURL(zod) }, lines };
}

let loaded: OwnModule | undefined;

/** @throws InputError if the module has no system, or one with the name of a shipped one; that of a game may be its own */
async function added(exports: Readonly<Record<string, unknown>>, { file }: Module, hash: string): Promise<Registry> {
  // A name in the place of an address: errors of rules are told with the lines of this file.
  const module = { url: `file:///${encodeURIComponent(file)}`, hash };
  const systems = systemsIn(exports, file);
  // What is not loaded would not be missed.
  await loadNamed(systems.map(({ id }) => id));
  return addSystems(SHIPPED, { module, systems }, file);
}

export const own = {
  /**
   * Runs a module in this worker, which is then the module's as well: nothing else should be asked of it first.
   * @throws InputError if it cannot be loaded, imports anything but warpool/system, or has no system
   */
  async openModule({ file, text }: Module): Promise<OwnModule> {
    const { checkSyntax } = await import('./own/parsed.ts');
    checkSyntax(text, file);
    const { addresses, lines } = await importsHere();
    const code = await rewritten(text, file, addresses);
    const hash = await textHash(text, lines);
    closeDoors();
    const exports = await run(`${code}\n//# sourceURL=file:///${encodeURIComponent(file)}\n`, file);
    const systems = await added(exports, { file, text }, hash);
    setRegistry(systems);
    const mine = systems.all.filter(({ id }) => systems.moduleOf(id) !== undefined);
    loaded = { file, hash, systems: mine.map(ownSystem) };
    return loaded;
  },

  /** @throws InputError with the place where a text is no JavaScript. Nothing of it is run */
  async checkModule({ file, text }: Module): Promise<void> {
    (await import('./own/parsed.ts')).checkSyntax(text, file);
  },

  /** What was run. @throws InputError if nothing was */
  openedModule(): OwnModule {
    if (loaded === undefined) throw new InputError('module', 'one that was opened', 'none');
    return loaded;
  },

  /** What `warpool conform` says of a system of the module. @param tell gets the scenario that is looked at */
  async conform(id: string, quick: boolean, tell: (scenario: string) => void): Promise<Verdict> {
    const { CHECKS, conform } = await import('../../src/kit/conform.ts');
    // The exact solver waits for nothing.
    await holdKernels(['chain']);
    const system = registry().system(id);
    const findings = await conform(system, { quick, registry: registry(), onScenario: tell });
    const conformed = {
      system: id,
      title: system.title,
      file: loaded?.file ?? '',
      checks: CHECKS,
      findings,
      files: {},
    };
    const lines = conformSheet(conformed, true, { width: WIDTH, paint: PLAIN }).split('\n').slice(2);
    return { good: isGood(conformed), lines: lines.filter((line) => line !== '') };
  },
};
