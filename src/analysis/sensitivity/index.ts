/** Sensitivity of an outcome or a metric to the fields of a scenario. */
import type { MorrisSensitivity } from './morris.ts';
import type { SobolSensitivity } from './sobol.ts';
import type { StepSensitivity } from './step.ts';

export { type MorrisField, type MorrisOptions, type MorrisSensitivity, morrisSensitivity } from './morris.ts';
export { type SobolField, type SobolOptions, type SobolSensitivity, sobolSensitivity } from './sobol.ts';
export { type StepEffect, type StepField, type StepOptions, type StepSensitivity, stepSensitivity } from './step.ts';

/** Result of any method; each has fields with `path`, `effect` and `ci95`, the most important first. */
export type Sensitivity = StepSensitivity | MorrisSensitivity | SobolSensitivity;
