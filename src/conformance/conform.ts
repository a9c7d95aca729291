/** Conformance checks of systems, on examples and on given and generated scenarios. */

import { createOptionsCheck, describeFound, InputError, parseSeed, type SeedLike } from '../core/index.ts';
import {
  getBoundScenario,
  getRoundLimitOutcome,
  isBound,
  isSystem,
  type Scenario,
  SHIPPED_REGISTRY,
  type System,
  type SystemRegistry,
  validateScenario,
} from '../rules/index.ts';
import { decisionsCheck, drawsCheck, replaysCheck } from './chance-checks.ts';
import { automatonCheck, exactCheck, keysCheck, orderCheck, simulationCheck } from './distribution-checks.ts';
import { environmentCheck, secretsCheck } from './environment-check.ts';
import {
  type CheckedScenario,
  type CheckMessage,
  type ConformanceCheck,
  describeError,
  type Finding,
  FULL,
  type ObservedNames,
  QUICK,
} from './findings.ts';
import { generateScenarios } from './generate-scenarios.ts';
import {
  battlesCheck,
  checkDecidedEnds,
  immutabilityCheck,
  reachabilityCheck,
  repeatabilityCheck,
} from './rules-checks.ts';
import { checkReading, checkSchema, createRejection, findUnobserved } from './schema-check.ts';
import { visibilityCheck } from './visibility-check.ts';

const SCHEMA_CHECK = {
  id: 'schema',
  title: 'the schema reads scenarios as declared: examples, defaults, unknown fields',
};

const COVERAGE_CHECK = { id: 'coverage', title: 'all declared names occur in some battle' };

const SCENARIO_CHECKS: readonly ConformanceCheck[] = [
  repeatabilityCheck,
  immutabilityCheck,
  battlesCheck,
  reachabilityCheck,
  drawsCheck,
  decisionsCheck,
  keysCheck,
  exactCheck,
  simulationCheck,
  automatonCheck,
  orderCheck,
  replaysCheck,
  environmentCheck,
  secretsCheck,
  visibilityCheck,
];

/** All checks in order, with the property that each verifies. */
export const CONFORMANCE_CHECKS: readonly { readonly id: string; readonly title: string }[] = [
  SCHEMA_CHECK,
  ...SCENARIO_CHECKS.map(({ id, title }) => ({ id, title })),
  COVERAGE_CHECK,
];

/** Number of random scenarios generated from the schema. */
const GENERATED_SCENARIOS = { full: 6, quick: 2 };

/** Options of `conform`. */
export interface ConformOptions {
  /** Additional scenarios: from `loadScenario`, or in the form of files. */
  readonly scenarios?: readonly unknown[];
  /** Seed of the simulated battles; default: 1. */
  readonly seed?: SeedLike;
  /** True for less work: a few seconds. */
  readonly quick?: boolean;
  /** Registry with the system; default: the shipped systems and this one. */
  readonly registry?: SystemRegistry;
  /** Called before each scenario, with the number of earlier ones and the total. */
  readonly onScenario?: (label: string, before: number, scenarios: number) => void;
}

const checkOptions = createOptionsCheck<ConformOptions>('conform', {
  scenarios: true,
  seed: true,
  quick: true,
  registry: true,
  onScenario: true,
});

interface ScenarioSource {
  readonly label: string;
  readonly input: unknown;
  readonly generated: boolean;
}

class ConformanceRun {
  readonly findings: Finding[] = [];
  readonly #system: System;
  readonly #registry: SystemRegistry;
  readonly #seed: bigint;
  readonly #quick: boolean;
  readonly #seen: ObservedNames = { outcomes: new Set(), rules: new Set(), points: new Set(), canEnd: false };
  readonly #outcomes = new Set<string>();

  constructor(system: System, { registry, seed = 1n, quick = false }: ConformOptions) {
    this.#system = system;
    this.#registry =
      registry ?? (SHIPPED_REGISTRY.find(system.id) === system ? SHIPPED_REGISTRY : SHIPPED_REGISTRY.with([system]));
    this.#seed = parseSeed(seed);
    this.#quick = quick;
  }

  async run({ scenarios = [], onScenario }: ConformOptions): Promise<void> {
    this.#note(SCHEMA_CHECK.id, undefined, checkSchema(this.#system, this.#registry));
    const sources = this.#listSources(scenarios);
    for (const [s, source] of sources.entries()) {
      onScenario?.(source.label, s, sources.length);
      const subject = this.#createSubject(source);
      if (subject !== undefined) await this.#check(subject);
    }
    this.#cover();
  }

  #listSources(scenarios: readonly unknown[]): ScenarioSource[] {
    const { examples } = this.#system;
    const own = examples.map(({ name, scenario }) => ({ label: name, input: scenario, generated: false }));
    const given = scenarios.map((input, k) => {
      const { name } = input as { readonly name?: unknown };
      const label = typeof name === 'string' ? name : `scenario ${String(k + 1)}`;
      return { label, input, generated: false };
    });
    if (own.length + given.length === 0)
      this.#note(SCHEMA_CHECK.id, undefined, [
        { ok: true, message: 'the system has no examples: only generated scenarios are checked' },
      ]);
    return [...own, ...given, ...this.#generateSources()];
  }

  #generateSources(): ScenarioSource[] {
    try {
      const made = generateScenarios(
        this.#system,
        this.#quick ? GENERATED_SCENARIOS.quick : GENERATED_SCENARIOS.full,
        this.#seed,
      );
      if (made.length === 0)
        this.#note(SCHEMA_CHECK.id, undefined, [{ ok: true, message: 'the schema generates no valid scenario' }]);
      return made.map((each) => ({ ...each, generated: true }));
    } catch {
      // A schema without JSON Schema is already reported.
      return [];
    }
  }

  #createSubject(source: ScenarioSource): CheckedScenario | undefined {
    const { input, label } = source;
    let scenario: Scenario;
    try {
      const isScenario = typeof input === 'object' && input !== null && isBound(input);
      scenario = isScenario ? input : validateScenario(input, { systems: this.#registry });
    } catch (error) {
      this.#note(SCHEMA_CHECK.id, source, [createRejection(error)]);
      return undefined;
    }
    this.#note(SCHEMA_CHECK.id, source, checkReading(this.#system, input));
    const open = getBoundScenario(scenario);
    try {
      for (const outcome of open.model.outcomes)
        if (outcome !== getRoundLimitOutcome(open.model)) this.#outcomes.add(outcome);
    } catch (error) {
      const advice = 'Reject scenarios that cannot be simulated in "check", or declare narrower fields.';
      this.#note(battlesCheck.id, source, [
        { message: `the scenario is accepted, but cannot be simulated: ${describeError(error)}`, advice },
      ]);
      return undefined;
    }
    const effort = this.#quick || source.generated ? QUICK : FULL;
    return { ...source, label, open, seed: this.#seed, effort, observed: this.#seen };
  }

  async #check(subject: CheckedScenario): Promise<void> {
    let failed: string | undefined;
    for (const check of SCENARIO_CHECKS) {
      if (failed !== undefined) {
        const message = `skipped because "${failed}" failed`;
        this.#note(check.id, subject, [{ ok: true, checked: false, message }]);
        continue;
      }
      const found = await this.#runCheck(check, subject);
      this.#note(check.id, subject, found);
      if (check.first === true && found.some(({ ok }) => ok !== true)) failed ??= check.id;
    }
  }

  async #runCheck(check: ConformanceCheck, subject: CheckedScenario): Promise<readonly CheckMessage[]> {
    try {
      return await check.run(subject);
    } catch (error) {
      return [{ message: describeError(error), advice: 'The rules failed during this check.' }];
    }
  }

  #note(check: string, source: ScenarioSource | undefined, found: readonly CheckMessage[]): void {
    const none: CheckMessage = { ok: true, message: '' };
    const scenario = source?.label ?? '';
    for (const { ok = false, checked = true, absent, message, advice = '', battle } of found.length > 0
      ? found
      : [none])
      this.findings.push({
        ...{ check, scenario, ok, checked, message, advice },
        ...(absent && { absent }),
        ...(battle !== undefined && { battle: { seed: String(this.#seed), battle } }),
        ...(source !== undefined && { input: source.input }),
      });
  }

  #cover(): void {
    const { outcomes, rules, points } = this.#seen;
    for (const found of checkDecidedEnds(this.#outcomes, this.#seen)) this.#note(battlesCheck.id, undefined, [found]);
    this.#note(COVERAGE_CHECK.id, undefined, [
      ...findUnobserved('outcomes', [...this.#outcomes], outcomes),
      ...findUnobserved('rules', Object.keys(this.#system.rules), rules),
      ...findUnobserved(
        'decision points',
        this.#system.decisions.map(({ point }) => point),
        points,
      ),
    ]);
  }
}

/**
 * Checks a system: its rules, distributions, keys, draws, policies, replays, schema and examples.
 * @param system from `defineSystem`
 * @returns a finding for each check and scenario; `ok: false` marks a failure
 */
export async function conform(system: System, options: ConformOptions = {}): Promise<readonly Finding[]> {
  checkOptions(options);
  if (!isSystem(system)) throw new InputError('system', 'a system from defineSystem', describeFound(system));
  const kit = new ConformanceRun(system, options);
  await kit.run(options);
  return kit.findings;
}
