import type { ComponentChildren } from 'preact';

export interface Head {
  readonly head: ComponentChildren;
  /** Explains the head when it is pointed at. */
  readonly title?: string;
  /** Numbers stand at the right. */
  readonly number?: boolean;
  /** Texts that may break into lines. */
  readonly wide?: boolean;
}

interface TableProps {
  /** What the table is about, for screen readers; shown with `titled`. */
  readonly caption: string;
  readonly titled?: boolean;
  readonly heads: readonly Head[];
  /** Cells by row; the first cell of a row is its heading. */
  readonly rows: readonly (readonly ComponentChildren[])[];
}

function classOf({ number = false, wide = false }: Head): string | undefined {
  return number ? 'n' : wide ? 'w' : undefined;
}

/** A table that is scrolled sideways, by keys too, where it is wider than its place. */
export function Table({ caption, titled = false, heads, rows }: TableProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys (WCAG 2.1.1)
    <section class="scroll" aria-label={caption} tabIndex={0}>
      <table>
        <caption class={titled ? undefined : 'unseen'}>{caption}</caption>
        <thead>
          <tr>
            {heads.map((head) =>
              // A head without a word is none to a screen reader.
              head.head === '' ? (
                <td />
              ) : (
                <th scope="col" class={classOf(head)} title={head.title}>
                  {head.head}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr>
              {row.map((cell, c) => {
                const head = heads[c];
                const of = head && classOf(head);
                if (c > 0) return <td class={of}>{cell}</td>;
                return (
                  <th scope="row" class={of}>
                    {cell}
                  </th>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
