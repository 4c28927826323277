// Fetches waveforms once and caches the most recently used ones, within a limit.

import { mediaAddress } from '../apiAddress';
import { parsePeaks, type Peaks } from './peaks';

const mostBytes = 8_000_000;

/** Fetches a waveform's bytes. */
export type FetchPeaks = (trackId: string, framesPerPixel: number) => Promise<ArrayBuffer>;

const fetchFromServer: FetchPeaks = async (trackId, framesPerPixel) => {
  const response = await fetch(mediaAddress.peaks(trackId, framesPerPixel));
  if (!response.ok) throw new Error(`The waveform could not be loaded (${response.status}).`);
  return response.arrayBuffer();
};

/** The cached waveforms, the least recently used is evicted first. */
export class PeaksCache {
  private readonly arrived = new Map<string, Peaks>();
  private readonly underWay = new Map<string, Promise<Peaks>>();
  private bytes = 0;

  constructor(private readonly fetchPeaks: FetchPeaks = fetchFromServer) {}

  /** Returns a waveform if it is cached. */
  peek(trackId: string, framesPerPixel: number): Peaks | null {
    const key = `${trackId} ${framesPerPixel}`;
    const peaks = this.arrived.get(key);
    if (!peaks) return null;
    this.arrived.delete(key);
    this.arrived.set(key, peaks);
    return peaks;
  }

  /**
   * Returns a waveform, and fetches it if it is not cached. A failure is not cached, so that it can
   * be tried again.
   */
  get(trackId: string, framesPerPixel: number): Promise<Peaks> {
    const here = this.peek(trackId, framesPerPixel);
    if (here) return Promise.resolve(here);
    const key = `${trackId} ${framesPerPixel}`;
    let request = this.underWay.get(key);
    if (!request) {
      request = this.fetchPeaks(trackId, framesPerPixel)
        .then((data) => {
          const peaks = parsePeaks(data);
          this.keep(key, peaks);
          return peaks;
        })
        .finally(() => this.underWay.delete(key));
      this.underWay.set(key, request);
    }
    return request;
  }

  private keep(key: string, peaks: Peaks): void {
    this.arrived.set(key, peaks);
    this.bytes += peaks.pairs.byteLength;
    for (const [oldest, old] of this.arrived) {
      if (this.bytes <= mostBytes || oldest === key) break;
      this.arrived.delete(oldest);
      this.bytes -= old.pairs.byteLength;
    }
  }
}

/** The app's one cache of waveforms. */
export const peaksCache = new PeaksCache();
