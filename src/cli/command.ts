/** Declarations of commands, and conversion of their settings to options. */
import { type Argument, type Command, Option } from 'commander';
import { InputError } from '../core/index.ts';
import { formatOptionName, type OptionSpec, type OptionSpecs } from '../rules/option-spec.ts';
import { mapInputErrors } from './failure.ts';

/** Declaration of a command by its file; program.ts has its name, arguments and summary. */
export interface CommandDeclaration {
  readonly description: string;
  /** Descriptions of its arguments, in order, or functions that extend them. */
  readonly parameters?: readonly (string | ((argument: Argument) => Argument))[];
  readonly settings: OptionSpecs;
  /** Notes after the options. */
  readonly notes: readonly string[];
  /** Runs the command. Receives the arguments, the options, and the command object. */
  readonly action: (...given: never[]) => unknown;
  /** Its options by library names that differ: `{ numEnvs: 'envs' }`. */
  readonly libraryNames?: Readonly<Record<string, string>>;
  /** True if it reads all other commands. */
  readonly readsAllCommands?: true;
}

export const SCENARIO = 'scenario file in YAML or JSON; - reads standard input';

export function formatExamples(...lines: readonly string[]): string {
  return `\nExamples:\n${lines.map((line) => `  $ warpool ${line}`).join('\n')}`;
}

const settingsByOption = new WeakMap<Option, OptionSpec>();

/** Returns the allowed words of an option; undefined for other options. */
export const listOptionWords = (option: Option): readonly string[] | undefined => settingsByOption.get(option)?.words;

function createOption(name: string, setting: OptionSpec): Option {
  const { about, short, value, preset, required = false, conflicts = [] } = setting;
  const long = formatOptionName(name);
  const flags = [short === undefined ? long : `-${short}, ${long}`, ...(value === undefined ? [] : [value])].join(' ');
  const option = new Option(flags, about).makeOptionMandatory(required).conflicts([...conflicts]);
  if (value !== undefined) option.argParser((text, before: unknown) => setting.read(text, long, before));
  if ('default' in setting) option.default(setting.default, setting.shown);
  settingsByOption.set(option, setting);
  return preset === undefined ? option : option.preset(preset);
}

/** Rejects a second value of a single-value option, because the first would be ignored silently. */
function rejectRepeats(command: Command, option: Option): void {
  if (option.isBoolean() || option.variadic || settingsByOption.get(option)?.repeatable === true) return;
  let given = false;
  command.on(`option:${option.name()}`, () => {
    if (given) throw new InputError(option.long ?? option.flags, 'one value', 'two');
    given = true;
  });
}

/** Adds options to a command. */
export function addOptions(command: Command, settings: OptionSpecs): void {
  for (const [name, setting] of Object.entries(settings)) {
    const option = createOption(name, setting);
    command.addOption(option);
    rejectRepeats(command, option);
  }
}

/**
 * Renames library options in the place of an error to command-line options: `--vary`, not `vary`. Other errors and
 * places in files are unchanged.
 */
function renameErrorOption(error: unknown, command: Command, names: Readonly<Record<string, string>>): unknown {
  if (!(error instanceof InputError)) return error;
  const includesName = (text: string, word: string): string => {
    const option = command.options.find((each) => each.attributeName() === (names[word] ?? word));
    return option?.long ?? text;
  };
  return mapInputErrors(error, (each) => {
    const place = each.file === undefined ? each.place.replace(/^(\w+)/, includesName) : each.place;
    return place === each.place ? each : new InputError(place, each.expected, each.found, each);
  });
}

/** Adds a declared command to the program. */
export function declareCommand(
  command: Command,
  { description, parameters = [], settings, notes, libraryNames = {}, action }: CommandDeclaration,
): void {
  command.description(description).action(async (...given: unknown[]) => {
    try {
      await (action as (...given: unknown[]) => unknown)(...given);
    } catch (error) {
      throw renameErrorOption(error, command, libraryNames);
    }
  });
  for (const [a, about] of parameters.entries()) {
    const argument = command.registeredArguments[a];
    if (argument === undefined) continue;
    if (typeof about === 'string') argument.description = about;
    else about(argument);
  }
  addOptions(command, settings);
  for (const text of notes) command.addHelpText('after', text);
}
