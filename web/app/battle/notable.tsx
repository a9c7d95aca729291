/** Buttons that open notable battles. */
import { useEffect, useState } from 'preact/hooks';
import { formatGrouped } from '../../../src/report/index.ts';
import type { NotableBattles as Found } from '../../engine/studies/battle.ts';
import { BackgroundWork } from '../figures/background-work.ts';
import { Button } from '../parts/button.tsx';
import { Problem } from '../parts/problem.tsx';
import { checkedText, seed, validScenario } from '../state.ts';
import { battleIndex, chooseBattle } from './replay.ts';

const NOTABLE_KINDS = [
  ['typical', 'Typical battle', 'has the most frequent outcome and metrics near their means'],
  ['closest', 'Closest battle', 'is closest to another outcome'],
  ['luckiest', 'Luckiest battle', 'has a rarer outcome and is farthest from the usual course'],
] as const;

type NotableKind = (typeof NOTABLE_KINDS)[number][0];

const work = new BackgroundWork<Found | undefined>();
/** Seed of the last result; `work` has its text. */
let resultSeed = '';

async function findNotable(): Promise<Found | undefined> {
  const [text, run] = [checkedText.value, seed.value];
  if (work.of.value !== text || resultSeed !== run || work.result.value === undefined) {
    resultSeed = run;
    await work.start(text, (engine, task) => engine.notable({ text, seed: run }, task));
  }
  return work.result.value;
}

export function Notable() {
  const [reported, setTold] = useState<
    { readonly kind: NotableKind; readonly battle: number; readonly examined: number } | undefined
  >();
  const key = `${checkedText.value}\0${seed.value}`;
  useEffect(() => {
    setTold(undefined);
  }, [key]);
  const show = async (kind: NotableKind): Promise<void> => {
    const found = await findNotable();
    if (found === undefined) return;
    chooseBattle(found[kind]);
    setTold({ kind, battle: found[kind], examined: found.examined });
  };
  const about = NOTABLE_KINDS.find(([kind]) => kind === reported?.kind);
  return (
    <>
      <p class="saves notable">
        {NOTABLE_KINDS.map(([kind, name, what]) => (
          <Button
            key={kind}
            title={what}
            disabled={validScenario.value === undefined || work.busy.value}
            onClick={() => void show(kind)}
          >
            {name}
          </Button>
        ))}
        {work.busy.value && <Button onClick={work.stop}>Stop</Button>}
        <span class="small soft" role="status">
          {work.busy.value && 'Searching battles …'}
          {reported !== undefined &&
            about !== undefined &&
            reported.battle === battleIndex.value &&
            `Among the first ${formatGrouped(reported.examined)}, battle ${formatGrouped(reported.battle)} ${about[2]}.`}
        </span>
      </p>
      {work.fault.value !== undefined && <Problem error={work.fault.value} />}
    </>
  );
}
