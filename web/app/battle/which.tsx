/** Which battle of which run. */
import { useState } from 'preact/hooks';
import { MAX_BATTLES } from '../../../src/core/chance/stream.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { Seed } from '../seed.tsx';
import { battleOf, choose, number } from './told.ts';

const numberIn = (text: string): number | undefined =>
  /^\d{1,16}$/.test(text.trim()) ? battleOf(Number(text.trim())) : undefined;

function Battle() {
  const [typed, setTyped] = useState<{ readonly text: string; readonly of: number } | undefined>(undefined);
  const text = typed?.of === number.value ? typed.text : String(number.value);
  return (
    <Field
      label="Battle"
      value={text}
      inputMode="numeric"
      size={10}
      error={numberIn(text) === undefined ? `expected an integer 0..${String(MAX_BATTLES - 1)}` : undefined}
      onText={(next) => {
        const meant = numberIn(next);
        if (meant !== undefined) choose(meant);
        setTyped({ text: next, of: meant ?? number.value });
      }}
    />
  );
}

export function WhichBattle() {
  return (
    <>
      <Battle />
      <Button
        disabled={number.value === 0}
        onClick={() => {
          choose(number.value - 1);
        }}
      >
        Previous
      </Button>
      <Button
        disabled={battleOf(number.value + 1) === undefined}
        onClick={() => {
          choose(number.value + 1);
        }}
      >
        Next
      </Button>
      <Seed />
    </>
  );
}
