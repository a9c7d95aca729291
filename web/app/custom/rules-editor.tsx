/** Editor of custom rules. */
import { createPanelEditor } from '../editor/panel-editor.tsx';
import { javascript } from './javascript.ts';
import { chosenModule } from './module.ts';
import { rulesFaults, writeRules } from './written-rules.ts';

export const RulesEditor = createPanelEditor({
  label: 'Rules, in JavaScript',
  language: javascript,
  content: chosenModule,
  problems: rulesFaults,
  onText: writeRules,
});
