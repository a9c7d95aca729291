/** Counts in files: a number, or a text as the command line reads it. */
import { z } from 'zod';
import { foundNumeral, readWhole } from '../../core/chance/numerals.ts';
import { refuse } from '../fields.ts';

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
