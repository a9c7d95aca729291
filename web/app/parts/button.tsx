import type { ComponentChildren, JSX } from 'preact';

interface ButtonProps extends Omit<JSX.IntrinsicElements['button'], 'type'> {
  readonly children: ComponentChildren;
  /** True for the primary action. */
  readonly main?: boolean;
}

export function Button({ children, main = false, ...rest }: ButtonProps) {
  return (
    <button type="button" class={main ? 'button main' : 'button'} {...rest}>
      {children}
    </button>
  );
}
