/** Custom rules written in the page: text, errors, and the answer by the running rules. */
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

/** Storage key of the rules, in the format of drafts. */
const KEY = 'warpool.rules';

/** Time when the text was started, in milliseconds since 1970. */
let startedAt = 0;

/** Starts to edit rules: a template or stored text. */
export function startRules(text: string, file = RULES_FILE, at = Date.now()): void {
  startedAt = at;
  moduleFault.value = undefined;
  chosenModule.value = { file, text, from: 'here' };
}

/** Rules stored in this browser. */
export const storedRules = signal(parseDrafts(stored(KEY))[0]);

/** Stores a change of the text; an opened file becomes written text. */
export function writeRules(text: string): void {
  startedAt ||= Date.now();
  chosenModule.value = { file: chosenModule.peek()?.file ?? RULES_FILE, text, from: 'here' };
}

export function saveRules(): void {
  const module = chosenModule.peek();
  if (module !== undefined) saveAs(new Blob([module.text], { type: 'text/javascript' }), module.file);
}

/** True if the text differs from the running rules. */
export const hasChanges = computed(
  () => chosenModule.value !== undefined && chosenModule.value.text !== runningModule.value?.text,
);

/** Syntax error of the text. */
const syntaxError = signal<unknown>(undefined);

/** Exact answer to the scenario by the running rules. */
export const rulesAnswer = signal<ExactAnswer | UnaffordableAnswer | undefined>(undefined);
const rulesAnswerFault = signal<unknown>(undefined);

/** All error messages. */
export const rulesFaults = computed(() =>
  [
    syntaxError.value,
    ...(hasChanges.value && moduleFault.value === undefined ? [] : [moduleFault.value, rulesAnswerFault.value]),
  ]
    .filter((error) => error !== undefined)
    .flatMap(formatError),
);

/** Milliseconds without a key until a text is parsed and stored. */
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

/** Starts to answer the scenario by the running rules, if they have its system. */
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
    const handleResult = (found?: ExactAnswer | UnaffordableAnswer, error?: unknown): void => {
      [rulesAnswer.value, rulesAnswerFault.value] = [found, error];
    };
    return inquire((engine) => engine.solve(ask, false), handleResult, {
      ends: true,
      fail: (error) => {
        handleResult(undefined, error);
      },
    });
  });
}

/** Starts to check and answer the written rules. */
export function watchWrittenRules(): () => void {
  const ends = [watchRulesSyntax(), watchRulesAnswer()];
  return () => {
    for (const end of ends) end();
  };
}

/** Runs the text in its own engine and opens its first example. */
export const runRules = (): Promise<void> => openChosenModule();
