/** Converts Jupyter notebooks to Markdown: their cells, and outputs as texts and figures. */
import { posix } from 'node:path';
import { fenced } from './markdown.js';

/**
 * @typedef {string | readonly string[]} Lines
 * @typedef {object} Output
 * @property {Lines} [text] of a stream
 * @property {Record<string, Lines>} [data] by media type
 *
 * @typedef {object} Cell
 * @property {'code' | 'markdown' | 'raw'} cell_type
 * @property {Lines} source
 * @property {readonly Output[]} [outputs]
 */

/** @param {Lines} lines */
const join = (lines) => [lines].flat().join('');

/**
 * Renders a notebook. The alternative text of a figure is the heading above it.
 * @param {string} file path of the notebook @param {string} content its JSON
 * @returns {{ markdown: string, figures: Map<string, string> }} figures in SVG by path
 */
export function renderNotebook(file, content) {
  /** @type {{ cells: readonly Cell[] }} */
  const { cells } = JSON.parse(content);
  const name = posix.basename(file, '.ipynb');
  /** @type {Map<string, string>} */
  const figures = new Map();
  let heading = name;
  /** @param {Output} output */
  const renderOutput = ({ text, data = {} }) => {
    const { 'image/svg+xml': figure, 'text/plain': plain = '' } = data;
    if (figure === undefined) return fenced(join(text ?? plain), 'txt');
    const path = `${name}-${String(figures.size + 1)}.svg`;
    figures.set(posix.join(posix.dirname(file), path), join(figure));
    return `![${heading}](${path})\n`;
  };
  const parts = cells.flatMap(({ cell_type, source, outputs = [] }) => {
    const text = join(source);
    if (cell_type === 'code') return [fenced(text, 'python'), ...outputs.map(renderOutput)];
    heading = [...text.matchAll(/^#+ +(.+)$/gm)].at(-1)?.[1] ?? heading;
    return `${text}\n`;
  });
  return { markdown: parts.join('\n'), figures };
}
