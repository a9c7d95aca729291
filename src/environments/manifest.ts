/**
 * Manifest of environments for any WebAssembly host: a JSON text with the kernel, the words that configure it, and
 * names, units and bounds of inputs and outputs. docs/reference/abi.md describes its use.
 */

import { createSha256 } from '#platform/hash';
import { loadKernelBytesSync } from '#platform/kernels';
import { checkKind, InputError, version } from '../core/index.ts';
import { computeKernelHash } from '../engines/index.ts';
import { hashScenario, RULESET } from '../stats/index.ts';
import { type CompiledVariant, compileDecisionsSync, DECISION_KERNEL } from './decision-automaton/compile-decisions.ts';
import { encodeEnvSpec } from './encode-env-spec.ts';
import { type EnvSpec, hasKernel, resolveNamedRewards } from './env-spec.ts';
import { ABI, AUTORESETS, BUFFERS, CONFIGURATION, ENVIRONMENT, ENVS_MAX, KINDS, POLICIES } from './layout.ts';

/** Describes environments independently of the engine: names, units and bounds. */
function describeEnvironment(configuration: EnvSpec) {
  const {
    system,
    variants,
    agents,
    decisionPoints,
    decisions,
    actions,
    features,
    metrics,
    reward,
    autoreset,
    maxSteps,
  } = configuration;
  return {
    warpool: version(),
    abi: ABI,
    environment: ENVIRONMENT,
    ruleset: RULESET,
    system: system.id,
    agents,
    /** All decision points; agents decide at those of `decisions`. */
    decisionPoints,
    decisions,
    actions,
    observations: features,
    reward,
    autoreset,
    /** All modes, by index in the configuration. */
    autoresets: AUTORESETS,
    maxSteps,
    envsMax: ENVS_MAX,
    policies: POLICIES,
    /** Metrics of the scenario with the most: columns of the buffer `metrics`. */
    metrics,
    scenarios: variants.map(({ scenario, spec, model, weight, players, outcomes, metrics: measured }) => ({
      ...(scenario.name !== undefined && { name: scenario.name }),
      hash: hashScenario(scenario),
      weight,
      players,
      outcomes,
      metrics: measured.map(({ name, min, max, unit = 1 }) => ({ name, low: min, high: max, unit })),
      /** All features of the scenario, including constant ones, which `observations` omits. */
      features: spec.features,
      /** Named rewards of the players. */
      rewards: resolveNamedRewards({ spec, model }),
    })),
  };
}

/**
 * Compiles scenarios. @returns undefined if the kernel of their system plays them
 * @throws InputError if neither is possible: a manifest cannot contain JavaScript
 */
function compileForManifest(configuration: EnvSpec): readonly CompiledVariant[] | undefined {
  const compiled = compileDecisionsSync(configuration);
  if (typeof compiled !== 'string') return compiled;
  if (hasKernel(configuration)) return undefined;
  const expected =
    'a system with a kernel or a scenario that can be compiled, because a manifest contains WebAssembly and cannot ' +
    'contain rules in JavaScript';
  throw new InputError('system', expected, `"${configuration.system.id}": ${compiled}`);
}

/**
 * Creates a manifest: a JSON object with everything that a host needs.
 * @throws InputError if the system has no kernel, and the scenarios cannot be compiled
 * @throws RunError if the kernel is not built
 */
export function createManifest(configuration: EnvSpec) {
  checkKind('configuration', 'an EnvSpec from createEnvSpec', configuration, 'variants');
  const { system } = configuration;
  const compiled = compileForManifest(configuration);
  const words = encodeEnvSpec(configuration, compiled);
  const kernel = compiled === undefined ? system.id : DECISION_KERNEL;
  return {
    ...describeEnvironment(configuration),
    /** Buffers in the order of the kernel's table, and element types by index. */
    fields: BUFFERS,
    kinds: KINDS,
    /** Words of the configuration, little-endian, and the indices of those that may be changed; the seed has two. */
    configuration: {
      autoresetWord: CONFIGURATION.at.autoreset,
      maxStepsWord: CONFIGURATION.at.maxSteps,
      unaskedWord: CONFIGURATION.at.unasked,
      seedWord: CONFIGURATION.at.seedLow,
      sha256: createSha256().update(new Uint8Array(words.buffer)).hex(),
      base64: Buffer.from(words.buffer).toString('base64'),
    },
    kernel: {
      name: kernel,
      sha256: computeKernelHash(kernel),
      base64: Buffer.from(loadKernelBytesSync(kernel)).toString('base64'),
    },
  };
}

/** Environment for other languages: output of `warpool manifest`. */
export type EnvManifest = ReturnType<typeof createManifest>;
