/** The scenarios that are shipped, with their texts: 8 kB gzipped, a chunk of their own. */
const texts = import.meta.glob<string>('../../scenarios/*.yaml', { eager: true, query: '?raw', import: 'default' });

export interface Shipped {
  /** `attrition-direct` */
  readonly id: string;
  readonly system: string;
  readonly title: string;
  readonly text: string;
}

function lineOf(text: string, field: string): string | undefined {
  return new RegExp(`^${field}: *(.+?) *$`, 'm').exec(text)?.[1]?.replaceAll(/^(['"])(.*)\1$/g, '$2');
}

function shippedOf(path: string, raw: string): Shipped {
  const id = path.replace(/^.*\//, '').replace(/\.yaml$/, '');
  // The schema that editors on disk look for beside the file; here it is known.
  const text = raw.replace(/^# yaml-language-server:.*\n/, '');
  return { id, text, system: lineOf(text, 'system') ?? '', title: lineOf(text, 'name') ?? id };
}

export const SCENARIOS: readonly Shipped[] = Object.entries(texts).map(([path, raw]) => shippedOf(path, raw));
