/** The editor of the text, loaded when the text is first shown. */
import './editor.css';
import { followText } from './document.ts';

export { Code, goTo } from './code.tsx';

// From now on, whatever is shown: it keeps the history of the text.
followText();
