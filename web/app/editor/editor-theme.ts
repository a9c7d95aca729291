/** Editor theme, which uses the CSS colors of the page. */
import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const WAVY = 'underline wavy var(--alarm) 1px';
const BOX = { border: '1px solid var(--edge)', borderRadius: '4px', background: 'var(--field)', color: 'inherit' };

const boxTheme = EditorView.theme({
  '&': { ...BOX, color: 'var(--ink)', fontSize: '0.8125rem' },
  '&.cm-focused': { outline: '2px solid var(--link)', outlineOffset: '1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.45', minHeight: 'var(--editor-low)', maxHeight: '75vh' },
  '.cm-content': { padding: '6px 0', caretColor: 'var(--ink)' },
  '.cm-gutters': { background: 'none', color: 'var(--soft)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '2.2em', padding: '0 4px 0 6px' },
  '.cm-activeLine': { background: 'none' },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': { background: 'var(--faint)' },
  '.cm-nonmatchingBracket, &.cm-focused .cm-nonmatchingBracket': { background: 'none', color: 'var(--alarm)' },
  '.cm-tooltip': { ...BOX, color: 'var(--ink)', maxWidth: 'min(32em, 92vw)', fontSize: '0.8125rem' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--mono)', maxHeight: '15em' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px' },
  '.cm-tooltip-autocomplete ul li[aria-selected]': { background: 'var(--accent)', color: 'var(--on-accent)' },
  '.cm-completionMatchedText': { textDecoration: 'none', fontWeight: '700' },
  '.cm-completionDetail': { fontStyle: 'normal', opacity: '0.85', marginLeft: '1em' },
  '.cm-tooltip.cm-completionInfo': { padding: '4px 8px', maxWidth: 'min(20em, 70vw)' },
  '.cm-hint': { padding: '4px 10px' },
  '.cm-hint p': { margin: '2px 0' },
  '.cm-hint code': { fontFamily: 'var(--mono)', fontWeight: '600' },
  '.cm-diagnostic': { borderLeft: '4px solid var(--alarm)', padding: '3px 10px', whiteSpace: 'normal' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: WAVY, textDecorationSkipInk: 'none' },
  '.cm-lintPoint-error::after': { borderBottomColor: 'var(--alarm)' },
  '.cm-gutter-lint': { width: '8px' },
  '.cm-gutter-lint .cm-gutterElement': { padding: '0' },
  '.cm-lint-marker-error': { content: '""', width: '4px', height: '100%', background: 'var(--alarm)' },
  '.cm-panels': { background: 'var(--stripe)', color: 'var(--ink)', borderColor: 'var(--line)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-panels.cm-panels-bottom': { borderTop: '1px solid var(--line)' },
  '.cm-panel.cm-panel-lint ul [aria-selected]': { background: 'var(--found)', color: 'inherit' },
  '.cm-textfield': { ...BOX, fontSize: '0.8125rem' },
  '.cm-button': { ...BOX, backgroundImage: 'none', fontSize: '0.8125rem', cursor: 'pointer' },
  '.cm-searchMatch': { background: 'none', outline: '1px solid var(--side5)' },
  '.cm-searchMatch-selected': { background: 'var(--faint)' },
  '.cm-selectionMatch': { background: 'var(--faint)' },
  '.cm-foldPlaceholder': { ...BOX, color: 'var(--soft)', padding: '0 4px' },
});

const highlight = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--soft)', fontStyle: 'italic' },
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--link)' },
  { tag: tags.keyword, color: 'var(--link)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'var(--string)' },
  { tag: [tags.labelName, tags.typeName, tags.meta], color: 'var(--alarm)' },
]);

export const editorTheme: Extension = [boxTheme, syntaxHighlighting(highlight)];
