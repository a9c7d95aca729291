/** The next battle where a condition holds. */
import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { grouped } from '../../../src/tell/index.ts';
import { perform, Stopped } from '../../engine/client.ts';
import { EngineDied } from '../../engine/live.ts';
import { inquire } from '../inquire.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { wordsOf } from '../parts/problem.tsx';
import { asked, checkedText, file, good, seed } from '../state.ts';
import { choose, number } from './told.ts';

/** Characters of a condition. */
const LENGTH_MAX = 2000;

const where = asked('battle.where', '', (value) =>
  typeof value === 'string' && value.length <= LENGTH_MAX ? value : undefined,
);

/** What is said of the search. */
const said = signal('');
const hunting = signal<AbortController | undefined>(undefined);
/** Where a search goes on that found nothing. */
const goesOn = signal<number | undefined>(undefined);

async function hunt(from: number): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  const which = { text: checkedText.value, file: file.value, seed: seed.value, battle: from };
  const tell = (looked: number): void => {
    said.value = `${grouped(looked)} battles looked at …`;
  };
  hunting.value = controller;
  goesOn.value = undefined;
  said.value = 'Looking …';
  try {
    const condition = where.value;
    const { found, looked, next } = await perform(
      (engine, task, told) => engine.hunt(which, condition, task, told),
      signal,
      { hear: tell, patient: true },
    );
    if (found === undefined) goesOn.value = next;
    else choose(found);
    const many = `${grouped(looked)} ${looked === 1 ? 'battle' : 'battles'} looked at`;
    said.value = found === undefined ? `None in ${many}.` : `Battle ${grouped(found)}: ${many}.`;
  } catch (error) {
    const ended = error instanceof Stopped || error instanceof EngineDied;
    said.value = ended ? 'Stopped.' : wordsOf(error).join(' ');
  } finally {
    hunting.value = undefined;
  }
}

const quoted = (name: string): string => (/^[^\s|&=<>!()"']+$/.test(name) ? name : `"${name}"`);

/** A condition that this scenario could have. */
function exampleOf({ outcomes, metrics }: NonNullable<(typeof good)['value']>): string {
  const [outcome = 'attacker'] = outcomes;
  const metric = metrics.find((name) => name === 'rounds') ?? metrics[0];
  return `outcome=${quoted(outcome)}${metric === undefined ? '' : ` && ${quoted(metric)}>1`}`;
}

const PAUSE = 150;

/** What is wrong with a condition, at its place; undefined if nothing is. */
function useWrong(text: string, condition: string): string | undefined {
  const [wrong, setWrong] = useState<string | undefined>(undefined);
  useEffect(() => {
    setWrong(undefined);
    if (text === '' || condition.trim() === '') return undefined;
    const fail = (error: unknown): void => {
      setWrong(wordsOf(error).join(' '));
    };
    return inquire(
      (engine) => engine.checkWhere(text, condition),
      () => undefined,
      { pause: PAUSE, ends: true, fail },
    );
  }, [text, condition]);
  return wrong;
}

export function Search() {
  const wrong = useWrong(checkedText.value, where.value);
  const busy = hunting.value !== undefined;
  const scenario = good.value;
  const ready = !busy && scenario !== undefined && wrong === undefined && where.value.trim() !== '';
  return (
    <form
      class="controls search"
      aria-label="Find a battle"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) void hunt(number.value + 1);
      }}
    >
      <Field
        label="Find the next battle where"
        value={where.value}
        size={36}
        placeholder={scenario === undefined ? '' : exampleOf(scenario)}
        error={wrong}
        onText={(text) => {
          where.value = text.slice(0, LENGTH_MAX);
          goesOn.value = undefined;
          said.value = '';
        }}
      />
      <button type="submit" class="button" disabled={!ready}>
        Find next
      </button>
      <Button disabled={!busy} onClick={() => hunting.value?.abort()}>
        Stop
      </Button>
      {goesOn.value !== undefined && !busy && (
        <Button onClick={() => void hunt(goesOn.value ?? 0)}>Look further from {grouped(goesOn.value)}</Button>
      )}
      <span class="small soft said" role="status">
        {said.value}
      </span>
      {scenario !== undefined && <Names outcomes={scenario.outcomes} metrics={scenario.metrics} />}
    </form>
  );
}

/** What a condition can speak of. */
function Names({ outcomes, metrics }: { readonly outcomes: readonly string[]; readonly metrics: readonly string[] }) {
  return (
    <details class="small">
      <summary>What a condition can say</summary>
      <p>
        <code>outcome</code> is compared by <code>=</code> and <code>!=</code> with {outcomes.join(', ')}.
      </p>
      <p>
        Metrics are compared by <code>{'= != < <= > >='}</code> with numbers: {metrics.join(', ')}.
      </p>
      <p>
        <code>{'&& || !'}</code> and parentheses combine; names with blanks stand in quotes.
      </p>
    </details>
  );
}
