import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './icon.tsx';

export interface ButtonProps {
  children?: ComponentChildren;
  icon?: IconName;
  /** The button's name, for screen readers and on hover. */
  label?: string;
  primary?: boolean;
  danger?: boolean;
  quiet?: boolean;
  small?: boolean;
  disabled?: boolean;
  busy?: boolean;
  pressed?: boolean;
  expanded?: boolean;
  submit?: boolean;
  onClick?: (event: MouseEvent) => void;
}

export function Button({ children, icon, label, ...props }: ButtonProps) {
  const { primary, danger, quiet, small, pressed } = props;
  const names = { primary, danger, quiet, small, pressed, 'only-icon': children === undefined };
  const on = Object.entries(names).filter(([, value]) => value);
  return (
    <button
      type={props.submit ? 'submit' : 'button'}
      class={['button', ...on.map(([name]) => name)].join(' ')}
      aria-label={label}
      title={label}
      aria-pressed={pressed}
      aria-expanded={props.expanded}
      aria-busy={props.busy}
      disabled={props.disabled || props.busy}
      onClick={props.onClick}
    >
      {icon && <Icon name={icon} />}
      {children}
    </button>
  );
}
