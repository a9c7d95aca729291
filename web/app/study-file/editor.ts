/** Editor of the file of a study, loaded on demand. */
import { yaml } from '@codemirror/lang-yaml';
import type { ComponentType } from 'preact';
import { createPanelEditor } from '../editor/panel-editor.tsx';
import type { StudyFile } from './study-file.ts';

export const createStudyEditor = (study: StudyFile): ComponentType =>
  createPanelEditor({
    label: `${study.title}, in YAML or JSON`,
    language: yaml(),
    content: study.content,
    problems: study.problems,
    onText: study.write,
  });
