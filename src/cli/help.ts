/** Help in lines that fit the terminal: usage, options, and what is told after them. */
import { type AddHelpTextContext, type AddHelpTextPosition, Command, Help, type HelpConfiguration } from 'commander';
import { widthsOf } from './terminal.ts';

/** A description that would get fewer characters stands below its option. */
const BESIDE = 24;

/** Columns by which what stands below an option is indented. */
const BELOW = 6;

/** What stands before how a command is called. */
const USAGE = 'Usage: ';

const wrapper = Object.assign(new Help(), { minWidthToWrap: 1 });

const indented = (text: string, indent: number, width: number): string =>
  wrapper.boxWrap(text, width - indent).replace(/^/gm, ' '.repeat(indent));

/** A command in lines that a shell reads as one. */
function shell(line: string, width: number): string {
  return line.length <= width ? line : indented(line.trim(), 2, width - 4).replaceAll('\n', ' \\\n  ');
}

/** `term    what it is`: what it is goes on below itself. */
function explained(term: string, text: string, width: number): string {
  return term + indented(text, term.length, width).trimStart();
}

/**
 * What is told after the options: lines of a paragraph are joined and broken anew; examples, headings and terms with
 * what they mean have lines of their own.
 */
export function reflowed(text: string, width: number): string {
  const blocks: string[] = [];
  let sentence = '';
  const flush = (): void => {
    if (sentence !== '') blocks.push(indented(sentence, 0, width));
    sentence = '';
  };
  const own = (block: string): void => {
    flush();
    blocks.push(block);
  };
  for (const line of text.split('\n')) {
    const [, term, about] = /^(\S+ {2,})(\S.*)$/.exec(line) ?? [];
    if (/^ +\$ /.test(line)) own(shell(line, width));
    else if (term !== undefined && about !== undefined) own(explained(term, about, width));
    else if (line === '' || line.endsWith(':')) own(line);
    else sentence += sentence === '' ? line : ` ${line}`;
  }
  flush();
  return blocks.join('\n');
}

const widthOf = (error: boolean): number => widthsOf(error ? process.stderr : process.stdout).width;

/** Commands without options. */
const PLAIN = ['columns', 'help'];

/** Options with what they do beside them, or below them where that leaves too little room. */
const HELP: HelpConfiguration = {
  minWidthToWrap: 1,
  styleUsage(this: Help, usage) {
    return explained(USAGE, usage, this.helpWidth ?? 0).slice(USAGE.length);
  },
  /** Commands that are not loaded have their options all the same. */
  subcommandTerm(this: Help, command) {
    const term = Help.prototype.subcommandTerm.call(this, command);
    const name = command.name();
    if (PLAIN.includes(name) || command.options.length > 0) return term;
    return term.replace(name, `${name} [options]`);
  },
  formatItem(this: Help, term, termWidth, description, helper) {
    const { helpWidth = 0 } = this;
    if (description === '' || helpWidth - termWidth - 4 >= BESIDE)
      return Help.prototype.formatItem.call(this, term, termWidth, description, helper);
    return `  ${term}\n${indented(description, BELOW, helpWidth)}`;
  },
};

/** A command whose help fits the terminal. */
class Wrapped extends Command {
  override createCommand(name?: string): Command {
    return new Wrapped(name);
  }

  override addHelpText(position: AddHelpTextPosition, text: string | ((context: AddHelpTextContext) => string)): this {
    return super.addHelpText(position, (context) =>
      reflowed(typeof text === 'string' ? text : text(context), widthOf(context.error)),
    );
  }
}

/** The outermost command. */
export function wrappedProgram(name: string): Command {
  return new Wrapped(name).configureHelp(HELP).configureOutput({
    getOutHelpWidth: () => widthOf(false),
    getErrHelpWidth: () => widthOf(true),
  });
}
