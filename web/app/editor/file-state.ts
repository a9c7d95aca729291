/** The name of the file as a part of the editor's state, so that opening another file is a change that can be taken back. */
import { invertedEffects } from '@codemirror/commands';
import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';

/** The text is that of another file. */
export const renameEffect = StateEffect.define<string>();

const fileField = StateField.define<string>({
  create: () => '',
  update: (name, { effects }) => effects.find((effect) => effect.is(renameEffect))?.value ?? name,
});

export const getFile = (state: EditorState): string => state.field(fileField);

/** @param name of the file that the state begins with */
export const createFileState = (name: string): Extension => [
  fileField.init(() => name),
  invertedEffects.of(({ effects, startState }) =>
    effects.some((effect) => effect.is(renameEffect)) ? [renameEffect.of(getFile(startState))] : [],
  ),
];
