/** The editor of the text, loaded when the text is first shown. */
import './editor.css';

export { Code, goTo } from './code.tsx';
export { followText } from './document.ts';
