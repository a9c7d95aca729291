/** File name as part of the editor state, so that opening another file can be undone. */
import { invertedEffects } from '@codemirror/commands';
import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';

/** Effect: the text is from another file. */
export const renameEffect = StateEffect.define<string>();

const fileField = StateField.define<string>({
  create: () => '',
  update: (name, { effects }) => effects.find((effect) => effect.is(renameEffect))?.value ?? name,
});

export const getFile = (state: EditorState): string => state.field(fileField);

/** Creates the state of the file name. @param name initial file name */
export const createFileState = (name: string): Extension => [
  fileField.init(() => name),
  invertedEffects.of(({ effects, startState }) =>
    effects.some((effect) => effect.is(renameEffect)) ? [renameEffect.of(getFile(startState))] : [],
  ),
];
