/** Start of the page: a question box and a list of games. Only the odds need the engine. */
import { computed, signal } from '@preact/signals';
import { useEffect, useId } from 'preact/hooks';
import '../../style/front.css';
import { formatRoughPercent } from '../../../src/report/index.ts';
import { Odds } from '../answer/odds.tsx';
import { answerFault, exactAnswer, isStale, shownAnswer, simulatedAnswer } from '../answering.ts';
import { showMode } from '../editor/editor-mode.ts';
import { useLostFocus } from '../parts/focus.ts';
import { formatError } from '../parts/problem.tsx';
import { checkedText, checkResult, file, isStartShown, openText, panel, text } from '../state.ts';
import { GAMES, type GameOption } from './games.ts';
import { openGame, openQuestion, typedQuestion } from './open.ts';
import {
  type BattleQuestion,
  formatUnits,
  getGameName,
  parseCompleteQuestion,
  parseQuestion,
  QUESTION_HINT,
  writeScenario,
} from './question.ts';
import { Silhouette } from './silhouette.tsx';

/** Example questions; the first is answered before anything is typed. */
const EXAMPLES: readonly [string, ...string[]] = [
  '4 infantry and 2 tanks attack 5 infantry and a fighter',
  '10 against 8',
  'can 5 infantry hold against 3 tanks?',
];

const isExample = computed(() => typedQuestion.value.trim() === '');
/** Current question: the typed one, or the first example. */
const shownQuestion = computed(() => (isExample.value ? EXAMPLES[0] : typedQuestion.value));
const parsedQuestion = computed(() => parseQuestion(shownQuestion.value, GAMES));
const question = computed(() => ('question' in parsedQuestion.value ? parsedQuestion.value.question : undefined));

/** Milliseconds without a key until a question is answered. */
const ANSWER_DELAY = 250;

/** Milliseconds without a key until a status or an error is shown and announced. */
const NOTICE_DELAY = 300;

const isLate = signal(false);
let timers: ReturnType<typeof setTimeout>[] = [];

/** Schedules the answer to the typed question. */
function scheduleAnswer(): void {
  timers.forEach(clearTimeout);
  isLate.value = false;
  const answer = (): void => {
    // Another view may have opened in the meantime.
    if (isStartShown.value && question.value !== undefined) openQuestion(question.value, shownQuestion.value, true);
  };
  const announce = (): void => {
    isLate.value = true;
  };
  timers = [setTimeout(answer, ANSWER_DELAY), setTimeout(announce, NOTICE_DELAY)];
}

/** Answers the example, or the question of the address. */
export function startAnswering(): void {
  // Without an understood question there are no odds, but the page needs a scenario.
  const words = question.value === undefined ? EXAMPLES[0] : shownQuestion.value;
  const found = parseCompleteQuestion(words, GAMES);
  if (found !== undefined) openQuestion(found, words, true);
  isLate.value = true;
}

function typeQuestion(words: string): void {
  typedQuestion.value = words;
  scheduleAnswer();
}

function openTypedQuestion(): void {
  if (question.value !== undefined) openQuestion(question.value, shownQuestion.value);
}

/** True if the engine has the current question. */
const isSubmitted = computed(
  () => question.value !== undefined && text.value === writeScenario(question.value, shownQuestion.value),
);

/** Reason why there are no odds; undefined while there may be some. */
const problem = computed<string | undefined>(() => {
  if ('problem' in parsedQuestion.value)
    return parsedQuestion.value.problem ?? (isExample.value ? undefined : QUESTION_HINT);
  if (!isSubmitted.value) return undefined;
  const found = checkedText.value === text.value ? checkResult.value : undefined;
  if (found?.ok === false)
    return `The rules do not allow this battle: ${found.problems.map((each) => `${each.field}: expected ${each.expected}, found ${each.found}`).join('; ')}.`;
  return answerFault.value === undefined ? undefined : formatError(answerFault.value).join(' ');
});

/** Odds of the question in the box, and of no other. */
const odds = computed(() =>
  isSubmitted.value && !isStale.value && problem.value === undefined ? shownAnswer.value?.odds : undefined,
);

/** Announcement to screen readers: the interpretation with its odds, or the problem. */
const announcement = computed(() => {
  if (isExample.value) return '';
  // Do not announce the hint at every key.
  if (problem.value === QUESTION_HINT) return QUESTION_HINT;
  if (!isLate.value) return '';
  if (question.value === undefined || problem.value !== undefined) return problem.value ?? '';
  if (odds.value === undefined) return 'Computing …';
  const { game, attacker, defender } = question.value;
  // While battles are simulated the last digits change many times a second.
  const isPart = simulatedAnswer.value?.kind === 'part' && exactAnswer.value?.kind !== 'exact';
  const shares = odds.value.map(({ name, p, share }) => `${name} ${isPart ? formatRoughPercent(p) : share}`);
  return `${getGameName(game)}, ${formatUnits(attacker)} against ${formatUnits(defender)}: ${shares.join(', ')}.`;
});

function ParsedQuestionLine({ found: { game, attacker, defender } }: { readonly found: BattleQuestion }) {
  return (
    <p class="understood">
      {isExample.value && <span class="soft">For example: </span>}
      <span class="as">{getGameName(game)}</span> <span class="side0 mark">{formatUnits(attacker)}</span>{' '}
      <span class="soft">against</span> <span class="side1 mark">{formatUnits(defender)}</span>
      {game.assumes !== undefined && <span class="soft"> {game.assumes}</span>}
    </p>
  );
}

/** Problem of the question, and a similar question. */
function QuestionProblem() {
  const instead = 'problem' in parsedQuestion.value ? parsedQuestion.value.instead : undefined;
  return (
    <p class={problem.value === QUESTION_HINT ? 'understood soft' : 'understood missed'}>
      {problem.value}{' '}
      {instead !== undefined && (
        <button
          type="button"
          class="chip"
          onClick={() => {
            typeQuestion(instead);
          }}
        >
          Ask instead: {instead}
        </button>
      )}
    </p>
  );
}

function QuestionBox() {
  const id = useId();
  return (
    <form
      class="ask"
      aria-label="Question"
      onSubmit={(event) => {
        event.preventDefault();
        openTypedQuestion();
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
          value={typedQuestion.value}
          onInput={({ currentTarget }) => {
            typeQuestion(currentTarget.value);
          }}
        />
        <button type="submit" class="button main" disabled={problem.value !== undefined}>
          Show
        </button>
      </div>
      <p class="unseen" role="status">
        {announcement}
      </p>
      {problem.value === undefined && question.value !== undefined ? (
        <ParsedQuestionLine found={question.value} />
      ) : (
        <QuestionProblem />
      )}
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
              typeQuestion(each);
            }}
          >
            {each}
          </button>
        ))}
      </p>
    </form>
  );
}

function GameCard({ game }: { readonly game: GameOption }) {
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
          {game.knownAs !== undefined && <span class="as">as in</span>} {game.knownAs ?? game.title}
        </span>
        <span class="game-line">{game.line}</span>
      </button>
    </li>
  );
}

interface WayProps {
  readonly title: string;
  readonly line: string;
  readonly onOpen: () => void;
}

/** Button that opens the example in another way. */
function Way({ title, line, onOpen }: WayProps) {
  return (
    <li>
      <button
        type="button"
        class="game plain"
        onClick={() => {
          openText(text.peek(), file.peek());
          onOpen();
        }}
      >
        <span class="game-title">{title}</span>
        <span class="game-line">{line}</span>
      </button>
    </li>
  );
}

const openPanel = (id: string) => (): void => {
  panel.value = id;
};

/** Buttons that open the example with custom rules or as text, and the example of a study. */
function OtherWays() {
  return (
    <>
      <h3>Custom battles</h3>
      <ul class="games">
        <Way title="Custom rules" line="A JavaScript module, which stays in this browser." onOpen={openPanel('own')} />
        <Way
          title="Text"
          line="Write a scenario in YAML, or drop a file here."
          onOpen={() => {
            showMode('Text');
          }}
        />
      </ul>
      <h3>Design and balance</h3>
      <ul class="games">
        <Way title="Matchup" line="Every army of a roster against every other." onOpen={openPanel('matchup')} />
        <Way
          title="Balance problem"
          line="Values that meet several targets in several scenarios."
          onOpen={openPanel('balance-problem')}
        />
      </ul>
    </>
  );
}

export function Start() {
  const main = useLostFocus();
  useEffect(() => {
    // Another scenario was opened in the meantime.
    if (!isSubmitted.value) scheduleAnswer();
  }, []);
  const [known, others] = [true, false].map((is) => GAMES.filter((game) => (game.knownAs !== undefined) === is));
  return (
    <main class="start" ref={main} tabIndex={-1}>
      <h2>Compute battle odds</h2>
      <p class="soft">Exact odds of battles in tabletop games: win probabilities and remaining units.</p>
      <QuestionBox />
      <h3>Or choose a game</h3>
      <ul class="games">
        {known?.map((game) => (
          <GameCard key={game.id} game={game} />
        ))}
      </ul>
      <h3>Other rule systems</h3>
      <ul class="games">
        {others?.map((game) => (
          <GameCard key={game.id} game={game} />
        ))}
      </ul>
      <OtherWays />
    </main>
  );
}
