/** Reads the values of the options of `report`; what they refuse is an InputError with the option as its place. */
import { Option } from 'commander';
import { parseCount } from '../core/chance/stream.ts';
import { InputError } from '../core/errors.ts';
import { withWords } from './options-words.ts';

export const out = (): Option =>
  new Option('--out <file>', 'the page (default: report.html, unless --figures or --text is given)');

export const figures = (): Option => new Option('--figures <folder>', 'write the pictures as files, too or alone');

const FORMATS = ['svg', 'png', 'json'];

export const format = (): Option =>
  withWords(
    new Option('--format <list>', 'of the pictures, joined by commas: svg, png (300 dpi), json (Vega-Lite)')
      .argParser((value: string) =>
        value.split(',').map((word) => {
          if (FORMATS.includes(word)) return word;
          throw new InputError('--format', `some of ${FORMATS.join(', ')}`, `"${word}"`);
        }),
      )
      .default(['svg', 'png'], 'svg,png'),
    FORMATS,
  );

export const axis = (name: 'x' | 'y'): Option =>
  new Option(
    `--${name} <axis>`,
    `the axis that goes ${name === 'x' ? 'across' : 'up'} (default: one with most values)`,
  );

/** Several `axis=value`; names may hold `=`, values may not. */
export const fix = (): Option =>
  new Option('--fix <axis=value...>', 'axes that stand still, with their values').argParser(
    (value: string, before: ReadonlyMap<string, string> | undefined) => {
      const at = value.lastIndexOf('=');
      if (at < 1) throw new InputError('--fix', 'axis=value', `"${value}"`);
      const axis = value.slice(0, at);
      if (before?.has(axis) === true) throw new InputError('--fix', 'each axis once', `"${axis}" again`);
      return new Map([...(before ?? []), [axis, value.slice(at + 1)]]);
    },
  );

export const shown = (): Option =>
  new Option('--of <name...>', 'outcomes and metrics with pictures (default: those that come, and telling ones)');

export const cell = (): Option =>
  new Option('--cell <n>', 'the cell whose laws are shown (default: a typical one)').argParser((value: string) =>
    parseCount(value, '--cell', 0, Number.MAX_SAFE_INTEGER),
  );
