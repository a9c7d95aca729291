import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';

export interface TableHead {
  readonly head: ComponentChildren;
  /** Explanation of the head: tooltip, and text below the table when pressed. */
  readonly title?: string;
  /** True to align right. */
  readonly number?: boolean;
  /** True to allow line breaks. */
  readonly wide?: boolean;
}

interface TableProps {
  /** Caption, visible only with `titled`. */
  readonly caption: string;
  readonly titled?: boolean;
  readonly heads: readonly TableHead[];
  /** Cells by row; the first cell of a row is its heading. */
  readonly rows: readonly (readonly ComponentChildren[])[];
}

function getCellClass({ number = false, wide = false }: TableHead): string | undefined {
  return number ? 'n' : wide ? 'w' : undefined;
}

interface ExplainedHeadProps {
  readonly head: TableHead;
  readonly open: boolean;
  readonly below: string;
  readonly onPress: () => void;
}

/** Head that shows its explanation when pressed. */
function ExplainedHead({ head: { head, title }, open, below, onPress }: ExplainedHeadProps) {
  if (title === undefined) return <>{head}</>;
  return (
    <button type="button" class="explains" title={title} aria-expanded={open} aria-controls={below} onClick={onPress}>
      {head}
    </button>
  );
}

/** Table that scrolls horizontally, also by keys, if it is too wide. */
export function Table({ caption, titled = false, heads, rows }: TableProps) {
  const [at, setAt] = useState<number | undefined>(undefined);
  const below = useId();
  const explained = at === undefined ? undefined : heads[at];
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys (WCAG 2.1.1) */}
      <section class="scroll" aria-label={caption} tabIndex={0}>
        <table>
          <caption class={titled ? undefined : 'unseen'}>{caption}</caption>
          <thead>
            <tr>
              {heads.map((head, h) =>
                // An empty head would be announced as one by screen readers.
                head.head === '' ? (
                  <td />
                ) : (
                  <th scope="col" class={getCellClass(head)}>
                    <ExplainedHead
                      head={head}
                      open={h === at}
                      below={below}
                      onPress={() => {
                        setAt(h === at ? undefined : h);
                      }}
                    />
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
                  const of = head && getCellClass(head);
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
      <p id={below} class="small soft explanation" aria-live="polite">
        {explained !== undefined && (
          <>
            <strong>{explained.head}</strong>: {explained.title}.
          </>
        )}
      </p>
    </>
  );
}
