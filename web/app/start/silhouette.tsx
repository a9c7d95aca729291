import { getUnitShape, getUnitSize } from './silhouettes.ts';

interface SilhouetteProps {
  readonly name: string;
  /** Description of the unit. */
  readonly about?: string;
  /** True within a button: omits the letter, which would become part of its text. */
  readonly small?: boolean;
}

/** Shape of a unit; a shield with its first letter if it is unknown. */
export function Silhouette({ name, about = '', small = false }: SilhouetteProps) {
  const path = getUnitShape(name, about);
  const size = getUnitSize(about);
  const inset = 16 * (1 - size);
  if (path === undefined) {
    return (
      <svg class="silhouette" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
        <path class="shield" d="M4 4h24v12q0 8-12 13Q4 24 4 16z" />
        {!small && (
          <text x="16" y="20" text-anchor="middle">
            {name.charAt(0).toUpperCase()}
          </text>
        )}
      </svg>
    );
  }
  return (
    <svg class="silhouette" viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <path d={path} transform={`translate(${String(inset)} ${String(2 * inset)}) scale(${String(size)})`} />
    </svg>
  );
}
