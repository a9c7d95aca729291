/** Style of HTML reports: light or dark as the system prefers, light on paper, for widths of 360 px and more. */
import { DARK_COLORS, NEUTRAL_COLORS, SIDE_COLORS } from '../figures/theme.ts';
import { TABLE_SCRIPT, TOOLTIP_SCRIPT } from './scripts.ts';

/** Colors by name. The contrast of texts is at least 4.5:1 (WCAG 2.2, 1.4.3). */
const LIGHT_COLORS = `--page: #fff; --ink: #1a1a1a; --soft: #5f6368; --line: #b4b9bf; --faint: #d9dce0; --stripe: #5f63680e; --shade: #00000038;
  --link: #0059a0; --alarm: #d55e00; --alarmed: #fdf3ec; --found: #f3f7fb; --field: #fff;`;
const DARK_COLORS_CSS = `--page: #16181b; --ink: #e8eaed; --soft: #a8adb3; --line: #6b7178; --faint: #363a40; --stripe: #a8adb314; --shade: #000000b0;
  --link: #8ab8f0; --alarm: #ff9d5c; --alarmed: #2f231a; --found: #1b2430; --field: #101214;`;

/** Creates the classes of the color marks of sides. */
const TONE_COLORS: readonly (readonly [name: string, colour: string])[] = [
  ...SIDE_COLORS.map((colour, tone) => [`side${String(tone)}`, colour] as const),
  ['nobody', NEUTRAL_COLORS[0] ?? ''],
];

const createToneRules = (colour: (light: string) => string): string =>
  TONE_COLORS.map(([name, light]) => `.${name} { --tone: ${colour(light)}; }`).join('\n  ');

/** Colors of figures in dark mode. Tiles and their texts keep their colors, which represent values. */
const DARK_FIGURE_RULES = [
  'figure svg > rect[fill="white"] { fill: var(--page); }',
  'figure svg [stroke="white"] { stroke: var(--page); }',
  ...Object.entries(DARK_COLORS).flatMap(([light, dark]) => [
    `figure svg [fill="${light}"] { fill: ${dark}; }`,
    `figure svg [stroke="${light}"] { stroke: ${dark}; }`,
  ]),
].join('\n  ');

export const STYLE = `
:root { color-scheme: light dark; ${LIGHT_COLORS} }
${createToneRules((light) => light)}
@media screen and (prefers-color-scheme: dark) {
  :root { ${DARK_COLORS_CSS} }
  ${createToneRules((light) => DARK_COLORS[light] ?? light)}
  ${DARK_FIGURE_RULES}
}
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 24px clamp(14px, 2.5vw, 28px) 64px; max-width: 1410px; background: var(--page);
  color: var(--ink); font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif;
  overflow-wrap: break-word; }
h1 { font-size: 26px; line-height: 1.2; margin: 0 0 4px; }
h2 { font-size: 19px; margin: 40px 0 10px; padding-top: 14px; border-top: 1px solid var(--faint); }
h3 { font-size: 16px; margin: 26px 0 8px; }
p { margin: 8px 0; max-width: 90ch; }
.lead, figcaption, .note { color: var(--soft); }
.lead { max-width: none; }
.note { font-size: 13px; }
.open { border-left: 4px solid var(--alarm); background: var(--alarmed); padding: 8px 12px; }
nav { margin: 14px 0 0; font-size: 14px; display: flex; flex-wrap: wrap; gap: 2px 16px; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 1px; }
.answers { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 340px), 1fr)); gap: 16px; margin: 18px 0; }
.answers > section { background: var(--found); border-radius: 6px; padding: 12px 16px; min-width: 0; }
.answers h2 { font-size: 17px; margin: 0 0 6px; padding: 0; border: 0; }
.answers ul { margin: 0; padding: 0 0 0 18px; }
.answers li { margin: 6px 0; }
.beside { display: flex; flex-wrap: wrap; gap: 0 48px; align-items: flex-start; }
.beside > * { min-width: 0; max-width: 100%; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { padding: 3px 14px 3px 0; text-align: left; vertical-align: top; white-space: nowrap; }
td.w, th.w { white-space: normal; overflow-wrap: normal; min-width: 10em; max-width: 34em; }
th { font-weight: 600; vertical-align: bottom; }
thead th { border-bottom: 1px solid var(--line); }
tbody tr:nth-child(even) { background: var(--stripe); }
.n { text-align: right; }
.tone { display: inline-block; margin-right: 6px; border: 5px solid var(--tone); border-radius: 2px;
  vertical-align: -0.5px; forced-color-adjust: none; }
.tone.none { --tone: transparent; }
.scroll { overflow-x: auto; margin: 8px 0; background:
  linear-gradient(90deg, var(--page) 40%, transparent) 0 / 36px 100% no-repeat local,
  linear-gradient(-90deg, var(--page) 40%, transparent) 100% / 36px 100% no-repeat local,
  linear-gradient(90deg, var(--shade), transparent) 0 / 12px 100% no-repeat,
  linear-gradient(-90deg, var(--shade), transparent) 100% / 12px 100% no-repeat; }
.scroll.long { overflow: auto; max-height: 560px; }
.scroll.long thead { position: sticky; top: 0; z-index: 1; background: var(--page); }
.facts th { font-weight: 400; color: var(--soft); white-space: nowrap; vertical-align: top; }
.facts td { white-space: normal; overflow-wrap: anywhere; }
.facts tbody tr:nth-child(even) { background: none; }
th button { font: inherit; color: inherit; background: none; border: 0; margin: 0; padding: 0; cursor: pointer;
  text-align: inherit; }
th button::after { content: "↕"; color: var(--soft); font-weight: 400; padding-left: 3px; }
th[aria-sort=ascending] button::after { content: "▲"; color: var(--ink); }
th[aria-sort=descending] button::after { content: "▼"; color: var(--ink); }
.sieve th { border: 0; font-weight: 400; padding-bottom: 4px; }
.sieve input { font: inherit; width: 100%; min-width: 6em; padding: 1px 4px; color: inherit; background: var(--field);
  border: 1px solid var(--line); border-radius: 3px; }
.sieve input::placeholder { color: var(--soft); opacity: 1; }
.more { font: inherit; font-size: 13px; padding: 3px 10px; color: var(--ink); background: var(--stripe);
  border: 1px solid var(--line); border-radius: 3px; cursor: pointer; }
code { font: 13px/1.4 ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
.pictures { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 350px), 1fr)); gap: 20px 28px;
  align-items: start; grid-auto-flow: dense; }
.pictures.fit { grid-template-columns: repeat(auto-fit, minmax(min(100%, 350px), 1fr)); }
.stack { display: grid; gap: 20px; }
figure { margin: 0; min-width: 0; max-width: 480px; }
figure.wide { max-width: none; grid-column: 1 / -1; }
figure.row { margin-bottom: 20px; }
@media (min-width: 820px) { figure.wide:not(.row) { grid-column: span 2; } }
figure .drawing { overflow-x: auto; border: 1px solid var(--faint); }
figure svg { display: block; width: 100%; height: auto; }
figure.wide svg { min-width: 600px; }
figcaption { font-size: 12.5px; line-height: 1.4; margin-top: 5px; }
figure svg path:not(:has(> title), [data-tooltip]) { pointer-events: none; }
[data-tooltip]:hover { stroke: #1a1a1a; stroke-width: 1.2; }
#tooltip { position: fixed; z-index: 2; pointer-events: none; background: #1a1a1a; color: #fff; padding: 5px 9px;
  font-size: 12.5px; line-height: 1.4; white-space: pre-line; max-width: min(340px, 90vw); border-radius: 3px;
  border: 1px solid #6b7178; }
@media print {
  body { padding: 0; max-width: none; font-size: 10pt; }
  nav, #tooltip, .sieve, .more, th button::after { display: none; }
  h2, h3 { break-after: avoid; }
  figure, tr, .answers > section { break-inside: avoid; }
  .scroll, .scroll.long, figure .drawing { overflow: visible; max-height: none; }
  .scroll.long thead { position: static; }
  .pictures, .stack { display: flex; flex-wrap: wrap; }
  figure { width: 85mm; }
  figure.wide { width: 170mm; }
  figure.wide svg { min-width: 0; }
}
`;

/** Script of HTML reports: labels of marks, sorting and filtering of tables. */
export const SCRIPT = `${TOOLTIP_SCRIPT}${TABLE_SCRIPT}`;
