// How weak parts and moves are, as it is shown. What derives it from the log is loaded later.

import { Listeners } from '../sync/listeners';

/** A weakness that is shown. */
export interface Weakness {
  /** From 0 to 1. */
  readonly strength: number;
  /** How many dots it has. */
  readonly level: number;
  /** What is read out. */
  readonly text: string;
}

/** What is weak of the routine on the page, by the ids of parts and moves. */
export class Weaknesses {
  known: ReadonlyMap<string, Weakness> = new Map();
  private readonly listeners = new Listeners();

  /** Calls `listener` after every change; returns a function that stops it. */
  readonly subscribe = this.listeners.add;

  /** Replaces all of them. */
  show(next: ReadonlyMap<string, Weakness>): void {
    this.known = next;
    this.listeners.tell();
  }
}

/** Those of the page. */
export const weaknesses = new Weaknesses();
