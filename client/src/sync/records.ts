// The records of a library as plain values: what the interface reads and what it may write. Their
// fields are in the generated module; new fields are added in Sources/Model/Schema.swift.

import { parents as parentFields, recordTypes } from '../generated/records';
import type { CommentServerFields, PartFields, RecordingServerFields, TrackServerFields, VideoServerFields, WritableFields } from '../generated/records';

/** Every type of record that the client knows. */
export type RecordType = keyof WritableFields;

/** The record of a type: `RecordOf<'part'>` is `Part`. */
export type RecordOf<T extends RecordType> = RecordTypes[T];

/** The fields of a type that a client may write, without optional required ones. */
export type FieldsOf<T extends RecordType> = WritableFields[T];

/** The fields of an edit; a field set to null is cleared. */
export type EditOf<T extends RecordType> = Partial<WritableFields[T]>;

/** The types that a client creates itself; tracks, videos and recordings come from the server. */
export type CreatableType =
  | 'routine' | 'part' | 'move' | 'spot' | 'moveType' | 'clip' | 'gridCorrection' | 'practiceEntry' | 'runThrough' | 'plan' | 'comment';

/** The types that are ordered within a parent by a fractional position. */
export type OrderedType =
  { [T in RecordType]: WritableFields[T] extends { position: string } ? T : never }[RecordType];

/** The processing state of an uploaded file on the server. */
export type MediaState = NonNullable<TrackServerFields['state']>;

interface Common<T extends RecordType> {
  readonly type: T;
  /** A UUIDv7, or the name of a setting. */
  readonly id: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** The group that it belongs to; missing if it is the person's own. */
  readonly space?: string;
}

/** A whole performance. */
export interface Routine extends Common<'routine'>, Readonly<WritableFields['routine']> {}

/** A range of a track in a routine. All its frames are frames of the track, not of the part. */
export interface Part extends Common<'part'>, Readonly<WritableFields['part']> {}

/** One action inside a part. */
export interface Move extends Common<'move'>, Readonly<WritableFields['move']> {}

/** A section of a part that is kept under a name, to be looped again. Frames are frames of the track. */
export interface Spot extends Common<'spot'>, Readonly<WritableFields['spot']> {}

/** A user's own category of moves. */
export interface MoveType extends Common<'moveType'>, Readonly<WritableFields['moveType']> {}

/** An uploaded audio file; the client may only write its title. */
export interface Track extends Common<'track'>, Readonly<WritableFields['track'] & TrackServerFields> {}

/** An uploaded reference video; the client may only write its title. */
export interface Video extends Common<'video'>, Readonly<WritableFields['video'] & VideoServerFields> {}

/** A move's name in the performer's own voice; the client may only write its title. */
export interface Recording extends Common<'recording'>, Readonly<WritableFields['recording'] & RecordingServerFields> {}

/** A range of a track, not yet in a routine. */
export interface Clip extends Common<'clip'>, Readonly<WritableFields['clip']> {}

/** A correction of a track's counts. */
export interface GridCorrection extends Common<'gridCorrection'>, Readonly<WritableFields['gridCorrection']> {}

/** What was practised of one routine on one page, within an hour. */
export interface PracticeEntry extends Common<'practiceEntry'>, Readonly<WritableFields['practiceEntry']> {}

/** A routine played without stopping, and what went wrong. */
export interface RunThrough extends Common<'runThrough'>, Readonly<WritableFields['runThrough']> {}

/** A session of practice that was saved, for one routine. */
export interface Plan extends Common<'plan'>, Readonly<WritableFields['plan']> {}

/** What somebody says about a move, or about a moment or a stretch of a part, to all who read the routine. */
export interface Comment extends Common<'comment'>, Readonly<WritableFields['comment'] & CommentServerFields> {}

/** A setting; its id is its name. */
export interface Setting extends Common<'setting'>, Readonly<WritableFields['setting']> {}

interface RecordTypes {
  routine: Routine;
  part: Part;
  move: Move;
  spot: Spot;
  moveType: MoveType;
  track: Track;
  video: Video;
  recording: Recording;
  clip: Clip;
  gridCorrection: GridCorrection;
  practiceEntry: PracticeEntry;
  runThrough: RunThrough;
  plan: Plan;
  comment: Comment;
  setting: Setting;
}

/** Whether this client knows a type that the server sent. */
export function isKnown(type: string): type is RecordType {
  return (recordTypes as readonly string[]).includes(type);
}

/** Whether a record belongs to the log, which grows with every practice and is read only when it is asked for. */
export function isOfLog({ type }: { readonly type: string }): boolean {
  return type === 'practiceEntry' || type === 'runThrough';
}

/** For each type with a parent: the field that holds the parent's id, and the parent's type. */
export const parents: { readonly [T in RecordType]?: { readonly field: string; readonly type: RecordType } } =
  parentFields;

export type { PartFields };
export { recordTypes, requiredFields } from '../generated/records';
