/** Writes classes of results for Python from the JSON Schemas of the output of commands. */
import { getResultClass, toPascalCase, toPythonName, toSnakeCase, wrap } from './python-functions.js';

/** @typedef {import('../src/rpc/call.ts').FunctionDeclaration} FunctionDeclaration */
/**
 * @typedef {object} Schema A JSON Schema, as far as outputs use it.
 * @property {string | string[]} [type]
 * @property {string} [description]
 * @property {string} [const]
 * @property {string[]} [enum]
 * @property {string} [$ref]
 * @property {Record<string, Schema>} [properties]
 * @property {string[]} [required]
 * @property {Schema | false} [additionalProperties]
 * @property {Schema | false} [items]
 * @property {Schema[]} [prefixItems]
 * @property {Schema[]} [anyOf]
 * @property {Schema[]} [oneOf]
 * @property {Record<string, Schema>} [$defs]
 */

const SCALARS = /** @type {Record<string, string>} */ ({
  ...{ string: 'str', number: 'float', integer: 'int', boolean: 'bool', null: 'None' },
});

const isIdentifier = (/** @type {string} */ name) => /^[A-Za-z_]\w*$/.test(name);

/** Merges alternatives of an object: their properties are optional. @param {readonly Schema[]} schemas @returns {Schema} */
const mergeAlternatives = (schemas) => ({
  type: 'object',
  properties: Object.assign({}, ...schemas.map(({ properties }) => properties)),
  required: (schemas[0]?.required ?? []).filter((key) => schemas.every(({ required }) => required?.includes(key))),
});

/** Writes the classes of one output. */
class ClassWriter {
  /** @param {Schema} root @param {string} base name of the class of the output */
  constructor(root, base) {
    this.root = root;
    this.base = base;
    this.prefix = base.replace(/Result$/, '');
    /** @type {Map<string, string>} */
    this.classes = new Map();
  }

  /** @param {Schema} schema @returns {Schema} */
  resolve(schema) {
    if (schema.$ref === undefined) return schema;
    const name = schema.$ref.replace('#/$defs/', '');
    const found = this.root.$defs?.[name];
    if (found === undefined) throw new Error(`no definition ${name}`);
    return { ...found, ...(schema.description && { description: schema.description }) };
  }

  /**
   * Python type, and the class of contained objects after brackets of the mappings and lists around it.
   * @param {Schema} given @param {string} name of a new class
   * @returns {{ type: string, record?: { depth: string, name: string } }}
   */
  typeOf(given, name) {
    const definition = given.$ref?.replace('#/$defs/', '');
    const free = definition === undefined ? name : `${this.prefix}${toPascalCase(toSnakeCase(definition))}`;
    const own = free === this.base ? `${free}Record` : free;
    const schema = this.resolve(given);
    const { anyOf, oneOf, type, prefixItems, items, additionalProperties, properties } = schema;
    if (anyOf !== undefined || oneOf !== undefined) return this.unionOf(anyOf ?? oneOf ?? [], own);
    if (schema.const !== undefined) return { type: `Literal[${JSON.stringify(schema.const)}]` };
    if (schema.enum !== undefined)
      return { type: `Literal[${schema.enum.map((each) => JSON.stringify(each)).join(', ')}]` };
    if (Array.isArray(type)) return { type: type.map((each) => SCALARS[each] ?? 'Any').join(' | ') };
    if (prefixItems !== undefined) return { type: `Sequence[${this.typeOf(prefixItems[0] ?? {}, own).type}]` };
    if (type === 'array') return this.nest('[', 'Sequence[', items || {}, own);
    if (properties !== undefined) {
      if (!Object.keys(properties).every(isIdentifier)) return { type: 'Mapping[str, float]' };
      this.writeClass(own, schema, 'Record');
      return { type: own, record: { depth: '', name: own } };
    }
    if (type === 'object') return this.nest('{', 'Mapping[str, ', additionalProperties || {}, own);
    return { type: SCALARS[type ?? ''] ?? 'Any' };
  }

  /** @param {string} bracket @param {string} outer @param {Schema} inner @param {string} name */
  nest(bracket, outer, inner, name) {
    const { type, record } = this.typeOf(inner, name);
    return { type: `${outer}${type}]`, ...(record && { record: { ...record, depth: bracket + record.depth } }) };
  }

  /** @param {readonly Schema[]} schemas @param {string} name */
  unionOf(schemas, name) {
    const others = schemas.filter(({ type }) => type !== 'null');
    const objects = others.filter((each) => this.resolve(each).properties !== undefined);
    if (objects.length === others.length && objects.length > 1)
      return this.typeOf(mergeAlternatives(objects.map((each) => this.resolve(each))), name);
    const found = others.map((each) => this.typeOf(each, name));
    const record = found.length === 1 ? found[0]?.record : undefined;
    const types = new Set([...found.map(({ type }) => type), ...(others.length < schemas.length ? ['None'] : [])]);
    return { type: [...types].join(' | '), ...(record && { record }) };
  }

  /**
   * @param {string} name @param {Schema} schema @param {string} parent
   * @param {Pick<FunctionDeclaration, 'table' | 'matrix'>} [shown] keys of the table
   */
  writeClass(name, schema, parent, { table = [], matrix } = {}) {
    if (this.classes.has(name)) return;
    // Before its fields, which may contain it.
    this.classes.set(name, '');
    const records = [];
    const groups = [];
    const fields = [];
    for (const [key, each] of Object.entries(schema.properties ?? {})) {
      const { type, record } = this.typeOf(each, `${name.replace(/Result$/, '')}${toPascalCase(toSnakeCase(key))}`);
      const { description = '', prefixItems, properties } = this.resolve(each);
      const required = schema.required?.includes(key) === true;
      fields.push(
        ...(description === '' ? [] : [wrap(description, '    #: ')]),
        `    ${toPythonName(key)}: ${type}${required || type.endsWith('None') ? '' : ' | None'}`,
      );
      if (record !== undefined) records.push(`"${key}": ("${record.depth}", ${record.name})`);
      if (prefixItems !== undefined || (properties !== undefined && record === undefined)) groups.push(`"${key}"`);
      else if (/^Mapping\[str, (float|int)\]/.test(type) && !/histogram/i.test(key)) groups.push(`"${key}"`);
      else if (/Sequence\[(float|int)\]( \| None)?$/.test(type) && each.anyOf !== undefined) groups.push(`"${key}"`);
    }
    if (records.length > 0) fields.push(`    _records: ClassVar[RecordTypes] = {${records.join(', ')}}`);
    if (groups.length > 0) fields.push(`    _groups: ClassVar[frozenset[str]] = frozenset({${groups.join(', ')}})`);
    for (const [key, keys] of Object.entries({ _table: table, _matrix: matrix ?? [] }))
      if (keys.length > 0)
        fields.push(`    ${key}: ClassVar[tuple[str, ...]] = (${keys.map((each) => `"${each}",`).join(' ')})`);
    const { description = `Values of ${name}.` } = schema;
    const about = parent === 'Result' ? `Result of ${description}` : description.split(/(?<=[.])\s/)[0];
    // Classes of fields come first.
    this.classes.delete(name);
    this.classes.set(name, `class ${name}(${parent}):\n    """${about}"""\n\n${fields.join('\n')}\n`);
  }
}

/**
 * Writes the module of results.
 * @param {Readonly<Record<string, FunctionDeclaration>>} functions @param {(output: string) => Schema} readSchema
 */
export function createResults(functions, readSchema) {
  /** @type {Map<string, string>} */
  const classes = new Map();
  for (const [name, declared] of Object.entries(functions)) {
    const { output, variants = {}, added = {} } = declared;
    const others = Object.entries(added).map(([key, description]) => [key, { type: 'object', description }]);
    for (const each of [output, ...Object.values(variants)]) {
      const base = getResultClass(name, each);
      const root = readSchema(each);
      const writer = new ClassWriter(root, base);
      const whole = root.oneOf === undefined ? root : mergeAlternatives(root.oneOf);
      writer.writeClass(
        base,
        { ...whole, properties: { ...whole.properties, ...Object.fromEntries(others) }, description: `\`${name}\`.` },
        name === 'sweep' ? 'StoreResult' : 'Result',
        each === output ? declared : {},
      );
      for (const [key, text] of writer.classes) classes.set(key, text);
    }
  }
  return `"""Classes of results, written by scripts/build-python.js from the JSON Schemas of dist/schemas."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

from warpool.answers import Record, RecordTypes, Result
from warpool.stores import StoreResult

${[...classes.values()].map((text) => `\n${text}`).join('\n')}`;
}
