// The records in the browser's database, as segments: texts of many records. Of several versions of a record the
// highest `seq` counts.
//
// A segment of the log has a text as its key, any other a number. Numbers sort before texts, so each kind is read
// alone: the log grows for years, and no start waits for it.

import { isOfLog } from './records';
import type { WireRecord } from './wire';

/** The maximum number of records in a segment, so that no single text grows without bound. */
const segmentLength = 5_000;
/** A larger number of segments is joined. */
export const manySegments = 200;

/** The keys of segments of the log: those of single batches, and those that were joined. */
const batchPrefix = 'batch/';
const joinedPrefix = 'joined/';

/** The keys of segments that are read at the start; the keys of the log; those of its single batches. */
export const keysAtStart = (): IDBKeyRange => IDBKeyRange.upperBound('', true);
export const keysOfLog = (): IDBKeyRange => IDBKeyRange.lowerBound('');
export const keysOfLogBatches = (): IDBKeyRange => IDBKeyRange.bound(batchPrefix, joinedPrefix, false, true);

/** The keys of segments that are read at the start and were written after one of them. */
export const keysAfter = (key: number): IDBKeyRange => IDBKeyRange.bound(key, '', true, true);

/** Returns the key of a record. */
export function recordKey(type: string, id: string): string {
  return `${type}/${id}`;
}

/** Adds records as segments, those of the log apart. */
export function putRecords(store: IDBObjectStore, records: readonly WireRecord[]): void {
  const log = records.filter(isOfLog);
  putSegments(store, log.length > 0 ? records.filter((record) => !isOfLog(record)) : records);
  putSegments(store, log, batchPrefix);
}

function putSegments(store: IDBObjectStore, records: readonly WireRecord[], prefix?: string): void {
  for (let start = 0; start < records.length; start += segmentLength) {
    const text = JSON.stringify(records.slice(start, start + segmentLength));
    // Random, so that tabs that write at once need not know of each other.
    if (prefix !== undefined) store.put(text, prefix + randomName());
    else store.put(text);
  }
}

function randomName(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(8));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/**
 * Rewrites the segments that are read at the start as few, and calls back with the last one's key. Records of the log
 * in them go to the log.
 */
export function joinStart(store: IDBObjectStore, onLast: (key: number) => void): void {
  rewrite(store, keysAtStart(), (records) => {
    putRecords(store, records);
    const keys = store.getAllKeys(keysAtStart()) as IDBRequest<number[]>;
    keys.onsuccess = () => onLast(keys.result.pop() ?? 0);
  });
}

/** Rewrites segments of the log as few. */
export function joinLog(store: IDBObjectStore, keys: IDBKeyRange): void {
  rewrite(store, keys, (records) => putSegments(store, records, joinedPrefix));
}

function rewrite(store: IDBObjectStore, keys: IDBKeyRange, put: (records: readonly WireRecord[]) => void): void {
  const all = store.getAll(keys) as IDBRequest<string[]>;
  all.onsuccess = () => {
    store.delete(keys);
    put(latest(all.result));
  };
}

/** Reads segments. */
export function latest(segments: readonly string[]): WireRecord[] {
  const records = new Map<string, WireRecord>();
  for (const segment of segments) {
    for (const record of JSON.parse(segment) as WireRecord[]) {
      const key = recordKey(record.type, record.id);
      const known = records.get(key);
      if (!known || known.seq < record.seq) records.set(key, record);
    }
  }
  return [...records.values()];
}
