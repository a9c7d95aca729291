import type { ComponentChildren, JSX } from 'preact';

interface ButtonProps extends Omit<JSX.IntrinsicElements['button'], 'type'> {
  readonly children: ComponentChildren;
  /** The one thing that most people want here. */
  readonly main?: boolean;
}

export function Button({ children, main = false, ...rest }: ButtonProps) {
  return (
    <button type="button" class={main ? 'button main' : 'button'} {...rest}>
      {children}
    </button>
  );
}
