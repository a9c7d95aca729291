/**
 * Handles typing over several selected lines. Chromium would keep the style of the replaced text in an inline style,
 * which the Content-Security-Policy forbids.
 */
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

function replaceText(view: EditorView, text: string): void {
  const { from, to } = view.state.selection.main;
  const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type' });
  const handled = view.state.facet(EditorView.inputHandler).some((handle) => handle(view, from, to, text, insert));
  if (!handled) view.dispatch(insert());
}

export const replacementInput: Extension = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { inputType, data } = event;
    const { from, to } = view.state.selection.main;
    const lines = view.state.doc.lineAt(from).to < to;
    if (inputType !== 'insertText' || data === null || !lines || view.composing) return false;
    event.preventDefault();
    replaceText(view, data);
    return true;
  },
});
