/** The style of the page, and its script, which shows what a mark says where it is pointed at. */

export const STYLE = `
:root { color-scheme: light; }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 24px 28px 64px; max-width: 1410px; background: #fff; color: #1a1a1a;
  font: 15px/1.5 system-ui, "Segoe UI", Roboto, "Helvetica Neue", "DejaVu Sans", sans-serif; }
h1 { font-size: 26px; line-height: 1.2; margin: 0 0 4px; overflow-wrap: anywhere; }
h2 { font-size: 19px; margin: 40px 0 10px; padding-top: 14px; border-top: 1px solid #d9dce0; }
h3 { font-size: 16px; margin: 26px 0 8px; overflow-wrap: anywhere; }
p { margin: 8px 0; max-width: 75ch; }
.lead, figcaption, .note { color: #5f6368; }
.note { font-size: 13px; }
.open { border-left: 4px solid #d55e00; background: #fdf3ec; padding: 8px 12px; max-width: 75ch; }
nav { margin: 14px 0 0; font-size: 14px; }
nav a { margin-right: 16px; }
a { color: #0059a0; }
table { border-collapse: collapse; font-size: 13px; font-variant-numeric: tabular-nums; }
th, td { padding: 3px 12px 3px 0; text-align: left; vertical-align: top; white-space: nowrap; }
td:first-child { white-space: normal; overflow-wrap: anywhere; min-width: 9em; max-width: 34em; }
th { font-weight: 600; border-bottom: 1px solid #b4b9bf; }
tbody tr:nth-child(even) { background: #f6f7f8; }
.n { text-align: right; }
.scroll { overflow: auto; max-height: 560px; margin: 8px 0; }
.scroll thead th { position: sticky; top: 0; background: #fff; }
.facts th { border: 0; font-weight: 400; color: #5f6368; white-space: nowrap; }
.facts td { white-space: normal; overflow-wrap: anywhere; }
.facts tbody tr:nth-child(even) { background: none; }
code { font: 13px/1.4 ui-monospace, "DejaVu Sans Mono", monospace; overflow-wrap: anywhere; }
.pictures { display: flex; flex-wrap: wrap; gap: 20px 28px; align-items: flex-start; }
figure { margin: 0; width: min(100%, 430px); }
figure.wide { width: min(100%, 860px); }
figure svg { display: block; width: 100%; height: auto; border: 1px solid #e6e8ea; }
figcaption { font-size: 12.5px; line-height: 1.4; margin-top: 5px; }
[data-told]:hover { stroke: #1a1a1a; stroke-width: 1.2; }
#told { position: fixed; z-index: 1; pointer-events: none; background: #1a1a1a; color: #fff; padding: 5px 9px;
  font-size: 12.5px; line-height: 1.4; white-space: pre-line; max-width: 340px; border-radius: 3px; }
@media print {
  body { padding: 0; max-width: none; font-size: 10pt; }
  nav, #told { display: none; }
  h2, h3 { break-after: avoid; }
  figure, tr { break-inside: avoid; }
  .scroll { overflow: visible; max-height: none; }
  .scroll thead th { position: static; }
  figure { width: 85mm; }
  figure.wide { width: 170mm; }
}
`;

/** Without it browsers show the titles of the marks by themselves, after a while. */
export const SCRIPT = `
const box = document.createElement('div');
box.id = 'told';
box.hidden = true;
document.body.append(box);
for (const title of document.querySelectorAll('figure path > title')) {
  title.parentNode.dataset.told = title.textContent;
  title.remove();
}
const show = (event) => {
  const mark = event.target instanceof Element ? event.target.closest('[data-told]') : null;
  box.hidden = mark === null;
  if (mark === null) return;
  box.textContent = mark.dataset.told;
  const { width, height } = box.getBoundingClientRect();
  box.style.left = Math.max(0, Math.min(event.clientX + 14, innerWidth - width - 6)) + 'px';
  box.style.top = (event.clientY + 18 + height > innerHeight ? event.clientY - height - 10 : event.clientY + 18) + 'px';
};
document.addEventListener('pointermove', show);
document.addEventListener('pointerdown', show);
document.addEventListener('scroll', () => { box.hidden = true; }, { passive: true, capture: true });
`;
