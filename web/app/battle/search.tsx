/** Search for the next battle that meets a condition. */
import { signal } from '@preact/signals';
import { useEffect, useState } from 'preact/hooks';
import { formatGrouped } from '../../../src/report/index.ts';
import { perform, WorkStopped } from '../../engine/client.ts';
import { EngineDied } from '../../engine/live.ts';
import { inquire } from '../inquire.ts';
import { Button } from '../parts/button.tsx';
import { Field } from '../parts/field.tsx';
import { formatError } from '../parts/problem.tsx';
import { checkedText, createNoteSignal, file, seed, validScenario } from '../state.ts';
import { battleIndex, chooseBattle } from './replay.ts';

/** Maximum length of a condition in characters. */
const LENGTH_MAX = 2000;

const conditionNote = createNoteSignal('battle.where', '', (value) =>
  typeof value === 'string' && value.length <= LENGTH_MAX ? value : undefined,
);

/** Status of the search. */
const searchMessage = signal('');
const runningSearch = signal<AbortController | undefined>(undefined);
/** First battle of the next search after one without a match. */
const nextBattle = signal<number | undefined>(undefined);

async function searchFrom(from: number): Promise<void> {
  const controller = new AbortController();
  const { signal } = controller;
  const which = { text: checkedText.value, file: file.value, seed: seed.value, battle: from };
  const showProgress = (examined: number): void => {
    searchMessage.value = `${formatGrouped(examined)} battles searched …`;
  };
  runningSearch.value = controller;
  nextBattle.value = undefined;
  searchMessage.value = 'Searching …';
  try {
    const condition = conditionNote.value;
    const { match, examined, next } = await perform(
      (engine, task, reported) => engine.findBattle(which, condition, task, reported),
      signal,
      {
        onProgress: showProgress,
        patient: true,
      },
    );
    if (match === undefined) nextBattle.value = next;
    else chooseBattle(match);
    const many = `${formatGrouped(examined)} ${examined === 1 ? 'battle' : 'battles'} searched`;
    searchMessage.value = match === undefined ? `No match: ${many}.` : `Battle ${formatGrouped(match)}: ${many}.`;
  } catch (error) {
    const ended = error instanceof WorkStopped || error instanceof EngineDied;
    searchMessage.value = ended ? 'Stopped.' : formatError(error).join(' ');
  } finally {
    runningSearch.value = undefined;
  }
}

const quoteName = (name: string): string => (/^[^\s|&=<>!()"']+$/.test(name) ? name : `"${name}"`);

/** Creates an example condition for the scenario. */
function createExampleCondition({ outcomes, metrics }: NonNullable<(typeof validScenario)['value']>): string {
  const [outcome = 'attacker'] = outcomes;
  const metric = metrics.find((name) => name === 'rounds') ?? metrics[0];
  return `outcome=${quoteName(outcome)}${metric === undefined ? '' : ` && ${quoteName(metric)}>1`}`;
}

const PAUSE = 150;

/** Returns the error of a condition with its position; undefined if it is valid. */
function useConditionError(text: string, condition: string): string | undefined {
  const [wrong, setWrong] = useState<string | undefined>(undefined);
  useEffect(() => {
    setWrong(undefined);
    if (text === '' || condition.trim() === '') return undefined;
    const fail = (error: unknown): void => {
      setWrong(formatError(error).join(' '));
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
  const wrong = useConditionError(checkedText.value, conditionNote.value);
  const busy = runningSearch.value !== undefined;
  const scenario = validScenario.value;
  const ready = !busy && scenario !== undefined && wrong === undefined && conditionNote.value.trim() !== '';
  return (
    <form
      class="controls search"
      aria-label="Find a battle"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) void searchFrom(battleIndex.value + 1);
      }}
    >
      <Field
        label="Condition"
        value={conditionNote.value}
        size={36}
        placeholder={scenario === undefined ? '' : createExampleCondition(scenario)}
        error={wrong}
        onText={(text) => {
          conditionNote.value = text.slice(0, LENGTH_MAX);
          nextBattle.value = undefined;
          searchMessage.value = '';
        }}
      />
      <button type="submit" class="button" disabled={!ready}>
        Find next
      </button>
      <Button disabled={!busy} onClick={() => runningSearch.value?.abort()}>
        Stop
      </Button>
      {nextBattle.value !== undefined && !busy && (
        <Button onClick={() => void searchFrom(nextBattle.value ?? 0)}>
          Continue from {formatGrouped(nextBattle.value)}
        </Button>
      )}
      <span class="small soft said" role="status">
        {searchMessage.value}
      </span>
      {scenario !== undefined && <Names outcomes={scenario.outcomes} metrics={scenario.metrics} />}
    </form>
  );
}

/** Help on the syntax of conditions. */
function Names({ outcomes, metrics }: { readonly outcomes: readonly string[]; readonly metrics: readonly string[] }) {
  return (
    <details class="small">
      <summary>Syntax of conditions</summary>
      <p>
        Compare <code>outcome</code> by <code>=</code> and <code>!=</code> with {outcomes.join(', ')}.
      </p>
      <p>
        Compare metrics by <code>{'= != < <= > >='}</code> with numbers: {metrics.join(', ')}.
      </p>
      <p>
        Combine conditions by <code>{'&& || !'}</code> and parentheses. Put names with spaces in quotes.
      </p>
    </details>
  );
}
