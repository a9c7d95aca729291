/**
 * Environments as one JSON text that any host of WebAssembly can play: the kernel itself, the words that configure it,
 * and the names, units and bounds of what goes in and comes out. docs/reference/abi.md says how it is used.
 */

import { createSha256 } from '#platform/hash';
import { loadKernelBytesSync } from '#platform/kernels';
import { checkKind, InputError, version } from '../core/index.ts';
import { computeKernelHash } from '../engines/index.ts';
import { hashScenario, RULESET } from '../stats/index.ts';
import { encodeEnvSpec } from './encode-env-spec.ts';
import { type EnvSpec, resolveNamedRewards } from './env-spec.ts';
import { ABI, AUTORESETS, BUFFERS, CONFIGURATION, ENVIRONMENT, ENVS_MAX, KINDS } from './layout.ts';
import { POLICIES } from './scenario-spec.ts';
import { hasKernel } from './vector-env.ts';

/** What environments are, whoever plays them: names, units and bounds. */
export function describeEnvironment(configuration: EnvSpec) {
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
    /** All decision points; agents are asked at those of `decisions`. */
    decisionPoints,
    decisions,
    actions,
    observations: features,
    reward,
    autoreset,
    /** All modes, by their numbers in the configuration. */
    autoresets: AUTORESETS,
    maxSteps,
    envsMax: ENVS_MAX,
    policies: POLICIES,
    /** Most metrics of a scenario: columns of the field `metrics`. */
    metrics,
    scenarios: variants.map(({ scenario, spec, model, weight, players, outcomes, metrics: measured }) => ({
      ...(scenario.name !== undefined && { name: scenario.name }),
      hash: hashScenario(scenario),
      weight,
      players,
      outcomes,
      metrics: measured.map(({ name, min, max, unit = 1 }) => ({ name, low: min, high: max, unit })),
      /** What it could show, with what is the same in all its states: what is left out of `observations` of it alone. */
      features: spec.features,
      /** What players earn by the rewards that have names. */
      rewards: resolveNamedRewards({ spec, model }),
    })),
  };
}

/** @throws InputError if no kernel plays the system: a manifest carries WebAssembly, and rules are JavaScript */
function requireKernel(configuration: EnvSpec): void {
  if (hasKernel(configuration)) return;
  const expected =
    'a system with a kernel, because a manifest contains WebAssembly and cannot contain rules in JavaScript; ' +
    'use warpool serve-environments instead';
  throw new InputError('system', expected, `"${configuration.system.id}"`);
}

/**
 * Everything a host needs: an object that JSON can hold.
 * @throws InputError if the system has no kernel
 * @throws RunError if the kernel is not built
 */
export function createManifest(configuration: EnvSpec) {
  checkKind('configuration', 'an EnvSpec from createEnvSpec', configuration, 'variants');
  const { system } = configuration;
  requireKernel(configuration);
  const words = encodeEnvSpec(configuration);
  return {
    ...describeEnvironment(configuration),
    /** Fields in the order of the kernel's table, kinds by their numbers in it. */
    fields: BUFFERS,
    kinds: KINDS,
    /** Words of the configuration, little-endian, and the numbers of those that may be changed; the seed has two. */
    configuration: {
      autoresetWord: CONFIGURATION.at.autoreset,
      maxStepsWord: CONFIGURATION.at.maxSteps,
      unaskedWord: CONFIGURATION.at.unasked,
      seedWord: CONFIGURATION.at.seedLow,
      sha256: createSha256().update(new Uint8Array(words.buffer)).hex(),
      base64: Buffer.from(words.buffer).toString('base64'),
    },
    kernel: {
      sha256: computeKernelHash(system.id),
      base64: Buffer.from(loadKernelBytesSync(system.id)).toString('base64'),
    },
  };
}

/** An environment for other languages: what `warpool manifest` writes. */
export type EnvManifest = ReturnType<typeof createManifest>;
