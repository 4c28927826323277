// Light or dark: the choice, what the system says, and telling the page.

import { Listeners } from '../sync/listeners';
import type { Settings } from '../sync/settings';
import { remember, remembered } from './device';

/** What the user may choose. */
type ThemeChoice = Settings['theme'];

/** Finds the theme to show. */
function resolvedTheme(choice: ThemeChoice, systemIsLight: boolean): 'light' | 'dark' {
  if (choice !== 'system') return choice;
  return systemIsLight ? 'light' : 'dark';
}

/** Shows a theme and keeps following the system where the choice says so. */
export class Theme {
  private choice: ThemeChoice;
  private readonly system = matchMedia('(prefers-color-scheme: light)');
  private readonly listeners = new Listeners();

  constructor() {
    // The library opens later than the page is painted: the last choice bridges the gap.
    const last = remembered('theme');
    this.choice = last === 'light' || last === 'dark' ? last : 'system';
    this.system.addEventListener('change', () => this.show());
    this.show();
  }

  /** The theme on the screen. */
  get shown(): 'light' | 'dark' {
    return resolvedTheme(this.choice, this.system.matches);
  }

  /** Calls `listener` when the theme on the screen changes; returns what stops it. */
  readonly subscribe = this.listeners.add;

  /** Takes a choice. */
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
    // Both: one for the system's light, one for its dark; the choice may be another.
    for (const meta of document.querySelectorAll('meta[name="theme-color"]')) meta.setAttribute('content', ground);
    this.listeners.tell();
  }
}

/** The page's one theme. */
export const theme = new Theme();
