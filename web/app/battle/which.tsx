/** Which battle of which run. */
import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { battleNumber, read, wrongWith } from '../parts/typed.ts';
import { Seed } from '../seed.tsx';
import { battleOf, choose, number } from './told.ts';

function Battle() {
  const [typed, setTyped] = useState<{ readonly text: string; readonly of: number } | undefined>(undefined);
  const text = typed?.of === number.value ? typed.text : String(number.value);
  return (
    <Field
      label="Battle"
      value={text}
      inputMode="numeric"
      size={10}
      error={wrongWith(battleNumber, text)}
      onText={(next) => {
        const meant = read(battleNumber, next);
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
