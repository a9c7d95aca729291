/** Scripts of HTML reports, without user data and network access. The security policy of a report has their hash. */

/** Shows the label of a mark at the pointer. Without this script, browsers show titles after a delay. */
export const TOOLTIP_SCRIPT = `
const box = document.createElement('div');
box.id = 'tooltip';
box.hidden = true;
document.body.append(box);
for (const title of document.querySelectorAll('figure path > title')) {
  title.parentNode.dataset.tooltip = title.textContent;
  title.remove();
}
const sheets = new Map();
for (const template of document.querySelectorAll('figure > template')) {
  const rows = template.content.textContent.split('\\n').map((line) => line.split('\\t'));
  const marks = template.parentNode.querySelectorAll('[data-tooltip]');
  for (const [m, mark] of marks.entries()) sheets.set(mark, [...rows.slice(0, 3), rows[3 + m]]);
}
const cellAt = ([[head, sign = ''], [across, ...xs], [up, ...ys], [panel, ...values]], box, { clientX, clientY }) => {
  const at = (part, labels) => Math.min(labels.length - 1, Math.max(0, Math.floor(part * labels.length)));
  const x = at((clientX - box.left) / box.width, xs);
  const y = at((box.bottom - clientY) / box.height, ys);
  const value = values[y * xs.length + x];
  const place = (panel === '' ? '' : panel + ', ') + across + ' ' + xs[x] + ', ' + up + ' ' + ys[y];
  return place + '\\n' + (value === '' ? 'no such cell' : head + ': ' + value + sign);
};
const show = (event) => {
  const mark = event.target instanceof Element ? event.target.closest('[data-tooltip]') : null;
  box.hidden = mark === null;
  if (mark === null) return;
  const sheet = sheets.get(mark);
  box.textContent = sheet ? cellAt(sheet, mark.getBoundingClientRect(), event) : mark.dataset.tooltip;
  const { width, height } = box.getBoundingClientRect();
  box.style.left = Math.max(0, Math.min(event.clientX + 14, innerWidth - width - 6)) + 'px';
  box.style.top = (event.clientY + 18 + height > innerHeight ? event.clientY - height - 10 : event.clientY + 18) + 'px';
};
document.addEventListener('pointermove', show);
document.addEventListener('pointerdown', show);
document.addEventListener('scroll', () => { box.hidden = true; }, { passive: true, capture: true });
`;

/**
 * Sorts and filters rows of texts: `numberOf` reads the number at the beginning of a cell, `accepts` compares a cell
 * with a filter (`45..55`, `>= 10`, `10`, part of a word), `arranged` returns the shown rows.
 */
export const ROW_SCRIPT = `
const numberOf = (text) => {
  const [, digits] = /^[<>±]?\\s*([+-]?\\d[\\d\\s]*(?:\\.\\d+)?(?:e[+-]?\\d+)?)/i.exec(text) ?? [];
  return digits === undefined ? NaN : Number(digits.replace(/\\s/g, ''));
};
const accepts = (text, wish) => {
  if (wish === '') return true;
  const value = numberOf(text);
  const [, low, high] = /^([+-]?[\\d.]+?)\\s*\\.\\.\\s*([+-]?[\\d.]+)$/.exec(wish) ?? [];
  if (low !== undefined) return value >= Number(low) && value <= Number(high);
  const [, sign, end] = /^(<=|>=|<|>|=)\\s*([+-]?[\\d.]+)$/.exec(wish) ?? [];
  if (sign === '<') return value < Number(end);
  if (sign === '>') return value > Number(end);
  if (sign === '<=') return value <= Number(end);
  if (sign === '>=') return value >= Number(end);
  if (sign === '=') return value === Number(end);
  if (!Number.isNaN(value) && /^[+-]?[\\d.]+$/.test(wish)) return value === Number(wish);
  return text.toLowerCase().replace(/\\s/g, ' ').includes(wish.toLowerCase());
};
const words = new Intl.Collator('en', { numeric: true });
const isNumeric = (rows, column) => rows.every((row) => row[column] === '' || !Number.isNaN(numberOf(row[column])));
const arranged = (rows, wishes, column, direction) => {
  const kept = rows.filter((row) => wishes.every((wish, c) => accepts(row[c], wish)));
  if (column < 0) return kept;
  const numbers = isNumeric(rows, column);
  const keyed = kept.map((row) => ({ row, key: numbers ? numberOf(row[column]) : row[column] }));
  const empty = ({ row }) => row[column] === '';
  keyed.sort((a, b) => empty(a) - empty(b) || direction * (numbers ? a.key - b.key || 0 : words.compare(a.key, b.key)));
  return keyed.map(({ row }) => row);
};
`;

/**
 * Makes tables with the attribute `data-sort` sortable by their heads, and tables with `data-sieve` filterable below
 * them. Further rows are in a template next to the table, one per line, with tabs between cells.
 */
export const TABLE_SCRIPT = `${ROW_SCRIPT}
const AT_ONCE = 200;
const equip = (table) => {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  const near = table.closest('.scroll');
  const rest = near.nextElementSibling?.matches('template') ? near.nextElementSibling.content.textContent : '';
  const lines = rest === '' ? [] : rest.trim().split('\\n').map((line) => line.split('\\t'));
  const present = [...body.rows].map((row) => [[...row.cells].map((cell) => cell.textContent), row]);
  const elements = new Map(present);
  const rows = [...present.map(([cells]) => cells), ...lines];
  const wishes = heads.map(() => '');
  const first = rows.length <= 1.5 * AT_ONCE ? rows.length : AT_ONCE;
  let [column, direction, most] = [-1, 1, first];
  const elementOf = (cells) => {
    const made = elements.get(cells) ?? document.createElement('tr');
    if (!elements.has(cells)) {
      for (const [c, text] of cells.entries()) {
        const cell = made.insertCell();
        cell.textContent = text;
        cell.className = heads[c].className;
      }
      elements.set(cells, made);
    }
    return made;
  };
  const status = document.createElement('p');
  status.className = 'note';
  status.setAttribute('role', 'status');
  const more = document.createElement('button');
  more.type = 'button';
  more.className = 'more';
  const draw = () => {
    const shown = arranged(rows, wishes, column, direction);
    body.replaceChildren(...shown.slice(0, most).map(elementOf));
    const left = Math.max(0, shown.length - most);
    const parts = [
      ...(shown.length < rows.length ? [shown.length + ' of ' + rows.length + ' rows match'] : []),
      ...(left > 0 ? [most + ' of ' + shown.length + ' are shown'] : []),
    ];
    status.textContent = parts.join('; ');
    more.hidden = left === 0;
    more.textContent = 'Show ' + Math.min(left, AT_ONCE) + ' more';
  };
  more.addEventListener('click', () => { most += AT_ONCE; draw(); });
  for (const [c, head] of heads.entries()) {
    if (head.textContent === '') continue;
    const button = document.createElement('button');
    button.type = 'button';
    button.append(...head.childNodes);
    button.title = 'Sort by this column';
    head.append(button);
    button.addEventListener('click', () => {
      direction = column === c ? -direction : isNumeric(rows, c) && c > 0 ? -1 : 1;
      column = c;
      for (const each of heads) each.removeAttribute('aria-sort');
      head.setAttribute('aria-sort', direction > 0 ? 'ascending' : 'descending');
      draw();
    });
  }
  if (table.dataset.sieve !== undefined) {
    const line = table.tHead.insertRow();
    line.className = 'sieve';
    for (const [c, head] of heads.entries()) {
      const field = document.createElement('input');
      field.type = 'search';
      field.placeholder = isNumeric(rows, c) ? (c === 0 ? 'filter' : '45..55') : 'filter';
      field.title = '10, > 10, 45..55, or part of a word';
      field.setAttribute('aria-label', 'Filter by ' + head.textContent);
      field.addEventListener('input', () => { wishes[c] = field.value.trim(); most = first; draw(); });
      const cell = document.createElement('th');
      cell.append(field);
      line.append(cell);
    }
  }
  near.after(status, more);
  draw();
};
for (const table of document.querySelectorAll('table[data-sort]')) equip(table);
`;
