/** Settings as fields of files. */
import { z } from 'zod';
import { foundNumeral, readWhole } from '../../core/chance/numerals.ts';
import { refuse } from '../fields.ts';
import type { Asked, Field, Setting } from '../setting.ts';

const TEXT = /^\d[\d,_ ]*(\.\d+)?(e\+?\d{1,2}| ?[kKMG])?$/i;

/** An integer with its closed range: 1000000, or in quotes where YAML asks for them: 1M, "1,000,000", 1_000_000. */
export function countField(min: number, max: number, about: string) {
  const text = z
    .string()
    .regex(TEXT, 'a text such as 1M or 1,000,000')
    .transform((written, context) => {
      const whole = readWhole(written);
      if (whole !== undefined && whole >= BigInt(min) && whole <= BigInt(max)) return Number(whole);
      refuse(context, [], `an integer ${String(min)}..${String(max)}`, foundNumeral(written));
      return z.NEVER;
    });
  return z.union([z.int().min(min).max(max), text]).meta({ description: about });
}

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
