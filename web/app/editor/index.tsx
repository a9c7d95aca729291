/** The scenario as a text and as a form; both are the same text. */
import { signal } from '@preact/signals';
import { useLayoutEffect } from 'preact/hooks';
import type { Marked } from '../../engine/check.ts';
import { Tabs } from '../parts/tabs.tsx';
import { Code, goTo } from './code.tsx';
import { followText } from './document.ts';
import './editor.css';
import { FormView, goToField } from './form.tsx';
import { Problems } from './problems.tsx';

const WAYS = [
  { id: 'text', title: 'Text' },
  { id: 'form', title: 'Form' },
];

const way = signal('text');

function go(problem: Marked): void {
  if (way.value === 'form' && goToField(problem.field)) return;
  way.value = 'text';
  goTo(problem);
}

export function Editor() {
  useLayoutEffect(followText, []);
  return (
    <div class="editor">
      <Tabs
        label="Edit the scenario as"
        tabs={WAYS}
        shown={way.value}
        onShow={(id) => {
          way.value = id;
        }}
      >
        {way.value === 'text' ? <Code /> : <FormView />}
      </Tabs>
      <Problems onGo={go} />
    </div>
  );
}
