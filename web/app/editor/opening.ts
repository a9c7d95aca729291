/** The name of the file as a part of the editor's state, so that opening another file is a change that can be taken back. */
import { invertedEffects } from '@codemirror/commands';
import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';

/** The text is that of another file. */
export const renamed = StateEffect.define<string>();

const field = StateField.define<string>({
  create: () => '',
  update: (name, { effects }) => effects.find((effect) => effect.is(renamed))?.value ?? name,
});

export const fileOf = (state: EditorState): string => state.field(field);

/** @param name of the file that the state begins with */
export const opening = (name: string): Extension => [
  field.init(() => name),
  invertedEffects.of(({ effects, startState }) =>
    effects.some((effect) => effect.is(renamed)) ? [renamed.of(fileOf(startState))] : [],
  ),
];
