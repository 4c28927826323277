// The media that a part needs to be practised without a network, and the recently practised parts
// that fit into the budget. Pure.

import { mediaAddress } from '../apiAddress';
import { callLanguage, nameOfMove, nameOfPart } from '../audio/callNames';
import type { Move, Part, Recording, Routine, Track, Video } from '../sync/records';
import type { Settings } from '../sync/settings';
import { chunkFrames } from '../timeline';
import type { RecentPart } from './database';

/** A file to be stored. */
export interface Need {
  readonly address: string;
  readonly kind: 'whole' | 'video';
  /** Its approximate size, before it is downloaded. */
  readonly bytes: number;
  /** Whether practice works without it, so that its absence is no problem. */
  readonly isExtra: boolean;
}

/** The size of ten seconds of music as FLAC; between speech and noise. */
const chunkBytes = 1_200_000;
const posterBytes = 40_000;
const analysisBytes = 40_000;
/** A second of speech. */
const nameBytes = 48_000;
const peaksFrames = 64;

/** The record lookups. */
export interface NeedsLibrary {
  get(type: 'track', id: string): Track | undefined;
  get(type: 'video', id: string): Video | undefined;
  get(type: 'recording', id: string): Recording | undefined;
  get(type: 'routine', id: string): Pick<Routine, 'title' | 'evenLoudness'> | undefined;
  parts(routineId: string): readonly Part[];
  moves(partId: string): readonly Move[];
  setting<N extends 'caller' | 'callerLanguage'>(name: N): Settings[N];
}

/** Returns the chunks that a part plays. */
export function audioNeedsOf(part: Part, library: NeedsLibrary): Need[] {
  const track = part.track ? library.get('track', part.track) : undefined;
  const needs: Need[] = [];
  if (track?.state !== 'ready' || !track.lengthFrames) return needs;
  const end = Math.min(part.endFrame ?? track.lengthFrames, track.lengthFrames);
  const start = Math.max(0, part.startFrame ?? 0);
  for (let chunk = Math.floor(start / chunkFrames); chunk * chunkFrames < end; chunk += 1) {
    needs.push(whole(mediaAddress.chunk(track.id, chunk), chunkBytes));
  }
  return needs;
}

/**
 * Returns the media that a part needs: its chunks, its waveform, its video, the names that are said, and what
 * makes it as loud as the other songs of its routine.
 */
export function needsOf(part: Part, library: NeedsLibrary): Need[] {
  const track = part.track ? library.get('track', part.track) : undefined;
  const video = part.video ? library.get('video', part.video) : undefined;
  const needs = audioNeedsOf(part, library);
  if (track?.state === 'ready' && track.lengthFrames) {
    needs.push(whole(mediaAddress.peaks(track.id), Math.ceil(track.lengthFrames / peaksFrames) * 2));
    needs.push(whole(mediaAddress.analysis(track.id), analysisBytes, true));
  }
  needs.push(...levelNeedsOf(part, library), ...nameNeedsOf(part, library));
  if (video?.state === 'ready') {
    needs.push({ address: mediaAddress.video(video.id), kind: 'video', bytes: video.size ?? 0, isExtra: false });
    needs.push(whole(mediaAddress.poster(video.id), posterBytes, true));
  }
  return needs;
}

/** Returns the analyses of the routine's other songs, where all are played equally loud. */
function levelNeedsOf(part: Part, library: NeedsLibrary): Need[] {
  if (library.get('routine', part.routine)?.evenLoudness !== 1) return [];
  const others = new Set(library.parts(part.routine).flatMap(({ track }) => (track && track !== part.track ? track : [])));
  return [...others].filter((id) => library.get('track', id)?.state === 'ready')
    .map((id) => whole(mediaAddress.analysis(id), analysisBytes, true));
}

/** Returns the names that the caller says. */
function nameNeedsOf(part: Part, library: NeedsLibrary): Need[] {
  if (!library.setting('caller')) return [];
  const language = callLanguage(library.setting('callerLanguage'));
  const laid = library.moves(part.id).filter(({ startCount }) => typeof startCount === 'number');
  return [nameOfPart(part.title, language), ...laid.map((move) => nameOfMove(move, language, library))]
    .map((address) => whole(address, nameBytes, true));
}

/** Returns the media that several parts need, without duplicates. */
export function needsOfAll(parts: readonly Part[], library: NeedsLibrary): Need[] {
  const needs = new Map<string, Need>();
  for (const part of parts) for (const need of needsOf(part, library)) needs.set(need.address, need);
  return [...needs.values()];
}

function whole(address: string, bytes: number, isExtra = false): Need {
  return { address, kind: 'whole', bytes, isExtra };
}

/**
 * Chooses the recently practised parts to keep: the latest first, until the budget is used up.
 * Media for which `isKept` is true cost nothing.
 */
export function recentNeeds(
  recent: readonly RecentPart[], budgetBytes: number, needsOfPart: (part: string) => readonly Need[],
  isKept: (address: string) => boolean, sizeOf: (need: Need) => number,
): { readonly parts: readonly string[]; readonly needs: readonly Need[] } {
  const chosen = new Map<string, Need>();
  const parts: string[] = [];
  let left = budgetBytes;
  for (const { part } of [...recent].sort((one, other) => other.at - one.at)) {
    const fresh = needsOfPart(part).filter(({ address }) => !isKept(address) && !chosen.has(address));
    const bytes = fresh.reduce((sum, need) => sum + sizeOf(need), 0);
    // A part that is larger than the whole budget does not displace the others.
    if (bytes > budgetBytes) continue;
    if (bytes > left) break;
    left -= bytes;
    parts.push(part);
    for (const need of fresh) chosen.set(need.address, need);
  }
  return { parts, needs: [...chosen.values()] };
}
