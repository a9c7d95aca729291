/** From what a file holds to a complete scenario. */
import { ALWAYS, across } from '../fields.ts';
import { checkTogether } from './checks.ts';
import { cubeBag, type Written } from './fields.ts';

/** A word of the destruction priority is a list of one: however a file has it, the complete scenario is the same. */
const completed = (written: Written) => ({
  ...written,
  priority: written.priority.map((group) => (typeof group === 'string' ? [group] : group)),
});

export type CubeBag = ReturnType<typeof completed>;

export const schema = cubeBag.superRefine(across(checkTogether), ALWAYS).transform(completed);
