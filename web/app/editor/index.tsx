/** Scenario editor with three views of the same text: units, form and text. */
import { signal } from '@preact/signals';
import type { LocatedProblem } from '../../engine/editing/check.ts';
import { Lazy } from '../lazy.tsx';
import { EDITOR_MODES, editorMode, modeTools, showMode } from './editor-mode.ts';
import { PlainEditor, waitForComposition } from './plain-editor.tsx';
import { Problems } from './problems.tsx';
import { stepHistory, steps } from './text-history.ts';

const loadUnits = async () => (await import('../start/units.tsx')).Units;
const loadForm = async () => (await import('./form.tsx')).FormView;
/** Moves the cursor to a problem; set when the text editor is loaded. */
let goToText: ((problem: LocatedProblem) => void) | undefined;

const loadText = async () => {
  const { CodeEditor, followText, goToProblem: goTo } = await import('./text.tsx');
  goToText = goTo;
  await waitForComposition();
  // From now on in every view: the editor has the history of the text.
  followText();
  return CodeEditor;
};

const HISTORY_STEPS = [
  ['undo', 'Undo', '↶'],
  ['redo', 'Redo', '↷'],
] as const;

/** Focuses the control of a field. @returns whether it exists */
function goToField(place: string): boolean {
  const fields = [...document.querySelectorAll<HTMLElement>('[data-place]')];
  const found = fields.find(({ dataset }) => dataset['place'] === place);
  for (let each = found?.closest('details'); each !== null && each !== undefined; ) {
    each.open = true;
    each = each.parentElement?.closest('details');
  }
  const input = found?.querySelector<HTMLElement>('input, select, button, summary');
  input?.focus();
  return input !== null && input !== undefined;
}

function goToProblem(problem: LocatedProblem): void {
  if (editorMode.value !== 'Text' && goToField(problem.field)) return;
  showMode('Text');
  if (goToText !== undefined) {
    goToText(problem);
    return;
  }
  void import('./text.tsx').then(({ goToProblem: goTo }) => {
    goTo(problem);
  }, String);
}

/** True if the scenario is hidden to make room for the panels. */
const isFolded = signal(false);

/** Buttons that choose the view. */
function ModeSwitch() {
  return (
    <fieldset class="ways">
      <legend class="unseen">Show the scenario as</legend>
      {EDITOR_MODES.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={editorMode.value === each}
          onClick={() => {
            isFolded.value = false;
            showMode(each);
          }}
        >
          {each}
        </button>
      ))}
    </fieldset>
  );
}

function EditorContent() {
  switch (editorMode.value) {
    case 'Units':
      return (
        <Lazy key="units" load={loadUnits}>
          <p class="soft">Loading …</p>
        </Lazy>
      );
    case 'Form':
      return (
        <Lazy key="form" load={loadForm}>
          <p class="soft">Loading …</p>
        </Lazy>
      );
    default:
      return (
        <Lazy key="text" load={loadText} stays>
          <PlainEditor />
        </Lazy>
      );
  }
}

export function Editor() {
  return (
    <div class="editor">
      <div class="form-actions">
        <ModeSwitch />
        <span class="steps">
          {modeTools.value}
          {HISTORY_STEPS.map(([id, title, sign]) => (
            <button
              key={id}
              type="button"
              class="icon"
              aria-label={title}
              title={title}
              disabled={!steps.value[id]}
              onClick={() => {
                stepHistory(id);
              }}
            >
              {sign}
            </button>
          ))}
        </span>
        {editorMode.value !== 'Units' && (
          <button
            type="button"
            class="icon"
            aria-expanded={!isFolded.value}
            aria-label={isFolded.value ? 'Show the scenario' : 'Hide the scenario'}
            title={isFolded.value ? 'Show the scenario' : 'Hide the scenario'}
            onClick={() => {
              isFolded.value = !isFolded.value;
            }}
          >
            {isFolded.value ? '▾' : '▴'}
          </button>
        )}
      </div>
      {!isFolded.value && <EditorContent />}
      <Problems onGo={goToProblem} />
    </div>
  );
}
