/** Text editor, loaded when the text is first shown. */
import './editor.css';

export { CodeEditor, goToProblem } from './code-editor.tsx';
export { followText } from './document.ts';
