// The records of a library as plain values: what the interface reads and what it may write.
// The fields' limits and their checking are in validation.ts.

/** Names every type of record that the client knows. */
export type RecordType = keyof RecordTypes;

/** Gives the record of a type: `RecordOf<'part'>` is `Part`. */
export type RecordOf<T extends RecordType> = RecordTypes[T];

/** Gives the fields of a type that a client may write, the required ones not optional. */
export type FieldsOf<T extends RecordType> = WritableFields[T];

/** Gives what an edit may contain; a field set to null is cleared. */
export type EditOf<T extends RecordType> = Partial<WritableFields[T]>;

/** Names the types that a client makes itself; tracks and videos come from the server. */
export type CreatableType = 'routine' | 'part' | 'move' | 'moveType' | 'clip';

/** Names the types that are ordered inside a parent by a fractional position. */
export type OrderedType = 'part' | 'move' | 'clip';

/** Says what a part repeats while it is practised. */
export type LoopMode = 'off' | 'whole' | 'section';

/** Holds what a setting may be worth. */
export type SettingValue = string | number | boolean | null;

interface Common<T extends string> {
  readonly type: T;
  /** A UUIDv7, or the name of a setting. */
  readonly id: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/** A whole performance. */
export interface Routine extends Common<'routine'>, Readonly<RoutineFields> {}

/** One stretch of a track inside a routine. All its frames are frames of the track, not of the part. */
export interface Part extends Common<'part'>, Readonly<PartFields> {}

/** One action inside a part. */
export interface Move extends Common<'move'>, Readonly<MoveFields> {}

/** A user's own category of moves. */
export interface MoveType extends Common<'moveType'>, Readonly<MoveTypeFields> {}

/** An uploaded audio file; all but its title is the server's to write. */
export interface Track extends Common<'track'>, Readonly<MediaFields> {
  readonly fileName?: string | null;
  readonly sha256?: string | null;
  readonly state?: MediaState | null;
  /** A sentence that says why the import failed. */
  readonly problem?: string | null;
  /** Frames at 48,000 Hz; known once the state is "ready". */
  readonly lengthFrames?: number | null;
  /** Bytes of the file as it came. */
  readonly size?: number | null;
  /** Integrated loudness in LUFS; null for silence. */
  readonly loudness?: number | null;
}

/** An uploaded reference video; all but its title is the server's to write. */
export interface Video extends Common<'video'>, Readonly<MediaFields> {
  readonly fileName?: string | null;
  readonly sha256?: string | null;
  readonly state?: MediaState | null;
  readonly problem?: string | null;
  /** Bytes of the file as it came. */
  readonly size?: number | null;
  /** Frames at 48,000 Hz; this and the rest are known once the state is "ready". */
  readonly length?: number | null;
  /** As it is shown, after its rotation, in pixels. */
  readonly width?: number | null;
  readonly height?: number | null;
  readonly framesPerSecond?: number | null;
  /** 1, or 0 for a silent one. */
  readonly hasSound?: number | null;
}

/** Says how far the server has come with an uploaded file. */
export type MediaState = 'importing' | 'ready' | 'failed';

/** A start and an end on a track, not yet in a routine. */
export interface Clip extends Common<'clip'>, Readonly<ClipFields> {}

/** One choice of the user; its id is its name. */
export interface Setting extends Common<'setting'>, Readonly<SettingFields> {}

/** The fields of a routine. */
export interface RoutineFields {
  title: string;
  subtitle?: string | null;
  /** Unix milliseconds. */
  lastPractisedAt?: number | null;
}

/** The fields of a part. */
export interface PartFields {
  routine: string;
  title: string;
  position: string;
  track?: string | null;
  startFrame?: number | null;
  endFrame?: number | null;
  video?: string | null;
  /** The frame of the track that is heard at the video's beginning, below zero where that comes before the track. */
  videoOffset?: number | null;
  /** 1 where the video is shown as in a mirror. */
  videoMirrored?: number | null;
  loopMode?: LoopMode | null;
  markerA?: number | null;
  markerB?: number | null;
  /** The speed: 0.25 to 2. */
  rate?: number | null;
  semitones?: number | null;
  /** Null or absent: the default of the settings. */
  countdownSeconds?: number | null;
  /** When the countdown runs; null or absent: the default of the settings. */
  countdownRepeats?: 'every' | 'first' | null;
  /** The silence between two repeats. */
  restSeconds?: number | null;
  /** How often a loop is heard; 0 or absent is without end. */
  repeatLimit?: number | null;
  /** The speed trainer, in percent. */
  trainerFrom?: number | null;
  trainerTo?: number | null;
  trainerStep?: number | null;
  /** How many times each speed is heard; 0 or absent: the trainer is off. */
  trainerEvery?: number | null;
}

/** The fields of a move. */
export interface MoveFields {
  part: string;
  title: string;
  position: string;
  moveType?: string | null;
  notes?: string | null;
}

/** The fields of a move type. */
export interface MoveTypeFields {
  name: string;
  abbreviation?: string | null;
  /** "#rrggbb". */
  colour?: string | null;
}

/** What a client may write of a track or a video. */
export interface MediaFields {
  title?: string | null;
}

/** The fields of a clip. */
export interface ClipFields {
  track: string;
  startFrame: number;
  endFrame: number;
  position: string;
  title?: string | null;
}

/** The one field of a setting. */
export interface SettingFields {
  value?: SettingValue;
}

interface RecordTypes {
  routine: Routine;
  part: Part;
  move: Move;
  moveType: MoveType;
  track: Track;
  video: Video;
  clip: Clip;
  setting: Setting;
}

interface WritableFields {
  routine: RoutineFields;
  part: PartFields;
  move: MoveFields;
  moveType: MoveTypeFields;
  track: MediaFields;
  video: MediaFields;
  clip: ClipFields;
  setting: SettingFields;
}

/** Lists every type, parents before their children. */
export const recordTypes: readonly RecordType[] = [
  'setting', 'moveType', 'track', 'video', 'routine', 'part', 'move', 'clip',
];

/** Whether a type that the server sent is one that this client knows. */
export function isKnown(type: string): type is RecordType {
  return (recordTypes as readonly string[]).includes(type);
}

/** Names, for each type, the fields without which a record is not shown. */
export const requiredFields: { readonly [T in RecordType]: readonly string[] } = {
  routine: ['title'],
  part: ['routine', 'title', 'position'],
  move: ['part', 'title', 'position'],
  moveType: ['name'],
  track: [],
  video: [],
  clip: ['track', 'startFrame', 'endFrame', 'position'],
  setting: [],
};

/** Names, for each type that has a parent, the field that holds the parent's id and its type. */
export const parents: { readonly [T in RecordType]?: { readonly field: string; readonly type: RecordType } } = {
  part: { field: 'routine', type: 'routine' },
  move: { field: 'part', type: 'part' },
  clip: { field: 'track', type: 'track' },
};

export { characterCount, characters, excess, limits, validateFields, validateNew } from './validation';
