/** `warpool completion`: completion scripts for shells, generated from the program. */
import type { Command, Option } from 'commander';
import { SHIPPED_REGISTRY, type SystemRegistry } from '../rules/index.ts';
import { parseWord } from '../rules/option-spec.ts';
import { type CommandDeclaration, formatExamples, listOptionWords } from './command.ts';
import { loadFullRegistry, type RegistryOptions } from './registry.ts';
import { listSchemaKinds } from './schema.ts';
import { print } from './terminal.ts';

/** Supported shells. */
export const SHELLS = ['bash', 'zsh', 'fish'] as const;
type ShellName = (typeof SHELLS)[number];

/** Completions of a value: words, files, or nothing. */
type CompletionValues = readonly string[] | 'files' | 'nothing';

const FILE_PATTERN = /<(file|folder|path|scenario|sweep|expectations)(\.\.\.)?>/;

function findOptionValues(option: Option): CompletionValues {
  const words = listOptionWords(option);
  if (words !== undefined) return words;
  return FILE_PATTERN.test(option.flags) ? 'files' : 'nothing';
}

/** Returns the completions of arguments. */
function findArgumentValues(command: Command, registry: SystemRegistry): CompletionValues {
  const [argument] = command.registeredArguments;
  if (argument === undefined) return 'nothing';
  switch (argument.name()) {
    case 'system':
      return registry.names;
    case 'kind':
      return listSchemaKinds(registry).flatMap(({ names }) => names);
    case 'shell':
      return SHELLS;
    default:
      return 'files';
  }
}

/** An optional value is not completed. */
const hasValue = ({ required }: Option): boolean => required;

const listFlags = ({ short, long }: Option): string[] => [short, long].filter((flag) => flag !== undefined);

const listOptions = (command: Command): readonly Option[] => command.createHelp().visibleOptions(command);

/** Formats the completions of the current word for bash. */
function formatBashValues(values: CompletionValues): string {
  if (values === 'nothing') return 'COMPREPLY=()';
  // File names may contain spaces.
  if (values === 'files') return `local IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$word"))`;
  return `COMPREPLY=($(compgen -W '${values.join(' ')}' -- "$word"))`;
}

function formatBashCommand(command: Command, registry: SystemRegistry): string {
  const options = listOptions(command);
  const flags = options.flatMap(listFlags).join(' ');
  const cases = options
    .filter(hasValue)
    .map(
      (option) => `        ${listFlags(option).join('|')}) ${formatBashValues(findOptionValues(option))}; return ;;`,
    );
  return [
    `    ${command.name()})`,
    '      case "$before" in',
    ...cases,
    '      esac',
    `      if [[ "$word" == -* ]]; then COMPREPLY=($(compgen -W '${flags}' -- "$word")); return; fi`,
    `      ${formatBashValues(findArgumentValues(command, registry))} ;;`,
  ].join('\n');
}

function createBashScript({ commands }: Command, registry: SystemRegistry): string {
  const names = [...commands.map((command) => command.name()), 'help', '--help', '--version'].join(' ');
  return `# Completion of warpool for bash: eval "$(warpool completion bash)"
_warpool() {
  local word="\${COMP_WORDS[COMP_CWORD]}" before="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then COMPREPLY=($(compgen -W '${names}' -- "$word")); return; fi
  case "\${COMP_WORDS[1]}" in
${commands.map((command) => formatBashCommand(command, registry)).join('\n')}
    help) COMPREPLY=($(compgen -W '${names}' -- "$word")) ;;
  esac
}
complete -o filenames -F _warpool warpool
`;
}

/** Creates a script for zsh, which uses the functions of bash. */
function createZshScript(program: Command, registry: SystemRegistry): string {
  const script = createBashScript(program, registry).replace(/^.*\n/, '');
  return `# Completion of warpool for zsh: eval "$(warpool completion zsh)"\nautoload -U +X bashcompinit && bashcompinit\n${script}`;
}

const quoteFishText = (text: string): string => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;

function formatFishOption(command: Command, option: Option): string {
  const values = findOptionValues(option);
  const value = !hasValue(option) ? '' : values === 'files' ? ' -r -F' : ' -x';
  const words = Array.isArray(values) ? ` -a ${quoteFishText(values.join(' '))}` : '';
  const short = option.short === undefined ? '' : ` -s ${option.short.slice(1)}`;
  const long = option.long === undefined ? '' : ` -l ${option.long.slice(2)}`;
  const when = `-n '__fish_seen_subcommand_from ${command.name()}'`;
  return `complete -c warpool ${when}${short}${long}${value}${words} -d ${quoteFishText(option.description)}`;
}

function formatFishCommand(command: Command, registry: SystemRegistry): string[] {
  const name = command.name();
  const values = findArgumentValues(command, registry);
  const here = `complete -c warpool -n '__fish_seen_subcommand_from ${name}'`;
  const files = values === 'files' ? [`${here} -F`] : [];
  const words = Array.isArray(values) ? [`${here} -a ${quoteFishText(values.join(' '))}`] : [];
  return [
    `complete -c warpool -n __fish_use_subcommand -a ${name} -d ${quoteFishText(command.summary())}`,
    ...files,
    ...words,
    ...listOptions(command).map((option) => formatFishOption(command, option)),
  ];
}

function createFishScript({ commands }: Command, registry: SystemRegistry): string {
  const lines = ['# Completion of warpool for fish: warpool completion fish | source', 'complete -c warpool -f'];
  return `${[...lines, ...commands.flatMap((command) => formatFishCommand(command, registry))].join('\n')}\n`;
}

const SCRIPTS: Readonly<Record<ShellName, (program: Command, registry: SystemRegistry) => string>> = {
  bash: createBashScript,
  zsh: createZshScript,
  fish: createFishScript,
};

/** The script of a shell. */
export const createCompletionScript = (
  shell: ShellName,
  program: Command,
  registry: SystemRegistry = SHIPPED_REGISTRY,
): string => SCRIPTS[shell](program, registry);

const COMPLETION_NOTES = `
For the current shell, run eval "$(warpool completion bash)", eval "$(warpool completion zsh)", or
warpool completion fish | source. For all shells, add the same line to ~/.bashrc, ~/.zshrc or ~/.config/fish/config.fish.`;

export const command: CommandDeclaration = {
  description: 'Prints a script with which a shell completes commands, options, values and files.',
  parameters: [
    (shell) =>
      Object.assign(shell, { description: SHELLS.join(', ') }).argParser((value: string) =>
        parseWord(value, SHELLS, 'shell'),
      ),
  ],
  settings: {},
  notes: [
    COMPLETION_NOTES,
    formatExamples('completion bash', 'completion fish > ~/.config/fish/completions/warpool.fish'),
  ],
  action: async (shell: ShellName, options: RegistryOptions, { parent }: Command) => {
    print(createCompletionScript(shell, parent as Command, await loadFullRegistry(options)));
  },
  readsAllCommands: true,
};
