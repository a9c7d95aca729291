/** The test kit of systems: what must hold of every one, looked at in its examples, given and made scenarios. */

import { describeFound, InputError, optionsOf, parseSeed, type SeedLike } from '../core/index.ts';
import {
  isOpened,
  isSystem,
  lastOutcome,
  opened,
  type Registry,
  type Scenario,
  SHIPPED,
  type System,
  validateScenario,
} from '../rules/index.ts';
import { decisions, draws, replays } from './door-checks.ts';
import { environments, secrets } from './environment-check.ts';
import {
  type Check,
  type CheckedScenario,
  type CheckFound,
  type Finding,
  FULL,
  QUICK,
  type SeenNames,
  told,
} from './finding.ts';
import { generated } from './generated.ts';
import { automata, exactly, keys, order, played } from './law-checks.ts';
import { changesNothing, neverDecided, plays, repeats, survives } from './rules.ts';
import { readingOf, refusal, schemaFindings, unseen } from './schema-check.ts';

const SCHEMA = {
  id: 'schema',
  title: 'scenarios are read as they are declared: examples, defaults, unknown fields',
};

const COMPLETE = { id: 'coverage', title: 'what is declared comes in some battle' };

const OF_SCENARIOS: readonly Check[] = [
  repeats,
  changesNothing,
  plays,
  survives,
  draws,
  decisions,
  keys,
  exactly,
  played,
  automata,
  order,
  replays,
  environments,
  secrets,
];

/** All checks in their order: what each is called, and what holds where it finds nothing. */
export const CHECKS: readonly { readonly id: string; readonly title: string }[] = [
  SCHEMA,
  ...OF_SCENARIOS.map(({ id, title }) => ({ id, title })),
  COMPLETE,
];

/** Scenarios made from the schema, at random. */
const MADE = { full: 6, quick: 2 };

/** What `conform` plays. */
export interface ConformOptions {
  /** Scenarios beside the examples of the system: of `loadScenario`, or as a file would hold them. */
  readonly scenarios?: readonly unknown[];
  /** Of the battles that are played; 1 unless said otherwise. */
  readonly seed?: SeedLike;
  /** Less of everything: a few seconds. */
  readonly quick?: boolean;
  /** In which the system was found: the shipped systems and this one unless given. */
  readonly registry?: Registry;
  /** Is told of each scenario before it is checked, how many were before it, and how many there are. */
  readonly onScenario?: (label: string, before: number, scenarios: number) => void;
}

const checkOptions = optionsOf<ConformOptions>('conform', {
  scenarios: true,
  seed: true,
  quick: true,
  registry: true,
  onScenario: true,
});

interface Source {
  readonly label: string;
  readonly input: unknown;
  readonly generated: boolean;
}

class Kit {
  readonly findings: Finding[] = [];
  readonly #system: System;
  readonly #registry: Registry;
  readonly #seed: bigint;
  readonly #quick: boolean;
  readonly #seen: SeenNames = { outcomes: new Set(), rules: new Set(), points: new Set(), canEnd: false };
  readonly #outcomes = new Set<string>();

  constructor(system: System, { registry, seed = 1n, quick = false }: ConformOptions) {
    this.#system = system;
    this.#registry = registry ?? (SHIPPED.find(system.id) === system ? SHIPPED : SHIPPED.with([system]));
    this.#seed = parseSeed(seed);
    this.#quick = quick;
  }

  async run({ scenarios = [], onScenario }: ConformOptions): Promise<void> {
    this.#note(SCHEMA.id, undefined, schemaFindings(this.#system, this.#registry));
    const sources = this.#sources(scenarios);
    for (const [s, source] of sources.entries()) {
      onScenario?.(source.label, s, sources.length);
      const subject = this.#subject(source);
      if (subject !== undefined) await this.#check(subject);
    }
    this.#cover();
  }

  #sources(scenarios: readonly unknown[]): Source[] {
    const { examples } = this.#system;
    const own = examples.map(({ name, scenario }) => ({ label: name, input: scenario, generated: false }));
    const given = scenarios.map((input, k) => {
      const { name } = input as { readonly name?: unknown };
      const label = typeof name === 'string' ? name : `scenario ${String(k + 1)}`;
      return { label, input, generated: false };
    });
    if (own.length + given.length === 0)
      this.#note(SCHEMA.id, undefined, [
        { ok: true, message: 'the system has no examples: only scenarios made from the schema are played' },
      ]);
    return [...own, ...given, ...this.#made()];
  }

  #made(): Source[] {
    try {
      const made = generated(this.#system, this.#quick ? MADE.quick : MADE.full, this.#seed);
      if (made.length === 0)
        this.#note(SCHEMA.id, undefined, [{ ok: true, message: 'no scenario could be made from the schema' }]);
      return made.map((each) => ({ ...each, generated: true }));
    } catch {
      // A schema without JSON Schema was found already.
      return [];
    }
  }

  #subject(source: Source): CheckedScenario | undefined {
    const { input, label } = source;
    let scenario: Scenario;
    try {
      const isScenario = typeof input === 'object' && input !== null && isOpened(input);
      scenario = isScenario ? input : validateScenario(input, { systems: this.#registry });
    } catch (error) {
      this.#note(SCHEMA.id, source, [refusal(error)]);
      return undefined;
    }
    this.#note(SCHEMA.id, source, readingOf(this.#system, input));
    const open = opened(scenario);
    try {
      for (const outcome of open.model.outcomes) if (outcome !== lastOutcome(open.model)) this.#outcomes.add(outcome);
    } catch (error) {
      const advice = 'Scenarios that cannot be played are refused by "check", or by narrower fields.';
      this.#note(plays.id, source, [
        { message: `the scenario is accepted, but has no battle: ${told(error)}`, advice },
      ]);
      return undefined;
    }
    const effort = this.#quick || source.generated ? QUICK : FULL;
    return { ...source, label, open, seed: this.#seed, effort, seen: this.#seen };
  }

  async #check(subject: CheckedScenario): Promise<void> {
    let failed: string | undefined;
    for (const check of OF_SCENARIOS) {
      if (failed !== undefined) {
        const message = `not looked at, since "${failed}" failed`;
        this.#note(check.id, subject, [{ ok: true, checked: false, message }]);
        continue;
      }
      const found = await this.#found(check, subject);
      this.#note(check.id, subject, found);
      if (check.first === true && found.some(({ ok }) => ok !== true)) failed ??= check.id;
    }
  }

  async #found(check: Check, subject: CheckedScenario): Promise<readonly CheckFound[]> {
    try {
      return await check.run(subject);
    } catch (error) {
      return [{ message: told(error), advice: 'The rules failed while this was looked at.' }];
    }
  }

  #note(check: string, source: Source | undefined, found: readonly CheckFound[]): void {
    const none: CheckFound = { ok: true, message: '' };
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
    for (const found of neverDecided(this.#outcomes, this.#seen)) this.#note(plays.id, undefined, [found]);
    this.#note(COMPLETE.id, undefined, [
      ...unseen('outcomes', [...this.#outcomes], outcomes),
      ...unseen('rules', Object.keys(this.#system.rules), rules),
      ...unseen(
        'decision points',
        this.#system.decisions.map(({ point }) => point),
        points,
      ),
    ]);
  }
}

/**
 * Checks a system: its rules, laws, keys, draws, policies, replays, schema and examples.
 * @param system as `defineSystem` makes it
 * @returns a finding for each check and scenario; those with `ok: false` are wrong
 */
export async function conform(system: System, options: ConformOptions = {}): Promise<readonly Finding[]> {
  checkOptions(options);
  if (!isSystem(system)) throw new InputError('system', 'a system as defineSystem makes it', describeFound(system));
  const kit = new Kit(system, options);
  await kit.run(options);
  return kit.findings;
}
