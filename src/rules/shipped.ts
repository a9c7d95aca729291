/** The shipped systems and the types of their scenarios: one line per system. The web app has another list: web/build/systems.ts. */
import type { z } from 'zod';
import { attrition } from './attrition/index.ts';
import type { Attrition, schema as attritionSchema } from './attrition/schema.ts';
import { cubeBag } from './cube-bag/index.ts';
import type { CubeBag, schema as cubeBagSchema } from './cube-bag/schema.ts';
import { phasedDice } from './phased-dice/index.ts';
import type { PhasedDice, schema as phasedDiceSchema } from './phased-dice/schema.ts';
import type { PolicySources } from './policy-file.ts';
import { strengthCards } from './strength-cards/index.ts';
import type { StrengthCards, schema as strengthCardsSchema } from './strength-cards/schema.ts';
import type { KernelSystem, Scenario } from './system.ts';
import type { TokenConflict } from './token-conflict/fields.ts';
import { tokenConflict } from './token-conflict/index.ts';
import type { schema as tokenConflictSchema } from './token-conflict/schema.ts';

/** The shipped systems, each with a kernel. */
export const shippedSystems: readonly KernelSystem[] = [attrition, phasedDice, cubeBag, strengthCards, tokenConflict];

type ShippedScenario = Attrition | PhasedDice | CubeBag | StrengthCards | TokenConflict;

/** Complete scenarios of the shipped systems, by the id of the system: every field has a value. */
export type ShippedScenarios = {
  readonly [Id in ShippedScenario['system']]: Extract<ShippedScenario, { readonly system: Id }>;
};

/** The complete scenario of a system; of a custom system only `system` and `name` are known. */
export type ScenarioOfSystem<Id extends string> = Id extends keyof ShippedScenarios ? ShippedScenarios[Id] : Scenario;

/** A scenario of a shipped system as a file may have it: fields with defaults are optional. */
export type ScenarioInput = (
  | z.input<typeof attritionSchema>
  | z.input<typeof phasedDiceSchema>
  | z.input<typeof cubeBagSchema>
  | z.input<typeof strengthCardsSchema>
  | z.input<typeof tokenConflictSchema>
) & {
  /** Prices of units and other counted fields, by their paths. */
  readonly costs?: Readonly<Record<string, number>>;
  /** Policies from files, by player. */
  readonly policies?: PolicySources;
};
