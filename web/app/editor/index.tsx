/** The scenario as units, as a form and as a text; all are the same text. */
import { signal } from '@preact/signals';
import type { Marked } from '../../engine/check.ts';
import { Lazy } from '../lazy.tsx';
import { step, steps } from './past.ts';
import { PlainEditor, settled } from './plain.tsx';
import { Problems } from './problems.tsx';
import { show, tools, WAYS, way } from './way.ts';

const loadUnits = async () => (await import('../front/units.tsx')).Units;
const loadForm = async () => (await import('./form.tsx')).FormView;
/** Leads to a place in the text, at once where its editor is there: keys that follow are for it. */
let goToText: ((problem: Marked) => void) | undefined;

const loadText = async () => {
  const { Code, followText, goTo } = await import('./text.tsx');
  goToText = goTo;
  await settled();
  // From now on, whatever is shown: it has the history of the text.
  followText();
  return Code;
};

const STEPS = [
  ['undo', 'Undo', '↶'],
  ['redo', 'Redo', '↷'],
] as const;

/** Leads to the control of a field. @returns whether it is there */
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

function go(problem: Marked): void {
  if (way.value !== 'Text' && goToField(problem.field)) return;
  show('Text');
  if (goToText !== undefined) {
    goToText(problem);
    return;
  }
  void import('./text.tsx').then(({ goTo }) => {
    goTo(problem);
  }, String);
}

/** The scenario is out of the way: what is asked of it has the place. */
const folded = signal(false);

/** Buttons, and no tabs: those of the page ask of the scenario. */
function Ways() {
  return (
    <fieldset class="ways">
      <legend class="unseen">Show the scenario as</legend>
      {WAYS.map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={way.value === each}
          onClick={() => {
            folded.value = false;
            show(each);
          }}
        >
          {each}
        </button>
      ))}
    </fieldset>
  );
}

function Shown() {
  switch (way.value) {
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
        <Ways />
        <span class="steps">
          {tools.value}
          {STEPS.map(([id, title, sign]) => (
            <button
              key={id}
              type="button"
              class="icon"
              aria-label={title}
              title={title}
              disabled={!steps.value[id]}
              onClick={() => {
                step(id);
              }}
            >
              {sign}
            </button>
          ))}
        </span>
        {way.value !== 'Units' && (
          <button
            type="button"
            class="icon"
            aria-expanded={!folded.value}
            aria-label={folded.value ? 'Show the scenario' : 'Fold the scenario'}
            title={folded.value ? 'Show the scenario' : 'Fold the scenario'}
            onClick={() => {
              folded.value = !folded.value;
            }}
          >
            {folded.value ? '▾' : '▴'}
          </button>
        )}
      </div>
      {!folded.value && <Shown />}
      <Problems onGo={go} />
    </div>
  );
}
