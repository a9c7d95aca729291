/** Syntax highlighting of JavaScript: keywords, strings and comments. */
import { StreamLanguage, type StreamParser } from '@codemirror/language';

const KEYWORDS = new Set(
  (
    'async await break case catch class const continue default delete do else export extends finally for from function if ' +
    'import in instanceof let new of return static super switch this throw try typeof var void while yield true false null undefined'
  ).split(' '),
);

/** End of a comment or template literal that is open at the end of a line. */
interface OpenToken {
  until: '' | '*/' | '`';
}

type TokenStream = Parameters<StreamParser<OpenToken>['token']>[0];

/** Skips to the end of a token. @returns whether it ends in this line */
function skipTo(stream: TokenStream, end: string): boolean {
  while (!stream.eol()) {
    if (end !== '*/' && stream.match('\\')) stream.next();
    else if (stream.match(end)) return true;
    else stream.next();
  }
  return false;
}

const matchPattern = (stream: TokenStream, pattern: RegExp): string | undefined =>
  (stream.match(pattern) as RegExpMatchArray | null)?.[0];

/** Reads a comment or string, to its end or to the end of the line. */
function readToken(stream: TokenStream, state: OpenToken): string | undefined {
  const begins = state.until === '' ? matchPattern(stream, /^(?:\/\/|\/\*|['"`])/) : state.until;
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

const parser: StreamParser<OpenToken> = {
  name: 'javascript',
  startState: () => ({ until: '' }),
  token(stream, state) {
    if (state.until === '' && stream.eatSpace()) return null;
    const long = readToken(stream, state);
    if (long !== undefined) return long;
    const word = matchPattern(stream, /^[\p{L}_$][\p{L}\p{N}_$]*/u);
    if (word !== undefined) return KEYWORDS.has(word) ? 'keyword' : null;
    if (matchPattern(stream, /^\d[\w.]*/) !== undefined) return 'number';
    stream.next();
    return null;
  },
};

export const javascript = StreamLanguage.define(parser);
