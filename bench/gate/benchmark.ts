/** Benchmarks of the gate: one shipped scenario of each system, prepared for the kernels that simulate it. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { InputError } from '../../src/core/errors.ts';
import { compileAutomaton } from '../../src/engines/automaton/compile.ts';
import { type AutomatonCode, encodeAutomaton } from '../../src/engines/automaton/encode-automaton.ts';
import { solveFinalStates } from '../../src/engines/kernel/chain-solver.ts';
import { type AliasTable, createAliasTable } from '../../src/engines/kernel/final-state-kernel.ts';
import { SHIPPED_REGISTRY } from '../../src/rules/index.ts';
import type { BattleEnd } from '../../src/rules/play-battle.ts';
import { loadScenario } from '../../src/rules/scenario/index.ts';
import type { Model, Scenario, State } from '../../src/rules/system.ts';
import { type CountsShape, createCountsShape } from '../../src/stats/counts.ts';

/** Scenario as a kernel reads it, in plain data. */
export type Made =
  | { readonly form: 'kernel'; readonly words: readonly number[] }
  | { readonly form: 'automaton'; readonly endings: readonly BattleEnd[]; readonly code: Numbers<AutomatonCode> }
  | { readonly form: 'sampled'; readonly endings: readonly BattleEnd[]; readonly table: Numbers<AliasTable> };

/** Scenario data with plain arrays instead of typed ones. */
export type Numbers<T> = { readonly [K in keyof T]: T[K] extends number ? number : readonly number[] };

/** Scenarios and their engines: the kernel of the system, or a generic kernel. */
const FORMS: Readonly<Record<string, readonly Made['form'][]>> = {
  'attrition-direct': ['kernel', 'sampled'],
  'phased-dice-ground': ['kernel'],
  'cube-bag-siege': ['kernel', 'automaton'],
  'strength-cards-pocket': ['kernel', 'automaton'],
  'token-conflict-pirates': ['kernel', 'automaton'],
};

/** Benchmark: a scenario, by the name of its file, and its engine. */
interface Subject {
  /** Name of the scenario; with a generic kernel, also the name of this kernel. */
  readonly name: string;
  readonly file: string;
  readonly form: Made['form'];
}

export const BENCHMARKS: readonly Subject[] = Object.entries(FORMS).flatMap(([file, forms]) =>
  forms.map((form) => ({ name: form === 'kernel' ? file : `${file} ${form}`, file, form })),
);

export interface Benchmark {
  readonly name: string;
  readonly scenario: Scenario;
  readonly model: Model<State>;
  readonly shape: CountsShape;
  readonly made: Made;
  /** Size of the scenario as the kernel reads it, in bytes. */
  readonly scenarioBytes: number;
  /** Path and bytes of the compiled kernel. */
  readonly path: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const require = createRequire(import.meta.url);

/** Path of a file of the package, by its name in the imports of package.json. */
export function shipped(name: string): string {
  return require.resolve(name);
}

function kernelPath(name: string, kernels: string | undefined): string {
  return kernels === undefined ? shipped(`#kernels/release/${name}.wasm`) : join(kernels, `${name}.wasm`);
}

async function bytesOf(path: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await readFile(path));
  } catch (error) {
    throw new InputError(path, 'a compiled kernel', String(error));
  }
}

/** Maximum number of steps to compile a benchmark. */
const STEPS = 100_000;

function compiled(model: Model<State>): Made {
  const automaton = compileAutomaton(model, STEPS);
  if (automaton === undefined) throw new Error('a benchmark cannot be compiled');
  const code = encodeAutomaton(automaton);
  return { form: 'automaton', endings: automaton.finalStates, code: { ...code, words: [...code.words] } };
}

function drawn(model: Model<State>): Made {
  const endings = solveFinalStates(model);
  const { bits, thresholds, aliases } = createAliasTable(endings.map(({ probability }) => probability));
  const table = { bits, thresholds: [...thresholds], aliases: [...aliases] };
  return { form: 'sampled', endings: endings.map(({ outcome, metrics }) => ({ outcome, metrics })), table };
}

function sizeOf(made: Made): number {
  switch (made.form) {
    case 'kernel':
      return 4 * made.words.length;
    case 'automaton':
      return 4 * made.code.words.length;
    case 'sampled':
      return 8 * made.table.aliases.length;
  }
}

/**
 * @param kernels folder of compiled kernels (default: the kernels of the package)
 * @throws InputError if a kernel cannot be read
 */
export async function loadBenchmark({ name, file, form }: Subject, kernels?: string): Promise<Benchmark> {
  const scenario = await loadScenario(shipped(`#scenarios/${file}.yaml`));
  const system = SHIPPED_REGISTRY.system(scenario.system);
  const model = system.model(scenario);
  const made = {
    kernel: (): Made => ({ form: 'kernel', words: [...system.encode(scenario)] }),
    automaton: () => compiled(model),
    sampled: () => drawn(model),
  }[form]();
  const path = kernelPath(form === 'kernel' ? system.id : form, kernels);
  const bytes = await bytesOf(path);
  return { name, scenario, model, shape: createCountsShape(model), made, scenarioBytes: sizeOf(made), path, bytes };
}
