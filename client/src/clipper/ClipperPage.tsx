// The second tab: the songs of the library, to listen to and to make routines from.

import { useEffect, useMemo, useRef, useState } from 'react';
import { useFromLibrary, useFromPlayer, useLibraryStatus, useServices } from '../app/services';
import { Scrubber } from '../practice/Scrubber';
import '../practice/transport.css';
import { usePlayhead } from '../practice/usePlayhead';
import type { Track } from '../sync/records';
import { Button } from '../ui/Button';
import { Icon } from '../ui/Icon';
import { clock, plural, spokenTime } from '../ui/time';
import { Waveform } from '../ui/Waveform';
import { titleFromFileName } from '../ui/words';
import './clipper.css';

const silent = {
  loopMode: 'off', markerA: null, markerB: null, countdownSeconds: 0, countdownRepeats: 'every',
  tickSound: 'clave', volume: 1,
} as const;

/** The list of songs. */
export function ClipperPage(): JSX.Element {
  const { player, drafts, navigation } = useServices();
  const tracks = useFromLibrary((library) => library.all('track'));
  const { loaded } = useLibraryStatus();
  const [chosen, setChosen] = useState<string | null>(null);
  const newestFirst = useMemo(() => [...tracks].sort((one, other) => other.createdAt - one.createdAt), [tracks]);
  // Leaving the page is silence.
  useEffect(() => () => player.load(null, silent), [player]);

  const play = (track: Track): void => {
    if (chosen !== track.id) {
      const end = track.lengthFrames ?? 0;
      player.load({ id: track.id, trackId: track.id, trackLengthFrames: end, startFrame: 0, endFrame: end }, silent);
      setChosen(track.id);
      player.play();
    } else {
      player.toggle();
    }
  };
  const makeRoutine = (track: Track): void => {
    drafts.open().addTrack(track);
    navigation.open('create');
  };

  return (
    <>
      <header className="page-head"><h1>Clipper</h1></header>
      <p className="clipper-note">
        <Icon name="clipper" />
        <span>
          Cutting a song into parts on this page is coming; today <code>segmance import … --cuts</code> cuts it
          on the command line.
        </span>
      </p>
      {tracks.length === 0 && loaded && (
        <div className="clipper-empty" data-testid="clipper-empty">
          <p>No songs yet. They come with the first routine.</p>
          <Button
            kind="primary" icon="plus"
            onClick={() => {
              drafts.open();
              navigation.open('create');
            }}
          >
            New routine
          </Button>
        </div>
      )}
      <ul className="tracks" data-testid="tracks">
        {newestFirst.map((track) => (
          <TrackRow
            key={track.id} track={track} isChosen={chosen === track.id} onPlay={() => play(track)}
            onMakeRoutine={() => makeRoutine(track)}
          />
        ))}
      </ul>
    </>
  );
}

interface TrackRowProps {
  readonly track: Track;
  readonly isChosen: boolean;
  readonly onPlay: () => void;
  readonly onMakeRoutine: () => void;
}

function TrackRow({ track, isChosen, onPlay, onMakeRoutine }: TrackRowProps): JSX.Element {
  const uses = useFromLibrary((library) => library.partsUsing(track.id)).length;
  const wantsToPlay = useFromPlayer((snapshot) => snapshot.wantsToPlay) && isChosen;
  const problem = useFromPlayer((snapshot) => snapshot.problem);
  const length = track.lengthFrames ?? 0;
  const playable = useMemo(() => (
    { partId: track.id, trackId: track.id, startFrame: 0, endFrame: length }
  ), [track.id, length]);
  const stretches = useMemo(() => [playable], [playable]);
  const isReady = track.state === 'ready' && length > 0;
  const title = track.title ?? titleFromFileName(track.fileName ?? '');
  return (
    <li className={isChosen ? 'track is-chosen' : 'track'} data-testid="track">
      <button
        type="button" className="play-button" disabled={!isReady} data-testid="track-play" onClick={onPlay}
        aria-label={`${wantsToPlay ? 'Pause' : 'Play'} ${title}`}
      >
        <Icon name={wantsToPlay ? 'pause' : 'play'} size={28} />
      </button>
      <div className="track-text">
        <h2 dir="auto">{title}</h2>
        <p className="time">
          {isReady && (
            <>
              {isChosen && <><Now />{' / '}</>}
              <span aria-label={spokenTime(length)}>{clock(length)}</span>
              {uses > 0 ? ` · in ${plural(uses, 'part')}` : ' · not in a routine'}
            </>
          )}
          {track.state === 'importing' && 'Being prepared'}
          {track.state === 'failed' && <span className="problem">{track.problem ?? 'This song can’t be played.'}</span>}
        </p>
        {isChosen && problem !== null && <p className="problem" role="alert">{problem}</p>}
      </div>
      <div className="track-wave">
        {isReady && (isChosen
          ? <Scrubber playable={playable} loop={null} />
          : <div className="track-still"><Waveform stretches={stretches} /></div>)}
      </div>
      <Button icon="plus" disabled={!isReady} data-testid="track-make-routine" onClick={onMakeRoutine}>
        Make a routine from this track
      </Button>
    </li>
  );
}

function Now(): JSX.Element {
  const text = useRef<HTMLSpanElement>(null);
  usePlayhead((frame) => {
    const now = clock(frame);
    if (text.current && text.current.textContent !== now) text.current.textContent = now;
  });
  return <span ref={text} />;
}
