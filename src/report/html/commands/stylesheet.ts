/** Additional styles of reports of single results. */
export const SINGLE_STYLE = `
.answer { font-size: 19px; line-height: 1.4; margin: 16px 0 6px; max-width: 80ch; }
pre { font: 12.5px/1.45 ui-monospace, "DejaVu Sans Mono", monospace; margin: 8px 0; padding: 8px 10px; overflow: auto;
  max-height: 480px; background: var(--stripe); border-radius: 4px; }
pre.command { white-space: pre-wrap; overflow-wrap: anywhere; }
summary { cursor: pointer; margin: 8px 0; }
.tales { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 340px), 1fr)); gap: 8px 28px; }
.tales > article { min-width: 0; }
.tale { font-size: 13.5px; line-height: 1.4; max-height: 520px; overflow: auto; padding: 4px 12px 10px;
  border: 1px solid var(--faint); border-radius: 4px; }
.tale h4 { font-size: 13.5px; margin: 12px 0 4px; position: sticky; top: -4px; background: var(--page); }
.tale p { margin: 3px 0; padding-left: 28px; text-indent: -28px; }
.tale p.deep { padding-left: 44px; }
.tale i { color: var(--soft); font-style: normal; }
@media print { .tale, pre { max-height: none; overflow: visible; } }
`;
