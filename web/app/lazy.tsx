/** Component that is loaded when it is first shown. */
import type { ComponentChildren, ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Button } from './parts/button.tsx';
import { Problem } from './parts/problem.tsx';

type LoadedComponent = { readonly Part: ComponentType } | { readonly error: unknown } | undefined;

interface LazyProps {
  /** Must be the same function at every render: it is the cache key. */
  readonly load: () => Promise<ComponentType>;
  /** Placeholder while the component loads. */
  readonly children: ComponentChildren;
  /** True to keep the placeholder if loading fails. */
  readonly stays?: boolean;
}

const componentCache = new WeakMap<LazyProps['load'], ComponentType>();

async function loadComponent(load: LazyProps['load']): Promise<LoadedComponent> {
  try {
    const Part = await load();
    componentCache.set(load, Part);
    return { Part };
  } catch (error) {
    return { error };
  }
}

export function Lazy({ load, children, stays = false }: LazyProps) {
  const [attempt, setAttempt] = useState(0);
  const [failed, setFailed] = useState<{ readonly load: unknown; readonly error: unknown } | undefined>(undefined);
  const [, redraw] = useState(0);
  useEffect(() => {
    if (componentCache.has(load)) return;
    setFailed(undefined);
    void loadComponent(load).then((found) => {
      if (found !== undefined && 'error' in found) setFailed({ load, error: found.error });
      redraw((n) => n + 1);
    });
  }, [load, attempt]);
  const Part = componentCache.get(load);
  if (Part !== undefined) return <Part />;
  if (failed?.load !== load) return <>{children}</>;
  return (
    <>
      <Problem error={failed.error} />
      <Button
        onClick={() => {
          setAttempt(attempt + 1);
        }}
      >
        Retry
      </Button>
      {stays && children}
    </>
  );
}
