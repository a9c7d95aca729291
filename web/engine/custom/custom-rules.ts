/** Systems of modules that the user has chosen from disk. */
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

/** A module, as it was read from disk. */
export interface ModuleFile {
  /** The name of the file, safe to show. */
  readonly file: string;
  readonly text: string;
}

/** A scenario that a module brings along. */
export interface CustomExample {
  readonly name: string;
  /** In YAML. */
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
  /** As `warpool run --systems` has it in its digests. */
  readonly hash: string;
  readonly systems: readonly CustomSystem[];
}

/** Characters of a line of a verdict: pages break lines themselves. */
const VERDICT_WIDTH = 2000;

function describeCustomSystem({ id, title, about, examples }: System): CustomSystem {
  return {
    id,
    title: sanitizeLine(title),
    about: sanitizeLine(about),
    examples: examples.map(({ name, scenario }) => ({ name, text: stringify(scenario) })),
  };
}

/** Runs a text as a module. @throws InputError if it cannot be run */
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

/** What modules may import: where it lies, and its part in their hash. */
interface ModuleImports {
  readonly addresses: Readonly<Record<string, string>>;
  readonly lines: Readonly<Record<string, string>>;
}

/** `zod` is the one of warpool/system. */
async function createImports(): Promise<ModuleImports> {
  const { url, lines } = await import('./address.ts');
  const system = new URL(url, globalThis.location.href).href;
  const { z } = (await import(/* @vite-ignore */ system)) as { readonly z: object };
  const names = Object.keys(z).filter((name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== 'z' && name !== 'default');
  const zod = new Blob([createExports(names, system)], { type: 'text/javascript' });
  return { addresses: { 'warpool/system': system, zod: URL.createObjectURL(zod) }, lines };
}

let loadedModule: CustomModule | undefined;

/** @throws InputError if the module has no system, or one with the name of a shipped one; that of a game may be its own */
async function addModuleSystems(
  exports: Readonly<Record<string, unknown>>,
  { file }: ModuleFile,
  hash: string,
): Promise<SystemRegistry> {
  // A name in the place of an address: errors of rules are told with the lines of this file.
  const module = { url: `file:///${encodeURIComponent(file)}`, hash };
  const systems = collectSystems(exports, file);
  // What is not loaded would not be missed.
  await loadSystemsById(systems.map(({ id }) => id));
  return addSystems(SHIPPED_REGISTRY, { module, systems }, file);
}

export const customRules = {
  /**
   * Runs a module in this worker, which is then the module's as well: nothing else should be asked of it first.
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

  /** @throws InputError with the place where a text is no JavaScript. Nothing of it is run */
  async checkModule({ file, text }: ModuleFile): Promise<void> {
    (await import('./syntax.ts')).checkSyntax(text, file);
  },

  /** What was run. @throws InputError if nothing was */
  openedModule(): CustomModule {
    if (loadedModule === undefined) throw new InputError('module', 'an open module', 'none');
    return loadedModule;
  },

  /** What `warpool conform` says of a system of the module. @param tell gets the scenario that is looked at */
  async conform(id: string, quick: boolean, tell: (scenario: string) => void): Promise<ConformanceVerdict> {
    const { CONFORMANCE_CHECKS, conform } = await import('../../../src/conformance/conform.ts');
    // The exact solver waits for nothing.
    await preloadKernels(['chain']);
    const system = getRegistry().system(id);
    const findings = await conform(system, { quick, registry: getRegistry(), onScenario: tell });
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
