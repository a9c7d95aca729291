/** What all pages of single results share. */
import { stringify } from 'yaml';
import type { Scenario } from '../../../rules/system.ts';
import type { Picture } from '../../pictures/picture.ts';
import { figureOf } from '../figure.ts';
import { Markup, markup } from '../markup.ts';

/** What a page is about, as the command line knows it. */
export interface Subject {
  /** The version of the package. */
  readonly version: string;
  /** What the scenario, or all of them together, are called. */
  readonly name: string;
  /** The command that gives the same result again. */
  readonly command: string;
}

/** Names and what they stand for. */
export type Facts = readonly (readonly [name: string, text: string | Markup])[];

export function factsOf(facts: Facts): Markup {
  const rows = facts.map(([name, text]) => markup`<tr><th scope="row">${name}</th><td>${text}</td></tr>`);
  return markup`<table class="facts"><tbody>${rows}</tbody></table>`;
}

export function paragraphs(texts: readonly string[], kind = ''): Markup {
  const of = kind === '' ? markup`` : markup` class="${kind}"`;
  return markup`${texts.map((text) => markup`<p${of}>${text}</p>`)}`;
}

/** A command to copy. */
export function commandOf(command: string): Markup {
  return markup`<pre class="command">${command}</pre>`;
}

/** A scenario to unfold, complete with all defaults; as a file it gives the same battles. */
export function scenarioOf(scenario: Scenario, title = 'The scenario, complete with all defaults'): Markup {
  return markup`<details><summary>${title}</summary><pre>${linesOf(stringify(scenario))}</pre></details>`;
}

/** A text whose lines are kept. */
function linesOf(text: string): Markup {
  const lines = text
    .trimEnd()
    .split('\n')
    .map((line) => markup`${line}`);
  return new Markup(lines.map((line) => line.text).join('\n'));
}

/** @param footer small print beneath each */
export async function picturesOf(pictures: readonly Picture[], footer: string): Promise<Markup> {
  const figures: Markup[] = [];
  for (const [p, picture] of pictures.entries())
    figures.push(await figureOf(picture, footer, `${picture.kind}-${String(p + 1)}`));
  return figures.length === 0 ? markup`` : markup`<div class="pictures">${figures}</div>`;
}

/** The answer in large letters, what is beside it in normal ones. */
export function answerOf(answer: string, beside: readonly string[]): Markup {
  return markup`<p class="answer">${answer}</p>${paragraphs(beside)}`;
}

/** Two parts beside each other where there is room. */
export function beside(one: Markup, two: Markup): Markup {
  return markup`<div class="beside"><div>${one}</div><div>${two}</div></div>`;
}
