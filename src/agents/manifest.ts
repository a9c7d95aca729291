/**
 * Environments as one JSON text that any host of WebAssembly can play: the kernel itself, the words that configure it,
 * and the names, units and bounds of what goes in and comes out. docs/reference/abi.md says how it is used.
 */

import { sha256 } from '#platform/hash';
import { kernelBytesNow } from '#platform/kernels';
import { RULESET, scenarioHash } from '../answers/index.ts';
import { checkKind, InputError, version } from '../core/index.ts';
import { kernelHash } from '../engines/index.ts';
import { type Configuration, namedTables } from './configuration.ts';
import { encodeConfiguration } from './encode.ts';
import { ABI, AUTORESETS, CONFIGURATION, ENVIRONMENT, ENVS_MAX, FIELDS, KINDS } from './layout.ts';
import { POLICIES } from './spec.ts';
import { hasKernel } from './vector-env.ts';

/** What environments are, whoever plays them: names, units and bounds. */
export function environmentOf(configuration: Configuration) {
  const { system, variants, agents, points, asked, actions, features, metrics, reward, autoreset, maxSteps } =
    configuration;
  return {
    warpool: version(),
    abi: ABI,
    environment: ENVIRONMENT,
    ruleset: RULESET,
    system: system.id,
    agents,
    /** All decision points; agents are asked at those of `asked`. */
    points,
    asked,
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
      hash: scenarioHash(scenario),
      weight,
      players,
      outcomes,
      metrics: measured.map(({ name, min, max, unit = 1 }) => ({ name, low: min, high: max, unit })),
      /** What it could show, with what is the same in all its states: what is left out of `observations` of it alone. */
      features: spec.features,
      /** What players earn by the rewards that have names. */
      rewards: namedTables({ spec, model }),
    })),
  };
}

/** @throws InputError if no kernel plays the system: a manifest carries WebAssembly, and rules are JavaScript */
function requireKernel(configuration: Configuration): void {
  if (hasKernel(configuration)) return;
  const expected =
    'a system with a kernel: a manifest carries WebAssembly, and rules in JavaScript cannot be carried to another host; ' +
    'warpool serve-rollouts plays them for programs in any language';
  throw new InputError('system', expected, `"${configuration.system.id}"`);
}

/**
 * Everything a host needs: an object that JSON can hold.
 * @throws InputError if the system has no kernel
 * @throws RunError if the kernel is not built
 */
export function manifestOf(configuration: Configuration) {
  checkKind('configuration', 'what configurationOf returns', configuration, 'variants');
  const { system } = configuration;
  requireKernel(configuration);
  const words = encodeConfiguration(configuration);
  return {
    ...environmentOf(configuration),
    /** Fields in the order of the kernel's table, kinds by their numbers in it. */
    fields: FIELDS,
    kinds: KINDS,
    /** Words of the configuration, little-endian, and the numbers of those that may be changed; the seed has two. */
    configuration: {
      autoresetWord: CONFIGURATION.at.autoreset,
      maxStepsWord: CONFIGURATION.at.maxSteps,
      unaskedWord: CONFIGURATION.at.unasked,
      seedWord: CONFIGURATION.at.seedLow,
      sha256: sha256().update(new Uint8Array(words.buffer)).hex(),
      base64: Buffer.from(words.buffer).toString('base64'),
    },
    kernel: {
      sha256: kernelHash(system.id),
      base64: Buffer.from(kernelBytesNow(system.id)).toString('base64'),
    },
  };
}

/** An environment for other languages: what `warpool manifest` writes. */
export type Manifest = ReturnType<typeof manifestOf>;
