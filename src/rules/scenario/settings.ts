/** Settings as fields of files. */
import { z } from 'zod';
import type { Asked, Field, Setting } from '../setting.ts';

/** A precision that is no plain number. */
const PRECISION = /^(\d+\.?\d*|\.\d+)(e[+-]?\d+)? *(%|pp)$/i;

function typeOf(field: Field): z.ZodType {
  switch (field.type) {
    case 'above 0':
      return z.number().gt(0).max(field.max);
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

/** Settings of which files say something, as their fields; counts have ranges of each file's own. */
export function fieldsOf<S extends Readonly<Record<string, Setting>>>(settings: S) {
  const fields = Object.entries(settings).flatMap(([name, { field, told }]) =>
    field === undefined || told === undefined ? [] : [[name, typeOf(field).optional().meta({ description: told })]],
  );
  return Object.fromEntries(fields) as {
    [K in keyof S as S[K] extends { readonly told: string } ? K : never]: z.ZodOptional<
      z.ZodType<NonNullable<Asked<S>[K]>>
    >;
  };
}
