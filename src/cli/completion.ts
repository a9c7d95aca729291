/** `warpool completion`: scripts by which shells complete commands, options and their words, made from the program. */
import type { Command, Option } from 'commander';
import { type Registry, SHIPPED } from '../rules/index.ts';
import { parseWord } from '../rules/setting.ts';
import { type DeclaredCommand, examples, wordsOf } from './command.ts';
import { type Known, wholeRegistry } from './registry.ts';
import { kindsOf } from './schema.ts';
import { print } from './terminal.ts';

/** Shells that commands can be completed in. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
type Shell = (typeof SHELLS)[number];

/** What is completed where a value stands: one of some words, a file, or nothing that could be known. */
type Values = readonly string[] | 'files' | 'nothing';

const FILES = /<(file|folder|path|scenario|sweep|expectations)(\.\.\.)?>/;

function valuesOf(option: Option): Values {
  const words = wordsOf(option);
  if (words !== undefined) return words;
  return FILES.test(option.flags) ? 'files' : 'nothing';
}

/** What stands at the place of arguments. */
function argumentsOf(command: Command, registry: Registry): Values {
  const [argument] = command.registeredArguments;
  if (argument === undefined) return 'nothing';
  switch (argument.name()) {
    case 'system':
      return registry.names;
    case 'kind':
      return kindsOf(registry).flatMap(({ names }) => names);
    case 'shell':
      return SHELLS;
    default:
      return 'files';
  }
}

/** A value that may be left out is not waited for. */
const takesValue = ({ required }: Option): boolean => required;

const flagsOf = ({ short, long }: Option): string[] => [short, long].filter((flag) => flag !== undefined);

const optionsOf = (command: Command): readonly Option[] => command.createHelp().visibleOptions(command);

/** How bash proposes values for the word that is written. */
function proposal(values: Values): string {
  if (values === 'nothing') return 'COMPREPLY=()';
  // Names of files may have blanks.
  if (values === 'files') return `local IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$word"))`;
  return `COMPREPLY=($(compgen -W '${values.join(' ')}' -- "$word"))`;
}

function bashCommand(command: Command, registry: Registry): string {
  const options = optionsOf(command);
  const flags = options.flatMap(flagsOf).join(' ');
  const cases = options
    .filter(takesValue)
    .map((option) => `        ${flagsOf(option).join('|')}) ${proposal(valuesOf(option))}; return ;;`);
  return [
    `    ${command.name()})`,
    '      case "$before" in',
    ...cases,
    '      esac',
    `      if [[ "$word" == -* ]]; then COMPREPLY=($(compgen -W '${flags}' -- "$word")); return; fi`,
    `      ${proposal(argumentsOf(command, registry))} ;;`,
  ].join('\n');
}

function bash({ commands }: Command, registry: Registry): string {
  const names = [...commands.map((command) => command.name()), 'help', '--help', '--version'].join(' ');
  return `# Completion of warpool for bash: eval "$(warpool completion bash)"
_warpool() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then COMPREPLY=($(compgen -W '${names}' -- "$word")); return; fi
  case "\${COMP_WORDS[1]}" in
${commands.map((command) => bashCommand(command, registry)).join('\n')}
    help) COMPREPLY=($(compgen -W '${names}' -- "$word")) ;;
  esac
}
complete -o filenames -F _warpool warpool
`;
}

/** zsh takes the functions of bash. */
function zsh(program: Command, registry: Registry): string {
  const script = bash(program, registry).replace(/^.*\n/, '');
  return `# Completion of warpool for zsh: eval "$(warpool completion zsh)"\nautoload -U +X bashcompinit && bashcompinit\n${script}`;
}

const fishQuoted = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function fishOption(command: Command, option: Option): string {
  const values = valuesOf(option);
  const value = !takesValue(option) ? '' : values === 'files' ? ' -r -F' : ' -x';
  const words = Array.isArray(values) ? ` -a ${fishQuoted(values.join(' '))}` : '';
  const short = option.short === undefined ? '' : ` -s ${option.short.slice(1)}`;
  const long = option.long === undefined ? '' : ` -l ${option.long.slice(2)}`;
  const when = `-n '__fish_seen_subcommand_from ${command.name()}'`;
  return `complete -c warpool ${when}${short}${long}${value}${words} -d ${fishQuoted(option.description)}`;
}

function fishCommand(command: Command, registry: Registry): string[] {
  const name = command.name();
  const values = argumentsOf(command, registry);
  const here = `complete -c warpool -n '__fish_seen_subcommand_from ${name}'`;
  const files = values === 'files' ? [`${here} -F`] : [];
  const words = Array.isArray(values) ? [`${here} -a ${fishQuoted(values.join(' '))}`] : [];
  return [
    `complete -c warpool -n __fish_use_subcommand -a ${name} -d ${fishQuoted(command.summary())}`,
    ...files,
    ...words,
    ...optionsOf(command).map((option) => fishOption(command, option)),
  ];
}

function fish({ commands }: Command, registry: Registry): string {
  const lines = ['# Completion of warpool for fish: warpool completion fish | source', 'complete -c warpool -f'];
  return `${[...lines, ...commands.flatMap((command) => fishCommand(command, registry))].join('\n')}\n`;
}

const SCRIPTS: Readonly<Record<Shell, (program: Command, registry: Registry) => string>> = { bash, zsh, fish };

/** The script of a shell. */
export const completionOf = (shell: Shell, program: Command, registry: Registry = SHIPPED): string =>
  SCRIPTS[shell](program, registry);

const COMPLETION_NOTES = `
For one shell: eval "$(warpool completion bash)", eval "$(warpool completion zsh)", or
warpool completion fish | source. For all: the same line in ~/.bashrc, ~/.zshrc or ~/.config/fish/config.fish.`;

export const command: DeclaredCommand = {
  description: 'Prints a script by which a shell completes commands, options, their words, and files.',
  takes: [
    (shell) =>
      Object.assign(shell, { description: SHELLS.join(', ') }).argParser((value: string) =>
        parseWord(value, SHELLS, 'shell'),
      ),
  ],
  asked: {},
  after: [COMPLETION_NOTES, examples('completion bash', 'completion fish > ~/.config/fish/completions/warpool.fish')],
  action: async (shell: Shell, options: Known, { parent }: Command) => {
    print(completionOf(shell, parent as Command, await wholeRegistry(options)));
  },
  whole: true,
};
