// Actions on the clips of a track: cut, clip, merge, delete, reset, import; each can be undone.

import type { LocalLibrary } from '../sync/library';
import { positionBetween, positionsBetween } from '../sync/position';
import type { Clip, Part, Track } from '../sync/records';
import { limits } from '../sync/validation';
import { toasts } from '../ui/toasts';
import { truncateToFit } from '../ui/text';
import { trackTitle } from '../ui/trackTitle';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { readLabels, type Label } from './model/labels';
import { clipName, shownName } from './model/names';
import { shortestStretchFrames } from '../timeline';
import { cutAt, neighbourOf, twinOf, type Piece } from './model/pieces';

/** Reads a clip. */
export function pieceOfClip(clip: Clip): Piece {
  return { id: clip.id, startFrame: clip.startFrame, endFrame: clip.endFrame, title: clip.title ?? '' };
}

/** Reads a part; a part without its own borders is the whole track. */
export function pieceOfPart(part: Part, lengthFrames: number): Piece {
  return {
    id: part.id, title: part.title,
    startFrame: Math.min(part.startFrame ?? 0, lengthFrames),
    endFrame: Math.min(part.endFrame ?? lengthFrames, lengthFrames),
  };
}

/** The result of a cut, or why it failed. */
export type CutResult =
  /** `id` is the clip that begins at the cut. */
  | { readonly id: string; readonly frame: number; readonly undo: () => void }
  | { readonly refused: string };

/** Cuts a track's clips at a frame. */
export function cutTrack(library: LocalLibrary, track: Track, rawFrame: number): CutResult {
  const clips = library.clips(track.id);
  const cut = cutAt(clips.map(pieceOfClip), track.lengthFrames ?? 0, rawFrame);
  if (cut.kind === 'refused') return { refused: cut.sentence };
  const after = cut.kind === 'split' ? cut.id : cut.after;
  const index = clips.findIndex((clip) => clip.id === after);
  const [previous, following] = [clips[index], clips[index + 1]];
  let id = '';
  if (cut.kind === 'split' && previous) {
    const { endFrame } = previous;
    library.transact(() => {
      library.edit('clip', previous.id, { endFrame: cut.frame });
      id = library.create('clip', {
        track: track.id, startFrame: cut.frame, endFrame, title: '',
        position: positionBetween(previous.position, following?.position ?? null),
      });
    });
    return {
      id, frame: cut.frame,
      undo: () => library.transact(() => {
        library.remove('clip', id);
        library.edit('clip', previous.id, { endFrame });
      }),
    };
  }
  const [startFrame, endFrame] = cut.kind === 'gap' ? [cut.startFrame, cut.endFrame] : [0, 0];
  const [first = '', second = ''] = positionsBetween(previous?.position ?? null, following?.position ?? null, 2);
  let before = '';
  library.transact(() => {
    before = library.create('clip', { track: track.id, startFrame, endFrame: cut.frame, title: '', position: first });
    id = library.create('clip', { track: track.id, startFrame: cut.frame, endFrame, title: '', position: second });
  });
  return {
    id, frame: cut.frame,
    undo: () => library.transact(() => {
      library.remove('clip', id);
      library.remove('clip', before);
    }),
  };
}

/** Cuts at many frames at once; the toast undoes it. Frames too close to a border are skipped. */
export function cutAtAll(library: LocalLibrary, track: Track, frames: readonly number[]): void {
  const undos: (() => void)[] = [];
  library.transact(() => {
    for (const frame of frames) {
      const result = cutTrack(library, track, frame);
      if ('undo' in result) undos.unshift(result.undo);
    }
  });
  const made = undos.length;
  toasts.say(
    made === 0 ? lateWords.clipper.allAreCut : lateWords.clipper.cutsMade(made),
    made === 0 ? {} : { action: { label: words.common.undo, run: () => library.transact(() => undos.forEach((undo) => undo())) } },
  );
}

/** Adds a range as a clip named after track and times; refuses a duplicate. */
export function addClip(
  library: LocalLibrary, track: Track, startFrame: number, endFrame: number,
): { readonly id: string } | { readonly refused: string } {
  const clips = library.clips(track.id);
  const pieces = clips.map(pieceOfClip);
  const twin = twinOf(pieces, startFrame, endFrame);
  if (twin) return { refused: lateWords.clipper.isListed(shownName(pieces, twin.id)) };
  const id = library.create('clip', {
    track: track.id, startFrame, endFrame, title: clipName(trackTitle(track), startFrame, endFrame),
    position: positionBetween(clips[clips.length - 1]?.position ?? null, null),
  });
  return { id };
}

/** Merges a clip with the one that begins at its end; the first one's title stays. */
export function mergeWithNext(library: LocalLibrary, trackId: string, id: string): void {
  const pieces = library.clips(trackId).map(pieceOfClip);
  const piece = pieces.find((each) => each.id === id);
  const next = neighbourOf(pieces, id);
  if (!piece || !next) return;
  const name = shownName(pieces, id);
  let restore = (): void => undefined;
  library.transact(() => {
    restore = library.remove('clip', next.id);
    library.edit('clip', id, { endFrame: next.endFrame });
  });
  toasts.say(lateWords.clipper.merged(name, shownName(pieces, next.id)), {
    action: {
      label: words.common.undo,
      run: () => library.transact(() => {
        restore();
        library.edit('clip', id, { endFrame: piece.endFrame });
      }),
    },
  });
}

/** Deletes a clip; the toast undoes it. */
export function deleteClip(library: LocalLibrary, trackId: string, id: string): void {
  const name = shownName(library.clips(trackId).map(pieceOfClip), id);
  const undo = library.remove('clip', id);
  toasts.say(lateWords.clipper.deleted(name), { action: { label: words.common.undo, run: undo } });
}

/** Deletes all clips of a track; the toast undoes it. */
export function resetClips(library: LocalLibrary, trackId: string): void {
  const clips = library.clips(trackId);
  const undos: (() => void)[] = [];
  library.transact(() => {
    for (const clip of clips) undos.push(library.remove('clip', clip.id));
  });
  toasts.say(lateWords.clipper.clipsDeleted(clips.length), {
    action: { label: words.common.undo, run: () => library.transact(() => undos.forEach((undo) => undo())) },
  });
}

/** The result of a label import. */
export interface ImportedLabels {
  readonly clips: number;
  readonly cuts: number;
  /** The number of clips at the start of the song that got their name. */
  readonly names: number;
  readonly problems: readonly string[];
  readonly undo: () => void;
}

/** Imports a label file: ranges become clips, points become cuts. */
export function importLabels(library: LocalLibrary, track: Track, text: string): ImportedLabels {
  const { labels, problems } = readLabels(text);
  const faults = [...problems];
  const undos: (() => void)[] = [];
  let clips = 0;
  let cuts = 0;
  let names = 0;
  const openings: Label[] = [];
  library.transact(() => {
    for (const label of labels) {
      if (label.endFrame > label.startFrame) {
        const fault = addLabel(library, track, label, undos);
        if (fault === null) clips += 1;
        else faults.push(fault);
      }
    }
    for (const label of labels) {
      if (label.endFrame !== label.startFrame) continue;
      if (label.startFrame < shortestStretchFrames) {
        openings.push(label);
        continue;
      }
      const result = cutTrack(library, track, label.startFrame);
      if ('refused' in result) {
        faults.push(lateWords.clipper.labelRefused(label.title, result.refused));
        continue;
      }
      cuts += 1;
      undos.unshift(result.undo);
      if (label.title !== '') library.edit('clip', result.id, { title: truncateToFit(label.title, limits.clip.title) });
    }
    // There is nothing to cut at the start of the song: these labels name the clip that begins
    // there, after the cuts.
    for (const { title } of openings) {
      if (title === '') continue;
      const first = library.clips(track.id).find((clip) => clip.startFrame === 0 && !clip.title);
      if (first) {
        library.edit('clip', first.id, { title: truncateToFit(title, limits.clip.title) });
        undos.unshift(() => library.edit('clip', first.id, { title: '' }));
        names += 1;
      } else {
        faults.push(lateWords.clipper.noClipToName(title));
      }
    }
  });
  return {
    clips, cuts, names, problems: faults,
    undo: () => library.transact(() => undos.forEach((undo) => undo())),
  };
}

function addLabel(library: LocalLibrary, track: Track, label: Label, undos: (() => void)[]): string | null {
  const clips = library.clips(track.id);
  const endFrame = Math.min(label.endFrame, track.lengthFrames ?? 0);
  if (endFrame - label.startFrame < shortestStretchFrames) {
    return lateWords.clipper.labelOutside(label.title);
  }
  const twin = twinOf(clips.map(pieceOfClip), label.startFrame, endFrame);
  if (twin) return lateWords.clipper.labelListed(label.title);
  const id = library.create('clip', {
    track: track.id, startFrame: label.startFrame, endFrame,
    title: truncateToFit(label.title, limits.clip.title).trim(),
    position: positionBetween(clips[clips.length - 1]?.position ?? null, null),
  });
  undos.unshift(() => library.remove('clip', id));
  return null;
}

/** Returns a routine that has every clip of a track as a part; null if there is none. */
export function routineOfClips(library: LocalLibrary, trackId: string): string | null {
  const clips = library.clips(trackId);
  const stretches = new Map<string, Set<string>>();
  const stretch = (start: number | null | undefined, end: number | null | undefined): string => `${start}-${end}`;
  for (const part of library.partsUsing(trackId)) {
    const found = stretches.get(part.routine) ?? new Set();
    stretches.set(part.routine, found.add(stretch(part.startFrame, part.endFrame)));
  }
  for (const [routine, found] of stretches) {
    const hasAll = clips.every(({ startFrame, endFrame }) => found.has(stretch(startFrame, endFrame)));
    if (clips.length > 0 && hasAll && library.get('routine', routine)) return routine;
  }
  return null;
}

/** Makes a routine of the clips in order. */
export function makeRoutine(
  library: LocalLibrary, track: Track, title: string,
): { readonly routine: string; readonly parts: readonly string[] } {
  let routine = '';
  let parts: readonly string[] = [];
  library.transact(() => {
    routine = library.create('routine', { title }, track.space);
    parts = addParts(library, track, routine);
  });
  return { routine, parts };
}

/** Adds the clips in order at the end of a routine; the toast undoes it. */
export function addToRoutine(library: LocalLibrary, track: Track, routineId: string): void {
  const title = library.get('routine', routineId)?.title ?? '';
  let added: readonly string[] = [];
  library.transact(() => {
    added = addParts(library, track, routineId);
  });
  toasts.say(lateWords.clipper.partsAdded(added.length, title), {
    action: {
      label: words.common.undo,
      run: () => library.transact(() => added.forEach((id) => library.remove('part', id))),
    },
  });
}

function addParts(library: LocalLibrary, track: Track, routine: string): readonly string[] {
  const pieces = library.clips(track.id).map(pieceOfClip);
  const known = library.parts(routine);
  const positions = positionsBetween(known[known.length - 1]?.position ?? null, null, pieces.length);
  return pieces.map((piece, index) => library.create('part', {
    routine, track: track.id, startFrame: piece.startFrame, endFrame: piece.endFrame,
    title: shownName(pieces, piece.id), position: positions[index] ?? '',
  }));
}
