// Buttons: with text, or with an icon and an accessible name.

import { forwardRef, type ButtonHTMLAttributes, type ReactNode } from 'react';
import './button.css';
import { Icon, type IconName } from './Icon';

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly icon?: IconName;
  readonly isSmall?: boolean;
  readonly children: ReactNode;
}

/** A button with text. */
export function Button({ kind = 'plain', icon, isSmall, children, className, ...rest }: ButtonProps): JSX.Element {
  return (
    <button type="button" {...rest} className={`button button-${kind} ${isSmall ? 'button-small' : ''} ${className ?? ''}`}>
      {icon && <Icon name={icon} size={20} />}
      <span>{children}</span>
    </button>
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** The accessible name and the tooltip. */
  readonly label: string;
  readonly icon: IconName;
}

/** A round button with an icon. */
export const IconButton = forwardRef<HTMLButtonElement, IconButtonProps>(
  ({ label, icon, className, ...rest }, ref): JSX.Element => (
    <button
      type="button" aria-label={label} title={label} {...rest} ref={ref}
      className={`icon-button ${className ?? ''}`}
    >
      <Icon name={icon} />
    </button>
  ),
);
IconButton.displayName = 'IconButton';
