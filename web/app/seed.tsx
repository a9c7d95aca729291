/** Field of the seed, shared by the panels. */
import { useState } from 'preact/hooks';
import { Field } from './parts/field.tsx';
import { findTextError, readText, seedParser } from './parts/text-parsers.ts';
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
      error={findTextError(seedParser, value)}
      onText={(text) => {
        const meant = readText(seedParser, text);
        setTyped(text);
        if (meant !== undefined) seed.value = String(meant);
      }}
    />
  );
}
