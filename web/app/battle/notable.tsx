/** One click to a battle that is worth a look. */
import { useEffect, useState } from 'preact/hooks';
import { grouped } from '../../../src/tell/index.ts';
import type { Notable as Found } from '../../engine/battle.ts';
import { Button } from '../parts/button.tsx';
import { Problem } from '../parts/problem.tsx';
import { Work } from '../pictures/work.ts';
import { checkedText, good, seed } from '../state.ts';
import { choose, number } from './told.ts';

const KINDS = [
  ['typical', 'A typical battle', 'ends as most do, and with what they leave on average'],
  ['closest', 'The closest', 'came the nearest to ending otherwise'],
  ['luckiest', 'The luckiest', 'ends against the odds, the farthest from how most go'],
] as const;

type Kind = (typeof KINDS)[number][0];

const work = new Work<Found | undefined>();
/** The seed of what was found: its text is known to the work. */
let foundSeed = '';

async function find(): Promise<Found | undefined> {
  const [text, run] = [checkedText.value, seed.value];
  if (work.of.value !== text || foundSeed !== run || work.result.value === undefined) {
    foundSeed = run;
    await work.start(text, (engine, task) => engine.notable({ text, seed: run }, task));
  }
  return work.result.value;
}

export function Notable() {
  const [told, setTold] = useState<
    { readonly kind: Kind; readonly battle: number; readonly looked: number } | undefined
  >();
  const key = `${checkedText.value}\0${seed.value}`;
  useEffect(() => {
    setTold(undefined);
  }, [key]);
  const show = async (kind: Kind): Promise<void> => {
    const found = await find();
    if (found === undefined) return;
    choose(found[kind]);
    setTold({ kind, battle: found[kind], looked: found.looked });
  };
  const about = KINDS.find(([kind]) => kind === told?.kind);
  return (
    <>
      <p class="saves notable">
        {KINDS.map(([kind, name, what]) => (
          <Button
            key={kind}
            title={what}
            disabled={good.value === undefined || work.busy.value}
            onClick={() => void show(kind)}
          >
            {name}
          </Button>
        ))}
        {work.busy.value && <Button onClick={work.stop}>Stop</Button>}
        <span class="small soft" role="status">
          {work.busy.value && 'Looking at battles …'}
          {told !== undefined &&
            about !== undefined &&
            told.battle === number.value &&
            `Battle ${grouped(told.battle)} ${about[2]}, of the first ${grouped(told.looked)}.`}
        </span>
      </p>
      {work.fault.value !== undefined && <Problem error={work.fault.value} />}
    </>
  );
}
