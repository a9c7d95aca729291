/** Help that fits the terminal: usage, options, and notes. */
import { type AddHelpTextContext, type AddHelpTextPosition, Command, Help, type HelpConfiguration } from 'commander';
import { measureWidths } from './terminal.ts';

/** Minimum width of a description; narrower ones are printed below their option. */
const DESCRIPTION_WIDTH_MIN = 24;

/** Indentation of text below an option. */
const STACKED_INDENT = 6;

/** Prefix of the usage line. */
const USAGE_PREFIX = 'Usage: ';

const wrapper = Object.assign(new Help(), { minWidthToWrap: 1 });

const indentText = (text: string, indent: number, width: number): string =>
  wrapper.boxWrap(text, width - indent).replace(/^/gm, ' '.repeat(indent));

/** Formats a command in lines that a shell reads as one. */
function wrapShellLine(line: string, width: number): string {
  return line.length <= width ? line : indentText(line.trim(), 2, width - 4).replaceAll('\n', ' \\\n  ');
}

/** Formats `term    description`; the description wraps below itself. */
function formatTerm(term: string, text: string, width: number): string {
  return term + indentText(text, term.length, width).trimStart();
}

/**
 * Reflows notes: joins and wraps the lines of paragraphs, and keeps the lines of examples, headings and lists of terms.
 */
export function reflowText(text: string, width: number): string {
  const blocks: string[] = [];
  let sentence = '';
  const flush = (): void => {
    if (sentence !== '') blocks.push(indentText(sentence, 0, width));
    sentence = '';
  };
  const own = (block: string): void => {
    flush();
    blocks.push(block);
  };
  for (const line of text.split('\n')) {
    const [, term, about] = /^(\S+ {2,})(\S.*)$/.exec(line) ?? [];
    if (/^ +\$ /.test(line)) own(wrapShellLine(line, width));
    else if (term !== undefined && about !== undefined) own(formatTerm(term, about, width));
    else if (line === '' || line.endsWith(':')) own(line);
    else sentence += sentence === '' ? line : ` ${line}`;
  }
  flush();
  return blocks.join('\n');
}

const getHelpWidth = (error: boolean): number => measureWidths(error ? process.stderr : process.stdout).width;

/** Commands without options. */
const COMMANDS_WITHOUT_OPTIONS = ['columns', 'help'];

/** Prints descriptions next to options, or below them if the terminal is narrow. */
const HELP: HelpConfiguration = {
  minWidthToWrap: 1,
  styleUsage(this: Help, usage) {
    return formatTerm(USAGE_PREFIX, usage, this.helpWidth ?? 0).slice(USAGE_PREFIX.length);
  },
  /** Shows options also for commands that are not loaded. */
  subcommandTerm(this: Help, command) {
    const term = Help.prototype.subcommandTerm.call(this, command);
    const name = command.name();
    if (COMMANDS_WITHOUT_OPTIONS.includes(name) || command.options.length > 0) return term;
    return term.replace(name, `${name} [options]`);
  },
  formatItem(this: Help, term, termWidth, description, helper) {
    const { helpWidth = 0 } = this;
    if (description === '' || helpWidth - termWidth - 4 >= DESCRIPTION_WIDTH_MIN)
      return Help.prototype.formatItem.call(this, term, termWidth, description, helper);
    return `${indentText(term, 2, helpWidth)}\n${indentText(description, STACKED_INDENT, helpWidth)}`;
  },
};

/** Command whose help fits the terminal. */
class WrappedCommand extends Command {
  override createCommand(name?: string): Command {
    return new WrappedCommand(name);
  }

  override addHelpText(position: AddHelpTextPosition, text: string | ((context: AddHelpTextContext) => string)): this {
    return super.addHelpText(position, (context) =>
      reflowText(typeof text === 'string' ? text : text(context), getHelpWidth(context.error)),
    );
  }
}

/** The outermost command. */
export function createWrappedProgram(name: string): Command {
  return new WrappedCommand(name).configureHelp(HELP).configureOutput({
    getOutHelpWidth: () => getHelpWidth(false),
    getErrHelpWidth: () => getHelpWidth(true),
  });
}
