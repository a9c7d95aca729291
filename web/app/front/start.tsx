/** Where the page begins: what do you want to know? It needs no engine, but for the odds of its example. */
import { signal } from '@preact/signals';
import { useId } from 'preact/hooks';
import '../../style/front.css';
import { Odds } from '../answer/odds.tsx';
import { show } from '../editor/way.ts';
import { file, openText, panel, text } from '../state.ts';
import { type Question, told, understood } from './ask.ts';
import { GAMES, type Game } from './games.ts';
import { openGame, openQuestion } from './open.ts';
import { Silhouette } from './silhouette.tsx';

/** Questions to begin with; the first is answered before anything is typed. */
export const EXAMPLES: readonly [string, ...string[]] = [
  '4 infantry and 2 tanks attack 5 infantry and a fighter',
  '10 against 8',
  'can 5 infantry hold against 3 tanks?',
];

const typed = signal('');

/** What is asked: what was typed, or the first example. */
const askedNow = (): string => (typed.value.trim() === '' ? EXAMPLES[0] : typed.value);

/** Milliseconds without a key after which a question is answered. */
const PAUSE = 250;

let timer: ReturnType<typeof setTimeout> | undefined;

/** Answers what is typed while it is typed. */
function answerSoon(): void {
  clearTimeout(timer);
  timer = setTimeout(() => {
    const asked = askedNow();
    const found = understood(asked, GAMES);
    if (found !== undefined) openQuestion(found, asked, true);
  }, PAUSE);
}

function type(text: string): void {
  typed.value = text;
  answerSoon();
}

function open(asked: string): void {
  clearTimeout(timer);
  const found = understood(asked, GAMES);
  if (found !== undefined) openQuestion(found, asked);
}

function Understood({ found }: { readonly found: Question }) {
  const { game, attacker, defender, missed } = found;
  return (
    <p class="understood">
      <span class="as">{game.known ?? game.title}</span> <span class="side0 mark">{told(attacker)}</span>{' '}
      <span class="soft">against</span> <span class="side1 mark">{told(defender)}</span>
      {game.assumes !== undefined && <span class="soft"> {game.assumes}</span>}
      {missed.length > 0 && <span class="missed"> Not understood: {missed.join(', ')}.</span>}
    </p>
  );
}

function Ask() {
  const id = useId();
  const asked = askedNow();
  const found = understood(asked, GAMES);
  return (
    <form
      class="ask"
      aria-label="Question"
      onSubmit={(event) => {
        event.preventDefault();
        open(asked);
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
          aria-describedby={`${id}-told`}
          onInput={({ currentTarget }) => {
            type(currentTarget.value);
          }}
        />
        <button type="submit" class="button main" disabled={found === undefined}>
          Show
        </button>
      </div>
      <div id={`${id}-told`} aria-live="polite">
        {found === undefined ? (
          <p class="understood soft">
            {typed.value.length > 3
              ? 'Not understood yet. Say how many units of what attack how many of what, such as “10 models against 5”, “2 B3 blocks attack 3 C2 blocks”, or choose a game below.'
              : 'Numbers and names of units, with “against” between the sides.'}
          </p>
        ) : (
          <Understood found={found} />
        )}
      </div>
      {found !== undefined && (
        <button type="submit" class="live">
          <span class="unseen">Show this battle: </span>
          <Odds />
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
          clearTimeout(timer);
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
  const [known, others] = [true, false].map((is) => GAMES.filter((game) => (game.known !== undefined) === is));
  return (
    <main class="start">
      <h2>What do you want to know?</h2>
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
