/** Rules that are written here: their text, what is wrong with it, and their answer once they are run. */
import { computed, effect, signal } from '@preact/signals';
import type { ExactAnswer, UnaffordableAnswer } from '../../engine/answer.ts';
import { perform, WorkStopped } from '../../engine/client.ts';
import { parseDrafts } from '../drafts.ts';
import { saveAs } from '../files.ts';
import { inquire } from '../inquire.ts';
import { formatError } from '../parts/problem.tsx';
import { checkedText, file as scenarioFile, validScenario } from '../state.ts';
import { store, stored } from '../stored.ts';
import { chosenModule, moduleFault, openChosenModule, openedModule, runningModule } from './module.ts';

const RULES_FILE = 'my-rules.js';

/** Where this browser keeps the rules, as drafts of scenarios are. */
const KEY = 'warpool.rules';

/** When the text was begun, in milliseconds since 1970. */
let startedAt = 0;

/** Begins with a text: the smallest game, or what was kept. */
export function startRules(text: string, file = RULES_FILE, at = Date.now()): void {
  startedAt = at;
  moduleFault.value = undefined;
  chosenModule.value = { file, text, from: 'here' };
}

/** What was kept, where it is not what is shown. */
export const storedRules = signal(parseDrafts(stored(KEY))[0]);

/** Takes a change of the text; what was read from elsewhere is a text of one's own from then on. */
export function writeRules(text: string): void {
  startedAt ||= Date.now();
  chosenModule.value = { file: chosenModule.peek()?.file ?? RULES_FILE, text, from: 'here' };
}

export function saveRules(): void {
  const module = chosenModule.peek();
  if (module !== undefined) saveAs(new Blob([module.text], { type: 'text/javascript' }), module.file);
}

/** It differs from what runs. */
export const hasChanges = computed(
  () => chosenModule.value !== undefined && chosenModule.value.text !== runningModule.value?.text,
);

/** What is wrong with the text as it is read. */
const syntaxError = signal<unknown>(undefined);

/** The exact answer to the scenario by these rules. */
export const rulesAnswer = signal<ExactAnswer | UnaffordableAnswer | undefined>(undefined);
const rulesAnswerFault = signal<unknown>(undefined);

/** All that is wrong, in the words of the engine. */
export const rulesFaults = computed(() =>
  [
    syntaxError.value,
    ...(hasChanges.value && moduleFault.value === undefined ? [] : [moduleFault.value, rulesAnswerFault.value]),
  ]
    .filter((error) => error !== undefined)
    .flatMap(formatError),
);

/** Milliseconds without a key after which a text is looked at and kept. */
const PAUSE = 400;

function watchRulesSyntax(): () => void {
  return effect(() => {
    const module = chosenModule.value;
    syntaxError.value = undefined;
    if (module === undefined) return undefined;
    const controller = new AbortController();
    const timer = setTimeout(() => {
      if (module.from === 'here') store(KEY, JSON.stringify([{ file: module.file, text: module.text, at: startedAt }]));
      perform((engine) => engine.checkModule({ file: module.file, text: module.text }), controller.signal).catch(
        (error: unknown) => {
          if (!controller.signal.aborted && !(error instanceof WorkStopped)) syntaxError.value = error;
        },
      );
    }, PAUSE);
    return () => {
      clearTimeout(timer);
      controller.abort();
    };
  });
}

/** Answers the scenario by the rules that run, as long as it is one of theirs. */
function watchRulesAnswer(): () => void {
  return effect(() => {
    const [systems, scenario, text] = [openedModule.value?.systems ?? [], validScenario.value, checkedText.value];
    const mine = scenario !== undefined && systems.some(({ id }) => id === scenario.system);
    rulesAnswerFault.value = undefined;
    if (!mine) {
      rulesAnswer.value = undefined;
      return undefined;
    }
    const ask = { text, file: scenarioFile.peek() };
    const hear = (found?: ExactAnswer | UnaffordableAnswer, error?: unknown): void => {
      [rulesAnswer.value, rulesAnswerFault.value] = [found, error];
    };
    return inquire((engine) => engine.solve(ask, false), hear, {
      ends: true,
      fail: (error) => {
        hear(undefined, error);
      },
    });
  });
}

/** Begins to look at what is written. */
export function watchWrittenRules(): () => void {
  const ends = [watchRulesSyntax(), watchRulesAnswer()];
  return () => {
    for (const end of ends) end();
  };
}

/** Runs the text in an engine of its own, and shows its first example. */
export const runRules = (): Promise<void> => openChosenModule();
