/** Loads systems from custom modules. */
import { stringify } from 'yaml';
import { InputError } from '../../../src/core/index.ts';
import { preloadKernels } from '../../../src/core/platform/browser/kernels.ts';
import { formatConformanceSheet, isConformant, PLAIN_PAINT, sanitizeLine } from '../../../src/report/index.ts';
import {
  addSystems,
  collectSystems,
  describeThrownAt,
  hashModuleText,
  SHIPPED_REGISTRY,
  type System,
  type SystemRegistry,
} from '../../../src/rules/index.ts';
import { getRegistry, loadSystemsById, setRegistry } from '../registry/registry.ts';
import { createExports, rewriteImports } from './imports.ts';
import { restrictWorker } from './restrictions.ts';
import type { ConformanceVerdict } from './verdict.ts';

/** Module as read from disk. */
export interface ModuleFile {
  /** Sanitized file name. */
  readonly file: string;
  readonly text: string;
}

/** Example scenario of a module. */
export interface CustomExample {
  readonly name: string;
  /** YAML text. */
  readonly text: string;
}

export interface CustomSystem {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly examples: readonly CustomExample[];
}

export interface CustomModule {
  readonly file: string;
  /** Hash of the module, as in digests of `warpool run --systems`. */
  readonly hash: string;
  readonly systems: readonly CustomSystem[];
}

/** Width of a verdict line in characters: the page breaks lines itself. */
const VERDICT_WIDTH = 2000;

function describeCustomSystem({ id, title, about, examples }: System): CustomSystem {
  return {
    id,
    title: sanitizeLine(title),
    about: sanitizeLine(about),
    examples: examples.map(({ name, scenario }) => ({ name, text: stringify(scenario) })),
  };
}

/** Runs a text as a module. @throws InputError if it fails */
async function runModule(text: string, file: string): Promise<Readonly<Record<string, unknown>>> {
  const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  try {
    return (await import(/* @vite-ignore */ address)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    throw new InputError(file, 'a module that can be loaded', describeThrownAt(error));
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Modules that custom modules may import: addresses, and their parts of the hash. */
interface ModuleImports {
  readonly addresses: Readonly<Record<string, string>>;
  readonly lines: Readonly<Record<string, string>>;
}

/** Creates the imports; `zod` is the copy in warpool/system. */
async function createImports(): Promise<ModuleImports> {
  const { url, lines } = await import('./address.ts');
  const system = new URL(url, globalThis.location.href).href;
  const { z } = (await import(/* @vite-ignore */ system)) as { readonly z: object };
  const names = Object.keys(z).filter((name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== 'z' && name !== 'default');
  const zod = new Blob([createExports(names, system)], { type: 'text/javascript' });
  return { addresses: { 'warpool/system': system, zod: URL.createObjectURL(zod) }, lines };
}

let loadedModule: CustomModule | undefined;

/**
 * Registers the systems of a module. @throws InputError if it has none, or one with the name of a shipped system; names
 * of games are allowed
 */
async function addModuleSystems(
  exports: Readonly<Record<string, unknown>>,
  { file }: ModuleFile,
  hash: string,
): Promise<SystemRegistry> {
  // A file name as URL, so that errors of rules have the lines of this file.
  const module = { url: `file:///${encodeURIComponent(file)}`, hash };
  const systems = collectSystems(exports, file);
  // Systems must be loaded before conflicts of names are detected.
  await loadSystemsById(systems.map(({ id }) => id));
  return addSystems(SHIPPED_REGISTRY, { module, systems }, file);
}

export const customRules = {
  /**
   * Runs a module in this worker; call it before all other work.
   * @throws InputError if it cannot be loaded, imports anything but warpool/system, or has no system
   */
  async openModule({ file, text }: ModuleFile): Promise<CustomModule> {
    const { checkSyntax } = await import('./syntax.ts');
    checkSyntax(text, file);
    const { addresses, lines } = await createImports();
    const code = await rewriteImports(text, file, addresses);
    const hash = await hashModuleText(text, lines);
    restrictWorker();
    const exports = await runModule(`${code}\n//# sourceURL=file:///${encodeURIComponent(file)}\n`, file);
    const systems = await addModuleSystems(exports, { file, text }, hash);
    setRegistry(systems);
    const mine = systems.all.filter(({ id }) => systems.moduleOf(id) !== undefined);
    loadedModule = { file, hash, systems: mine.map(describeCustomSystem) };
    return loadedModule;
  },

  /** Checks the syntax of a module without running it. @throws InputError with the position of a syntax error */
  async checkModule({ file, text }: ModuleFile): Promise<void> {
    (await import('./syntax.ts')).checkSyntax(text, file);
  },

  /** Returns the running module. @throws InputError if there is none */
  openedModule(): CustomModule {
    if (loadedModule === undefined) throw new InputError('module', 'an open module', 'none');
    return loadedModule;
  },

  /** Runs `warpool conform` for a system of the module. @param onScenario receives the scenario that is being checked */
  async conform(id: string, quick: boolean, onScenario: (scenario: string) => void): Promise<ConformanceVerdict> {
    const { CONFORMANCE_CHECKS, conform } = await import('../../../src/conformance/conform.ts');
    // The exact solver is synchronous.
    await preloadKernels(['chain']);
    const system = getRegistry().system(id);
    const findings = await conform(system, { quick, registry: getRegistry(), onScenario });
    const conformed = {
      system: id,
      title: system.title,
      file: loadedModule?.file ?? '',
      checks: CONFORMANCE_CHECKS,
      findings,
      files: {},
    };
    const lines = formatConformanceSheet(conformed, true, { width: VERDICT_WIDTH, paint: PLAIN_PAINT })
      .split('\n')
      .slice(2);
    return { good: isConformant(conformed), lines: lines.filter((line) => line !== '') };
  },
};
