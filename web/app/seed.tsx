/** The field of the seed, in whichever panel. */
import { useState } from 'preact/hooks';
import { seedOf } from '../../src/tell/link/question.ts';
import { Field } from './parts/field.tsx';
import { seed } from './state.ts';

export function Seed() {
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const value = typed ?? seed.value;
  return (
    <Field
      label="Seed"
      value={value}
      inputMode="numeric"
      size={12}
      error={seedOf(value.trim()) === undefined ? 'expected an integer 0..2^64-1' : undefined}
      onText={(text) => {
        const meant = seedOf(text.trim());
        setTyped(text);
        if (meant !== undefined) seed.value = meant;
      }}
    />
  );
}
