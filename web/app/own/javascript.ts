/** Colours of JavaScript in the editor: words, texts and comments. */
import { StreamLanguage, type StreamParser } from '@codemirror/language';

const WORDS = new Set(
  (
    'async await break case catch class const continue default delete do else export extends finally for from function if ' +
    'import in instanceof let new of return static super switch this throw try typeof var void while yield true false null undefined'
  ).split(' '),
);

/** What is open at the end of a line: a comment, or a text between backquotes. */
interface Open {
  until: '' | '*/' | '`';
}

type Stream = Parameters<StreamParser<Open>['token']>[0];

/** @returns whether it ends in this line */
function skipTo(stream: Stream, end: string): boolean {
  while (!stream.eol()) {
    if (end !== '*/' && stream.match('\\')) stream.next();
    else if (stream.match(end)) return true;
    else stream.next();
  }
  return false;
}

const found = (stream: Stream, pattern: RegExp): string | undefined =>
  (stream.match(pattern) as RegExpMatchArray | null)?.[0];

/** A comment or a text, to its end or to that of the line. */
function stretch(stream: Stream, state: Open): string | undefined {
  const begins = state.until === '' ? found(stream, /^(?:\/\/|\/\*|['"`])/) : state.until;
  if (begins === undefined) return undefined;
  const comment = begins === '//' || begins === '/*' || begins === '*/';
  if (begins === '//') stream.skipToEnd();
  else {
    const end = comment ? '*/' : begins;
    const ended = skipTo(stream, end);
    state.until = !ended && (end === '*/' || end === '`') ? end : '';
  }
  return comment ? 'comment' : 'string';
}

const parser: StreamParser<Open> = {
  name: 'javascript',
  startState: () => ({ until: '' }),
  token(stream, state) {
    if (state.until === '' && stream.eatSpace()) return null;
    const long = stretch(stream, state);
    if (long !== undefined) return long;
    const word = found(stream, /^[\p{L}_$][\p{L}\p{N}_$]*/u);
    if (word !== undefined) return WORDS.has(word) ? 'keyword' : null;
    if (found(stream, /^\d[\w.]*/) !== undefined) return 'number';
    stream.next();
    return null;
  },
};

export const javascript = StreamLanguage.define(parser);
