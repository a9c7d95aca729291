/** Fields that choose the seed and the battle. */
import { useState } from 'preact/hooks';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { battleIndexParser, findTextError, readText } from '../parts/text-parsers.ts';
import { Seed } from '../seed.tsx';
import { battleIndex, chooseBattle, parseBattleIndex } from './replay.ts';

function BattleField() {
  const [typed, setTyped] = useState<{ readonly text: string; readonly of: number } | undefined>(undefined);
  const text = typed?.of === battleIndex.value ? typed.text : String(battleIndex.value);
  return (
    <Field
      label="Battle"
      value={text}
      inputMode="numeric"
      size={10}
      error={findTextError(battleIndexParser, text)}
      onText={(next) => {
        const meant = readText(battleIndexParser, next);
        if (meant !== undefined) chooseBattle(meant);
        setTyped({ text: next, of: meant ?? battleIndex.value });
      }}
    />
  );
}

export function BattleChoice() {
  return (
    <>
      <BattleField />
      <Button
        disabled={battleIndex.value === 0}
        onClick={() => {
          chooseBattle(battleIndex.value - 1);
        }}
      >
        Previous
      </Button>
      <Button
        disabled={parseBattleIndex(battleIndex.value + 1) === undefined}
        onClick={() => {
          chooseBattle(battleIndex.value + 1);
        }}
      >
        Next
      </Button>
      <Seed />
    </>
  );
}
