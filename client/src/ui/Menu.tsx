// A small menu next to the button that opened it.

import { useEffect, useLayoutEffect, useRef } from 'react';
import { Icon, type IconName } from './Icon';
import './menu.css';

/** One line of a menu. */
export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName;
  readonly run: () => void;
  readonly isDisabled?: boolean;
  readonly isDangerous?: boolean;
  /** Whether it is the chosen one of several; undefined for an action. */
  readonly isChosen?: boolean;
  /** Whether a setting is on that the line switches; undefined for an action. */
  readonly isOn?: boolean;
  readonly testId?: string;
}

interface MenuProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly onClose: () => void;
}

/** Shows its items until one is chosen, Escape is pressed, another element is touched, or the window's width changes. */
export function Menu({ label, items, onClose }: MenuProps): JSX.Element {
  const root = useRef<HTMLDivElement>(null);
  const close = useRef(onClose);
  close.current = onClose;

  useLayoutEffect(() => {
    const element = root.current;
    if (!element) return undefined;
    const opener = document.activeElement;
    const box = element.getBoundingClientRect();
    const frames = clippingAncestors(element).map((frame) => frame.getBoundingClientRect());
    const ceiling = Math.max(0, ...frames.map(({ top }) => top)) + 8;
    const floor = Math.min(window.innerHeight, ...frames.map(({ bottom }) => bottom)) - 8;
    const height = Math.min(element.offsetHeight, floor - ceiling);
    const excess = box.top + height - floor;
    const opened = element.parentElement?.getBoundingClientRect().top ?? 0;
    element.style.maxHeight = `${height}px`;
    if (excess > 0 && opened - height >= ceiling) element.dataset['side'] = 'above';
    // If it fits on neither side, it covers its button.
    else if (excess > 0) element.style.marginTop = `${-excess}px`;
    if (box.left < Math.max(0, ...frames.map(({ left }) => left)) + 8) element.dataset['align'] = 'start';
    if (box.right > Math.min(window.innerWidth, ...frames.map(({ right }) => right)) - 8) element.dataset['align'] = 'end';
    element.querySelector<HTMLElement>('[role^=menuitem]:not([aria-disabled=true])')?.focus();
    return () => {
      if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
    };
  }, []);

  useEffect(() => {
    const touched = (event: PointerEvent): void => {
      if (!root.current?.contains(event.target as Node)) close.current();
    };
    // A phone that is turned has another layout, in which the menu's button may stand elsewhere.
    const width = window.innerWidth;
    const turned = (): void => {
      if (window.innerWidth !== width) close.current();
    };
    document.addEventListener('pointerdown', touched, true);
    window.addEventListener('resize', turned);
    return () => {
      document.removeEventListener('pointerdown', touched, true);
      window.removeEventListener('resize', turned);
    };
  }, []);

  const step = (by: number): void => {
    const buttons = [...(root.current?.querySelectorAll<HTMLElement>('[role^=menuitem]') ?? [])];
    const index = buttons.findIndex((button) => button === document.activeElement);
    buttons[(index + by + buttons.length) % buttons.length]?.focus();
  };

  return (
    <div
      ref={root} className="menu" role="menu" aria-label={label}
      onKeyDown={(event) => {
        if (event.key === 'Escape' || event.key === 'Tab') onClose();
        else if (event.key === 'ArrowDown') step(1);
        else if (event.key === 'ArrowUp') step(-1);
        else return;
        event.preventDefault();
        event.stopPropagation();
      }}
    >
      {items.map((item) => (
        <button
          key={item.label} type="button" role={roleOf(item)}
          aria-disabled={item.isDisabled ?? false} aria-checked={item.isChosen ?? item.isOn}
          className={item.isDangerous ? 'menu-item is-dangerous' : 'menu-item'}
          data-testid={item.testId}
          onClick={() => {
            if (item.isDisabled) return;
            onClose();
            item.run();
          }}
        >
          {item.icon && <Icon name={item.icon} size={20} />}
          {roleOf(item) !== 'menuitem' && (
            <span className="menu-mark">{(item.isChosen ?? item.isOn) && <Icon name="check" size={20} />}</span>
          )}
          {item.label}
        </button>
      ))}
    </div>
  );
}

function roleOf({ isChosen, isOn }: MenuItem): 'menuitem' | 'menuitemradio' | 'menuitemcheckbox' {
  if (isChosen !== undefined) return 'menuitemradio';
  return isOn === undefined ? 'menuitem' : 'menuitemcheckbox';
}

/** Returns the ancestors that scroll or clip their content. */
function clippingAncestors(element: HTMLElement): readonly HTMLElement[] {
  const found: HTMLElement[] = [];
  for (let each = element.parentElement; each && each !== document.body; each = each.parentElement) {
    if (getComputedStyle(each).overflowY !== 'visible') found.push(each);
  }
  return found;
}
