/** Where the page begins: what do you want to know? It needs no engine, but for the odds of its example. */
import { computed, signal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import '../../style/front.css';
import { roughPercent } from '../../../src/tell/index.ts';
import { Odds } from '../answer/odds.tsx';
import { exact, fault, played, shownAnswer, stale } from '../answering.ts';
import { show } from '../editor/way.ts';
import { useLostFocus } from '../parts/focus.ts';
import { wordsOf } from '../parts/problem.tsx';
import { checked, checkedText, file, openText, panel, starting, text } from '../state.ts';
import { HINT, nameOf, type Question, readQuestion, scenarioOf, told, understood } from './ask.ts';
import { GAMES, type Game } from './games.ts';
import { openGame, openQuestion, typed } from './open.ts';
import { Silhouette } from './silhouette.tsx';

/** Questions to begin with; the first is answered before anything is typed. */
const EXAMPLES: readonly [string, ...string[]] = [
  '4 infantry and 2 tanks attack 5 infantry and a fighter',
  '10 against 8',
  'can 5 infantry hold against 3 tanks?',
];

const isExample = computed(() => typed.value.trim() === '');
/** What is asked: what was typed, or the first example. */
const asked = computed(() => (isExample.value ? EXAMPLES[0] : typed.value));
const reading = computed(() => readQuestion(asked.value, GAMES));
const question = computed(() => ('question' in reading.value ? reading.value.question : undefined));

/** Milliseconds without a key after which a question is answered. */
const PAUSE = 250;

/** Milliseconds without a key after which it is said that odds are computed, or what is wrong is read aloud. */
const SAY = 300;

const isLate = signal(false);
let timers: ReturnType<typeof setTimeout>[] = [];

/** Answers what is typed while it is typed. */
function answerSoon(): void {
  timers.forEach(clearTimeout);
  isLate.value = false;
  const answer = (): void => {
    // Another view may have come in the meantime.
    if (starting.value && question.value !== undefined) openQuestion(question.value, asked.value, true);
  };
  const say = (): void => {
    isLate.value = true;
  };
  timers = [setTimeout(answer, PAUSE), setTimeout(say, SAY)];
}

/** Answers the example, or the question of the address if it is understood. */
export function begin(): void {
  // A question that is not understood has no odds, but the page has a scenario.
  const words = question.value === undefined ? EXAMPLES[0] : asked.value;
  const found = understood(words, GAMES);
  if (found !== undefined) openQuestion(found, words, true);
  isLate.value = true;
}

function type(words: string): void {
  typed.value = words;
  answerSoon();
}

function open(): void {
  if (question.value !== undefined) openQuestion(question.value, asked.value);
}

/** The question has been given to the engine. */
const isGiven = computed(() => question.value !== undefined && text.value === scenarioOf(question.value, asked.value));

/** Why there are no odds; undefined while there may be some. */
const problem = computed<string | undefined>(() => {
  if ('problem' in reading.value) return reading.value.problem ?? (isExample.value ? undefined : HINT);
  if (!isGiven.value) return undefined;
  const found = checkedText.value === text.value ? checked.value : undefined;
  if (found?.ok === false)
    return `The rules have no such battle: ${found.problems.map((each) => `${each.field}: expected ${each.expected}, found ${each.found}`).join('; ')}.`;
  return fault.value === undefined ? undefined : wordsOf(fault.value).join(' ');
});

/** The odds of the question that stands in the box, and of no other. */
const odds = computed(() =>
  isGiven.value && !stale.value && problem.value === undefined ? shownAnswer.value?.odds : undefined,
);

/** What is read aloud: the question as it was understood with its odds, or what is wrong. */
const spoken = computed(() => {
  if (isExample.value) return '';
  // The same hint is not read aloud at every key.
  if (problem.value === HINT) return HINT;
  if (!isLate.value) return '';
  if (question.value === undefined || problem.value !== undefined) return problem.value ?? '';
  if (odds.value === undefined) return 'Computing …';
  const { game, attacker, defender } = question.value;
  // While battles are simulated the last digits change many times a second.
  const isPart = played.value?.kind === 'part' && exact.value?.kind !== 'exact';
  const shares = odds.value.map(({ name, p, share }) => `${name} ${isPart ? roughPercent(p) : share}`);
  return `${nameOf(game)}, ${told(attacker)} against ${told(defender)}: ${shares.join(', ')}.`;
});

function Understood({ found: { game, attacker, defender } }: { readonly found: Question }) {
  return (
    <p class="understood">
      {isExample.value && <span class="soft">For example: </span>}
      <span class="as">{nameOf(game)}</span> <span class="side0 mark">{told(attacker)}</span>{' '}
      <span class="soft">against</span> <span class="side1 mark">{told(defender)}</span>
      {game.assumes !== undefined && <span class="soft"> {game.assumes}</span>}
    </p>
  );
}

/** What is wrong with the question, and a question that is near. */
function Wrong() {
  const instead = 'problem' in reading.value ? reading.value.instead : undefined;
  return (
    <p class={problem.value === HINT ? 'understood soft' : 'understood missed'}>
      {problem.value}{' '}
      {instead !== undefined && (
        <button
          type="button"
          class="chip"
          onClick={() => {
            type(instead);
          }}
        >
          Ask instead: {instead}
        </button>
      )}
    </p>
  );
}

function Ask() {
  const id = useId();
  return (
    <form
      class="ask"
      aria-label="Question"
      onSubmit={(event) => {
        event.preventDefault();
        open();
      }}
    >
      <label class="unseen" for={id}>
        Your question, in words
      </label>
      <div class="ask-line">
        <input
          id={id}
          type="text"
          enterkeyhint="go"
          autocomplete="off"
          autocapitalize="off"
          placeholder={EXAMPLES[0]}
          value={typed.value}
          onInput={({ currentTarget }) => {
            type(currentTarget.value);
          }}
        />
        <button type="submit" class="button main" disabled={problem.value !== undefined}>
          Show
        </button>
      </div>
      <p class="unseen" role="status">
        {spoken}
      </p>
      {problem.value === undefined && question.value !== undefined ? <Understood found={question.value} /> : <Wrong />}
      {problem.value === undefined && (
        <button type="submit" class="live">
          <span class="unseen">Show this battle: </span>
          {odds.value === undefined ? isLate.value && <span class="soft">Computing …</span> : <Odds />}
        </button>
      )}
      <p class="examples">
        <span class="soft">Try</span>{' '}
        {EXAMPLES.slice(1).map((each) => (
          <button
            key={each}
            type="button"
            class="chip"
            onClick={() => {
              type(each);
            }}
          >
            {each}
          </button>
        ))}
      </p>
    </form>
  );
}

function Card({ game }: { readonly game: Game }) {
  return (
    <li>
      <button
        type="button"
        class="game"
        onClick={() => {
          void openGame(game.id);
        }}
      >
        <Silhouette name={game.picture} />
        <span class="game-title">
          {game.known !== undefined && <span class="as">as in</span>} {game.known ?? game.title}
        </span>
        <span class="game-line">{game.line}</span>
      </button>
    </li>
  );
}

/** Leads to the page with the example, where one brings rules or texts of one's own. */
function Own() {
  const open = (how: () => void) => () => {
    openText(text.peek(), file.peek());
    how();
  };
  return (
    <ul class="games">
      <li>
        <button
          type="button"
          class="game plain"
          onClick={open(() => {
            panel.value = 'own';
          })}
        >
          <span class="game-title">Rules of your own</span>
          <span class="game-line">A module of JavaScript, which stays in this browser.</span>
        </button>
      </li>
      <li>
        <button
          type="button"
          class="game plain"
          onClick={open(() => {
            show('Text');
          })}
        >
          <span class="game-title">A text</span>
          <span class="game-line">Scenarios are files in YAML: write one, or drop it here.</span>
        </button>
      </li>
    </ul>
  );
}

export function Start() {
  const main = useLostFocus();
  useEffect(() => {
    // Another scenario was shown in the meantime.
    if (!isGiven.value) answerSoon();
  }, []);
  const [known, others] = [true, false].map((is) => GAMES.filter((game) => (game.known !== undefined) === is));
  return (
    <main class="start" ref={main} tabIndex={-1}>
      <h2>What do you want to know?</h2>
      <p class="soft">The exact odds of battles in tabletop games: who wins how often, and what is left.</p>
      <Ask />
      <h3>Or choose a game</h3>
      <ul class="games">
        {known?.map((game) => (
          <Card key={game.id} game={game} />
        ))}
      </ul>
      <h3>Other systems of rules</h3>
      <ul class="games">
        {others?.map((game) => (
          <Card key={game.id} game={game} />
        ))}
      </ul>
      <h3>Your own</h3>
      <Own />
    </main>
  );
}
