/** Where rules come from, in words. */
import type { Rule } from './system.ts';

/** The chapter of the rule text that a rule follows, or that it is completed from outside: what people read. */
export function sourceOf({ source, outside }: Pick<Rule, 'source' | 'outside'>): string {
  return outside === true ? `completed from outside the rule text: ${source}` : source;
}
