/** Options as fields of files. */
import { z } from 'zod';
import { countField } from '../fields.ts';
import type { OptionField, OptionSpec, RequestedOptions } from '../option-spec.ts';

/** A precision with a unit. */
const PRECISION = /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)? *(%|pp)$/i;

function createFieldSchema(field: OptionField, fieldAbout: string): z.ZodType {
  switch (field.type) {
    case 'above 0':
      return z.number().gt(0).max(field.max);
    case 'number':
      return z.number().min(field.min).max(field.max);
    case 'integer':
      return z.int().min(field.min).max(field.max);
    case 'count':
      return countField(field.min, field.max, fieldAbout);
    case 'half-width':
      return z.union([
        z.number().gt(0).max(1e9),
        z.string().regex(PRECISION, 'a number above 0, or text like 10% or 0.1pp'),
      ]);
    case 'flag':
      return z.boolean();
    case 'text':
      return z.string();
  }
}

/**
 * Creates the schemas of options that are fields of files; counts of runs have their own ranges in each file.
 * @param inside true if the description is part of the values: a JSON Schema then has it last
 */
export function createFieldSchemas<S extends Readonly<Record<string, OptionSpec>>>(settings: S, inside = false) {
  const fields = Object.entries(settings).flatMap(([name, { field, fieldAbout }]) => {
    if (field === undefined || fieldAbout === undefined) return [];
    const [type, said] = [createFieldSchema(field, fieldAbout), { description: fieldAbout }];
    return [[name, inside ? type.meta(said).optional() : type.optional().meta(said)]];
  });
  return Object.fromEntries(fields) as {
    [K in keyof S as S[K] extends { readonly fieldAbout: string } ? K : never]: z.ZodOptional<
      z.ZodType<NonNullable<RequestedOptions<S>[K]>>
    >;
  };
}

type FilledOptionSpecs = Readonly<
  Record<string, OptionSpec & { readonly default: unknown; readonly fieldAbout: string }>
>;

/** Creates the schemas of options with defaults. */
export function createFilledFieldSchemas<S extends FilledOptionSpecs>(settings: S) {
  const fields: Readonly<Record<string, z.ZodOptional<z.ZodType>>> = createFieldSchemas<FilledOptionSpecs>(
    settings,
    true,
  );
  const filled = Object.entries(settings).map(([name, { default: usual }]) => {
    // JSON has no bigint.
    return [name, fields[name]?.unwrap().default(typeof usual === 'bigint' ? Number(usual) : usual)];
  });
  return Object.fromEntries(filled) as { [K in keyof S]: z.ZodDefault<z.ZodType<NonNullable<RequestedOptions<S>[K]>>> };
}
