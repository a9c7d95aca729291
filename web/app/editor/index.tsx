/** The scenario as a text and as a form; both are the same text. */
import { useLayoutEffect } from 'preact/hooks';
import type { Marked } from '../../engine/check.ts';
import { Button } from '../parts/button.tsx';
import { asked, VIEW } from '../state.ts';
import { Code, goTo } from './code.tsx';
import { followText, step, steps } from './document.ts';
import './editor.css';
import { FormView, goToField } from './form.tsx';
import { Problems } from './problems.tsx';

const WAYS = ['Text', 'Form'] as const;

const way = asked<(typeof WAYS)[number]>(VIEW, 'Text', (value) => WAYS.find((each) => each === value));

const STEPS = [
  ['undo', 'Undo'],
  ['redo', 'Redo'],
] as const;

function go(problem: Marked): void {
  if (way.value === 'Form' && goToField(problem.field)) return;
  way.value = 'Text';
  goTo(problem);
}

/** Two buttons, and no tabs: those of the page ask of the scenario. */
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
            way.value = each;
          }}
        >
          {each}
        </button>
      ))}
    </fieldset>
  );
}

export function Editor() {
  useLayoutEffect(followText, []);
  return (
    <div class="editor">
      <div class="form-actions">
        <Ways />
        {STEPS.map(([id, title]) => (
          <Button
            key={id}
            disabled={!steps.value[id]}
            onClick={() => {
              step(id);
            }}
          >
            {title}
          </Button>
        ))}
      </div>
      {way.value === 'Text' ? <Code /> : <FormView />}
      <Problems onGo={go} />
    </div>
  );
}
