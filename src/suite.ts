/**
 * warpool/suite: frozen tasks with known optima, and grades of policies in them.
 *
 * ```ts
 * import { createTaskEnv, gradePolicy, listTasks } from 'warpool/suite';
 *
 * console.log(listTasks().map(({ name, value }) => `${name} ${value}`));
 * const env = await createTaskEnv('phased-dice-fleet-v1', { numEnvs: 1024, seed: 1 });
 * const { value, exploitability, losses } = await gradePolicy('phased-dice-fleet-v1', 'uniform');
 * ```
 *
 * @module warpool/suite
 */
export { type Grade, type GradedPolicy, type GradeOptions, gradePolicy } from './environments/suite/grade-policy.ts';
export {
  type Baseline,
  createTaskEnv,
  type LoadedTask,
  listTasks,
  loadTask,
  type PlayerValues,
  type SuiteTask,
} from './environments/suite/suite-tasks.ts';
