/**
 * Writes functions of the library for Python. Names and subjects are those of src/rpc/functions.ts; options, their types
 * and their documentation are read from the declarations in dist/types.
 */
import ts from 'typescript';

/** @typedef {import('../src/rpc/call.ts').FunctionDeclaration} FunctionDeclaration */
/**
 * @typedef {object} PythonOption
 * @property {string} name name in Python
 * @property {string} type
 * @property {boolean} required
 * @property {string} doc
 */

const ENTRIES = ['dist/types/index.d.ts', 'dist/types/environments.d.ts'];

/** Options that Python replaces by the argument `progress`, Ctrl-C and the argument `systems`, or does not have. */
const REPLACED = ['signal', 'onProgress', 'systems', 'pool', 'onResult', 'optimizer'];

/** Options that are paths. */
const PATHS = ['out'];

/** Sentences about JavaScript. */
const FOREIGN = /\bsignals?\b|calling thread|worker thread|`load|`Promise|event loop|`validate/;

/** Names of types of options. */
const OPTIONS = /(Options|Changes)$/;

const COLUMNS = 100;

/** Types and descriptions of subjects. @type {Record<string, readonly [type: string, about: string]>} */
const SUBJECTS = {
  scenario: [
    'ScenarioLike',
    'name of a shipped scenario, path of a YAML or JSON file, its fields, or from `load_scenario`',
  ],
  scenarios: ['Sequence[ScenarioLike]', 'several scenarios of one system'],
  changed: ['ScenarioLike', 'the scenario with other rules or fields'],
  observations: [
    'str | PathLike[str] | Sequence[Mapping[str, Any]]',
    'path of a CSV file of observed battles, or a list: `[{"outcome": "attacker", "metrics": {"rounds": 9}, "count": 3}]`',
  ],
  sweep: ['str | PathLike[str] | Mapping[str, Any]', 'path of a sweep file, or its fields'],
  roster: ['str | PathLike[str] | Mapping[str, Any]', 'path of a roster file, or its fields'],
  problem: ['str | PathLike[str] | Mapping[str, Any]', 'path of a balance problem, or its fields'],
  expectations: ['str | PathLike[str] | Sequence[str | PathLike[str]]', 'paths of expectation files'],
  folder: ['str | PathLike[str]', 'folder of the store'],
  folders: ['Sequence[str | PathLike[str]]', 'folders of other shards'],
  files: [
    'ScenarioLike | Sequence[ScenarioLike]',
    'scenarios by name, path or fields; paths or fields of sweeps, rosters and other files',
  ],
};

/** Subjects that can be omitted. */
const OPTIONAL_SUBJECTS = ['folders'];

/** Functions with an argument `executor`, which shares their work. */
const SHARED = ['sweep'];

const SHARED_ARGUMENTS = [
  ['executor', 'executor of `concurrent.futures`, or a function that creates one; its workers compute shards'],
  ['shards', 'number of shards for the executor; default: four for each worker'],
];

/** @param {string} name */
export const toSnakeCase = (name) => name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Keywords of Python among names of the library; PEP 8 appends an underscore. */
const KEYWORDS = ['from', 'class', 'is', 'in', 'not', 'and', 'or', 'if', 'with', 'lambda', 'pass', 'global', 'None'];

/** Name of an option or an attribute. @param {string} name */
export const toPythonName = (name) => (KEYWORDS.includes(name) ? `${name}_` : toSnakeCase(name));

/** @param {string} name */
const toCamelCase = (name) => name.replace(/_$/, '').replaceAll(/_(\w)/g, (_, letter) => letter.toUpperCase());

/** @param {string} name */
export const toPascalCase = (name) => name.replaceAll(/(?:^|[-_])([a-z0-9])/g, (_, letter) => letter.toUpperCase());

/** Class of the results of an output. @param {string} name of the function @param {string} output */
export const getResultClass = (name, output) => `${toPascalCase(output.endsWith('-shard') ? output : name)}Result`;

/** Wraps a text. @param {string} text @param {string} first indentation @param {string} rest */
export function wrap(text, first, rest = first) {
  /** @type {string[]} */
  const lines = [];
  let line = first;
  for (const word of text.split(/\s+/)) {
    const next = line.trim() === '' ? `${line}${word}` : `${line} ${word}`;
    if (next.length > COLUMNS && line.trim() !== '') {
      lines.push(line);
      line = `${rest}${word}`;
    } else line = next;
  }
  return [...lines, line].join('\n');
}

/** Program with the declarations of the library. */
function createProgram() {
  const { config } = ts.readConfigFile('tsconfig.json', (file) => ts.sys.readFile(file));
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, '.');
  return ts.createProgram(ENTRIES, { ...options, noEmit: true });
}

/** Python type of the values of an option. @param {ts.TypeChecker} checker @param {ts.Type} type @returns {string} */
function toPythonType(checker, type) {
  /** @type {Set<string>} */
  const kinds = new Set();
  /** @type {string[]} */
  const words = [];
  for (const each of type.isUnion() ? type.types : [type]) {
    if (each.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)) continue;
    if (each.isStringLiteral()) words.push(JSON.stringify(each.value));
    else if (each.flags & ts.TypeFlags.StringLike) kinds.add('str');
    else if (each.flags & ts.TypeFlags.NumberLike) kinds.add('float');
    else if (each.flags & ts.TypeFlags.BigIntLike) kinds.add('int');
    else if (each.flags & ts.TypeFlags.BooleanLike) kinds.add('bool');
    else if (checker.isArrayLikeType(each)) {
      const [member] = checker.getTypeArguments(/** @type {ts.TypeReference} */ (each));
      kinds.add(`Sequence[${member === undefined ? 'Any' : toPythonType(checker, member)}]`);
    } else if (each.getCallSignatures().length === 0) kinds.add('Mapping[str, Any]');
  }
  if (kinds.has('float')) kinds.delete('int');
  if (words.length > 0 && !kinds.has('str')) kinds.add(`Literal[${words.join(', ')}]`);
  return [...kinds].join(' | ') || 'Any';
}

/**
 * Options of a function of the library, of all its overloads for a subject.
 * @param {ts.TypeChecker} checker @param {ts.Symbol} symbol @param {string} [subject]
 */
function readOptions(checker, symbol, subject = '') {
  const all = checker.getTypeOfSymbol(symbol).getCallSignatures();
  const own = all.filter(({ parameters: [first] }) => first?.name === subject);
  const signatures = own.length > 0 ? own : all;
  const taken = signatures.flatMap(({ parameters }) =>
    parameters
      .map((each) => checker.getNonNullableType(checker.getTypeOfSymbol(each)))
      .filter((type) => OPTIONS.test((type.aliasSymbol ?? type.getSymbol())?.name ?? '')),
  );
  /** @type {Map<string, PythonOption>} */
  const options = new Map();
  for (const type of taken)
    for (const property of checker.getPropertiesOfType(type)) {
      if (REPLACED.includes(property.name)) continue;
      const name = toPythonName(property.name);
      const path = PATHS.includes(property.name);
      const kind = path ? 'str | PathLike[str]' : toPythonType(checker, checker.getTypeOfSymbol(property));
      const text = ts.displayPartsToString(property.getDocumentationComment(checker));
      const known = options.get(name);
      const required = !(property.flags & ts.SymbolFlags.Optional) && (known?.required ?? true);
      options.set(name, { name, type: known?.type ?? kind, required, doc: known?.doc || text });
    }
  for (const option of options.values())
    option.required &&= taken.every((type) =>
      type.getProperties().some(({ name }) => toPythonName(name) === option.name),
    );
  return [...options.values()];
}

/**
 * Comments of options in their specifications: types of options that spread a specification do not have them.
 * @param {ts.Program} program
 */
function readSpecComments(program) {
  const checker = program.getTypeChecker();
  /** @type {Map<string, string>} */
  const comments = new Map();
  for (const file of program.getSourceFiles().filter(({ fileName }) => fileName.includes('dist/types/')))
    for (const statement of file.statements.filter(ts.isVariableStatement))
      for (const { type } of statement.declarationList.declarations)
        for (const member of type !== undefined && ts.isTypeLiteralNode(type) ? type.members : []) {
          const symbol = member.name && checker.getSymbolAtLocation(member.name);
          const text = ts.displayPartsToString(symbol?.getDocumentationComment(checker));
          if (symbol !== undefined && text !== '' && !comments.has(symbol.name)) comments.set(symbol.name, text);
        }
  return comments;
}

/** Joins options of several functions; those of only some of them are optional. @param {PythonOption[][]} lists */
function joinOptions(lists) {
  /** @type {Map<string, PythonOption>} */
  const all = new Map();
  for (const options of lists)
    for (const option of options) {
      const required = lists.every((list) => list.some(({ name, required: due }) => name === option.name && due));
      all.set(option.name, { ...(all.get(option.name) ?? option), required });
    }
  return [...all.values()].sort((one, two) => Number(two.required) - Number(one.required));
}

/** `Compute the ...` for `Computes the ...`. @param {string} text */
const toImperative = (text) => text.replace(/^(\w+?)(?<=ch|sh|ss|x)es\b|^(\w+?)s\b/, (_, one, two) => one ?? two);

/** Quotes names of options as Python writes them. @param {string} text @param {readonly PythonOption[]} options */
const renameOptions = (text, options) =>
  text.replaceAll(/`(\w+)`/g, (whole, name) =>
    options.some((option) => option.name === toPythonName(name)) ? `\`${toPythonName(name)}\`` : whole,
  );

/** Comments of a function: its description, and its errors by class. @param {ts.TypeChecker} checker @param {ts.Symbol} symbol */
function readComments(checker, symbol) {
  const signature = checker.getTypeOfSymbol(symbol).getCallSignatures()[0];
  const about = ts.displayPartsToString(signature?.getDocumentationComment(checker) ?? []);
  const raised = (signature?.getJsDocTags() ?? [])
    .filter(({ name }) => name === 'throws')
    .map(({ text }) => ts.displayPartsToString(text).replaceAll(/\s+/g, ' '));
  return { about, raised };
}

/** `InputError: if ...` @param {readonly string[]} raised */
const formatRaised = (raised) =>
  raised
    .filter((text) => !text.startsWith('AbortError'))
    .map((given) => {
      const text = given.replaceAll('the signal', 'an interrupt');
      const [, names = '', why = ''] = /^((?:\w+(?:, | and )?)+) (.*)$/.exec(text) ?? [];
      return /^\w*Error/.test(names) ? `${names}: ${why}` : text;
    });

/**
 * @param {readonly PythonOption[]} options
 * @param {{ about: string, raised: readonly string[] }} comments
 * @param {readonly string[]} subjects
 * @param {string} progress
 * @param {readonly string[][]} shared arguments of functions that share their work
 */
function createDocstring(options, { about, raised }, subjects, progress, shared) {
  const [summary = '', ...details] = toImperative(renameOptions(about, options))
    .replaceAll(/\s+/g, ' ')
    .split(/(?<=\.) (?=[A-Z])/)
    .filter((sentence) => !FOREIGN.test(sentence));
  const args = [
    ...subjects.map((name) => [name, SUBJECTS[name]?.[1] ?? '']),
    ...options.map(({ name, doc }) => [name, renameOptions(doc, options)]),
    ...shared,
    ['systems', 'paths of modules, or names of packages, with custom systems'],
    ['progress', progress],
  ];
  const list = args.map(([name, text]) =>
    wrap(`${name}: ${text === '' ? 'see the library' : text}`, '        ', '            '),
  );
  const errors = [...formatRaised(raised), 'NodeError: if Node.js is missing, or ended during the call'];
  return [
    wrap(`"""${summary}`, '    '),
    ...(details.length > 0 ? ['', wrap(details.join(' '), '    ')] : []),
    ...['', '    Args:', ...list, '', '    Raises:', ...errors.map((text) => wrap(text, '        ', '            '))],
    '    """',
  ].join('\n');
}

/** @param {string} name @param {readonly string[]} parameters @param {string} result */
const createSignature = (name, parameters, result) =>
  `def ${name}(\n${parameters.map((each) => `    ${each},\n`).join('')}) -> ${result}:`;

/** @param {string} name @param {FunctionDeclaration} declared @param {PythonOption[]} options @param {string} doc */
function createFunction(name, { subjects, output, variants = {} }, options, doc) {
  const shared = SHARED.includes(name);
  const positional = subjects.map((subject) =>
    OPTIONAL_SUBJECTS.includes(subject)
      ? `${subject}: ${SUBJECTS[subject]?.[0] ?? ''} = ()`
      : `${subject}: ${SUBJECTS[subject]?.[0] ?? ''}`,
  );
  const common = [
    ...(shared ? ['executor: ExecutorLike | None = None', 'shards: int | None = None'] : []),
    'systems: Sequence[str | PathLike[str]] | None = None',
    'progress: ProgressLike = None',
  ];
  /** @param {string} [only] option that selects the variant */
  const createParameters = (only) => [
    ...positional,
    '*',
    ...options
      .map((each) => (each.name === only ? { ...each, required: true } : each))
      .sort((one, two) => Number(two.required) - Number(one.required))
      .map((each) => `${each.name}: ${each.type}${each.required ? '' : ' | None = None'}`),
    ...common,
  ];
  const main = getResultClass(name, output);
  const others = Object.entries(variants);
  const result = [main, ...others.map(([, each]) => getResultClass(name, each))].join(' | ');
  const classes = [[output, main], ...others.map(([, each]) => [each, getResultClass(name, each)])];
  /** @param {string | undefined} [without] */
  const plain = (without) =>
    createParameters().map((each) => (each.startsWith(`${without}:`) ? `${without}: None = None` : each));
  const overloads = others.map(
    ([option, each]) =>
      `@overload\n${createSignature(name, plain(option), main)} ...\n\n\n@overload\n${createSignature(name, createParameters(option), getResultClass(name, each))} ...\n\n\n`,
  );
  const call = `call_function(
        "${name}",
        (${subjects.join(', ')},),
        options,
        results=results,
        systems=systems,
        progress=progress,
    )`;
  const kinds = classes.map(([key, each]) => `"${key}": ${each}`).join(', ');
  const given = options.map(({ name: option }) => `"${option}": ${option}`);
  const divided = shared
    ? `    if executor is not None or shards is not None:\n        return share_sweep(\n            sweep, options, executor, shards=shards, systems=systems, progress=progress\n        )\n`
    : '';
  const body = [
    `    options: dict[str, Any] = {${given.join(', ')}}\n${divided}`,
    `    results: Mapping[str, type[${result}]] = {${kinds}}\n    return ${call}\n`,
  ].join('');
  return `${overloads.join('')}${createSignature(name, createParameters(), result)}\n${doc}\n${body}`;
}

/** @param {Readonly<Record<string, FunctionDeclaration>>} functions */
function listImports(functions) {
  const classes = Object.entries(functions).flatMap(([name, { output, variants = {} }]) =>
    [output, ...Object.values(variants)].map((each) => getResultClass(name, each)),
  );
  return `from warpool.ready.results import (\n${[...new Set(classes)]
    .sort()
    .map((each) => `    ${each},\n`)
    .join('')})`;
}

/** Writes the module of functions. @param {Readonly<Record<string, FunctionDeclaration>>} functions */
export function createFunctions(functions) {
  const program = createProgram();
  const checker = program.getTypeChecker();
  const exported = new Map(
    ENTRIES.flatMap((entry) => {
      const file = program.getSourceFile(entry);
      const module = file && checker.getSymbolAtLocation(file);
      return module === undefined ? [] : checker.getExportsOfModule(module);
    }).map((symbol) => [symbol.name, symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol]),
  );
  /** @param {string} name */
  const find = (name) => {
    const symbol = exported.get(name);
    if (symbol === undefined) throw new Error(`the library has no function ${name}`);
    return symbol;
  };
  const comments = readSpecComments(program);
  const written = Object.entries(functions).map(([name, declared]) => {
    const { library, also = [] } = declared;
    const names = typeof library === 'string' ? [library] : Object.values(library ?? {});
    /** @param {PythonOption} option @returns {PythonOption} */
    const complete = (option) => ({ ...option, doc: option.doc || (comments.get(toCamelCase(option.name)) ?? '') });
    const methods = typeof library === 'object' ? Object.keys(library) : [];
    const choice = methods.map((method) => JSON.stringify(method)).join(', ');
    const method = {
      ...{ name: 'method', type: `Literal[${choice}]`, required: false },
      doc: `method of analysis; default ${methods[0] ?? ''}`,
    };
    const options = joinOptions(names.map((each) => readOptions(checker, find(each), declared.subjects[0])));
    const extra = also.flatMap((each) => readOptions(checker, find(each)));
    const all = [...options, ...extra, ...(methods.length > 0 ? [method] : [])].map(complete);
    const progress = 'True for a bar of tqdm, False for none, or a function that receives the state as a dict';
    const [first] = names;
    const described = first === undefined ? { about: '', raised: [] } : readComments(checker, find(first));
    if (declared.about !== undefined) described.about = declared.about;
    const doc = createDocstring(
      all,
      described,
      declared.subjects,
      progress,
      SHARED.includes(name) ? SHARED_ARGUMENTS : [],
    );
    return createFunction(name, declared, all, doc);
  });
  const names = Object.keys(functions);
  return `"""Functions of the library, written by scripts/build-python.js from its declarations."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from typing import Any, Literal, overload

from warpool.client import call_function
from warpool.executors import ExecutorLike, share_sweep
from warpool.loaded_scenario import ScenarioLike
from warpool.progress import ProgressLike
${listImports(functions)}

__all__ = [
${[...names]
  .sort()
  .map((name) => `    "${name}",\n`)
  .join('')}]


${written.join('\n\n')}`;
}
