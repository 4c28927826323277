// The light or dark theme: the user's choice, the system's setting, and their effect on the page.

import { Listeners } from '../sync/listeners';
import type { Settings } from '../sync/settings';
import { remember, remembered } from './device';

/** The choices of the user. */
type ThemeChoice = Settings['theme'];

/** Returns the theme to show. */
function resolvedTheme(choice: ThemeChoice, systemIsLight: boolean): 'light' | 'dark' {
  if (choice !== 'system') return choice;
  return systemIsLight ? 'light' : 'dark';
}

/** Applies a theme, and follows the system if that is the choice. */
export class Theme {
  private choice: ThemeChoice;
  private readonly system = matchMedia('(prefers-color-scheme: light)');
  private readonly listeners = new Listeners();

  constructor() {
    // The page is painted before the library is open: the last choice bridges the gap.
    const last = remembered('theme');
    this.choice = last === 'light' || last === 'dark' ? last : 'system';
    this.system.addEventListener('change', () => this.show());
    this.show();
  }

  /** The theme on the screen. */
  get shown(): 'light' | 'dark' {
    return resolvedTheme(this.choice, this.system.matches);
  }

  /** Calls `listener` when the shown theme changes; returns a function that stops it. */
  readonly subscribe = this.listeners.add;

  /** Applies a choice. */
  choose(choice: ThemeChoice): void {
    if (choice === this.choice) return;
    this.choice = choice;
    remember('theme', choice);
    this.show();
  }

  private show(): void {
    const root = document.documentElement;
    root.dataset['theme'] = this.shown;
    const ground = getComputedStyle(root).getPropertyValue('--ground').trim();
    // Both elements, one for each of the system's themes, since the choice may differ from the
    // system.
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) meta.setAttribute('content', ground);
    this.listeners.tell();
  }
}

/** The page's one theme. */
export const theme = new Theme();
