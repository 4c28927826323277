// The data exchanged between a client and the server, and the status for the interface.

import type { RecordType } from './records';

/** The fields of a record or of a change, by name. */
export type FieldValues = { readonly [name: string]: unknown };

/** A record as the server sends it: flat, with the fields of its type next to the common ones. */
export interface WireRecord {
  readonly type: string;
  readonly id: string;
  readonly seq: number;
  readonly createdAt: number;
  readonly deletedAt?: number | null;
  readonly [field: string]: unknown;
}

/** The fields that one edit set, with a stamp of the hybrid logical clock. */
export interface Change {
  readonly id: string;
  readonly type: RecordType;
  readonly record: string;
  readonly fields: FieldValues;
  readonly at: string;
  /** The group that gets the record, of the change that creates one there. */
  readonly space?: string;
}

/** What a person may do in a group: an owner manages it, too; a performer does not edit. */
export type Role = 'owner' | 'teacher' | 'performer';

/** A group of this device's person, whose routines are here. */
export interface Space {
  readonly id: string;
  /** Empty if a routine is shared with single people. */
  readonly name: string;
  readonly role: Role;
  /** The names of its other members, if it has no name of its own. */
  readonly with?: readonly string[];
  /** The number of people in it. */
  readonly members?: number;
  /** The sequence number at which this device's person joined it. */
  readonly since?: number;
}

/** A change that the server refused, kept so that no typed text is lost. */
export interface Rejected extends Change {
  /** A sentence for the user. */
  readonly reason: string;
}

/** The answer to `POST /api/sync`. */
export interface SyncAnswer {
  readonly seq: number;
  readonly records: readonly WireRecord[];
  readonly rejected: readonly { readonly id: string; readonly reason: string; readonly code?: string }[];
  readonly more: boolean;
  readonly clock: string | null;
  /** The id of the library, including its restores; it changes after a backup was restored. */
  readonly library: string | null;
  /** The highest `seq` of the deletions that the server has forgotten. */
  readonly purged: number;
  /** Who this device belongs to; null if the server does not say. */
  readonly person: string | null;
  /** The groups of that person; null if the server does not say. */
  readonly spaces: readonly Space[] | null;
  /** Whether anybody beside the owner uses the server; null if the server does not say. */
  readonly people: boolean | null;
}

/** A long-running job on the server. */
export interface Job {
  readonly id: string;
  readonly kind: string;
  readonly state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  /** 0 … 1. */
  readonly progress: number;
  /** A sentence for the user: what it does, or why it failed. */
  readonly message: string | null;
  readonly track?: string | null;
  readonly video?: string | null;
}

/** The status of the library; the object is replaced, never changed. */
export interface LibraryStatus {
  /** Whether the last attempt to reach the server succeeded. */
  readonly online: boolean;
  readonly syncing: boolean;
  /** The number of unacknowledged changes. */
  readonly waiting: number;
  readonly rejected: readonly Rejected[];
  /**
   * False only until the first complete copy of the library is loaded: show skeletons, not "nothing
   * yet".
   */
  readonly loaded: boolean;
  /** A sentence for the user, or null. */
  readonly problem: string | null;
  /** Whether the server refuses this device: it was never paired, or its pairing has ended. */
  readonly unpaired: boolean;
  /** Whether the server has another library than the copy here. */
  readonly another: boolean;
  /** Who this device belongs to; null while unknown. */
  readonly person: string | null;
  /** The groups of that person. */
  readonly spaces: readonly Space[];
  /** Whether anybody beside the owner uses the server. */
  readonly people: boolean;
  /** Whether edits exist only in this page, because the browser could not store them. */
  readonly isUnstored: boolean;
  /** Whether the reason is a full storage. */
  readonly isFull: boolean;
}
