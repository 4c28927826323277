// Clips as audio files, one by one or all in a zip, and their times as labels or a cue sheet.

import { useEffect, useId, useState } from 'react';
import { apiAddress } from '../apiAddress';
import { useLibraryStatus, useServices } from '../services/services';
import type { Track } from '../sync/records';
import { Button } from '../ui/Button';
import { Choices } from '../ui/Choices';
import { remember, remembered } from '../ui/device';
import { Icon } from '../ui/Icon';
import { ProgressBar } from '../ui/ProgressBar';
import { ShareButton } from '../ui/ShareButton';
import { Sheet } from '../ui/Sheet';
import { percentText } from '../words/format';
import { clock, framesOf } from '../ui/time';
import { saveText } from '../ui/save';
import { trackTitle } from '../ui/trackTitle';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { mostCueTracks, writeCueSheet } from './model/cueSheet';
import { writeCounts, writeLabels } from './model/labels';
import { shownName } from './model/names';
import type { Piece } from './model/pieces';
import { useTrackCounts } from './useTrackCounts';
import { useZip } from './useZip';

const formats = [
  { value: 'wav', label: 'WAV' }, { value: 'flac', label: 'FLAC' }, { value: 'mp3', label: 'MP3' },
  { value: 'm4a', label: 'M4A' }, { value: 'opus', label: 'Opus' },
] as const;

type Format = typeof formats[number]['value'];

const mediaTypes: Record<Format, string> = {
  wav: 'audio/wav', flac: 'audio/flac', mp3: 'audio/mpeg', m4a: 'audio/mp4', opus: 'audio/ogg',
};

interface DownloadSheetProps {
  readonly track: Track;
  /** The clips to download: all of them, or one. */
  readonly pieces: readonly Piece[];
  readonly all: readonly Piece[];
  readonly onClose: () => void;
}

/** The sheet with formats, fades and links. */
export function DownloadSheet({ track, pieces, all, onClose }: DownloadSheetProps): JSX.Element {
  const { library } = useServices();
  const { online } = useLibraryStatus();
  const [format, setFormat] = useState<Format>(() => (
    formats.find(({ value }) => value === remembered('exportFormat'))?.value ?? 'flac'
  ));
  const [fadeIn, setFadeIn] = useState('0');
  const [fadeOut, setFadeOut] = useState('0');
  const [zip, makeZip, cancelZip] = useZip();
  const { counts } = useTrackCounts(track);
  useEffect(() => {
    void library.refresh();
  }, [library]);

  const said = lateWords.clipper;
  const title = trackTitle(track);
  const labels = pieces.map((piece) => ({ ...piece, title: shownName(all, piece.id) }));
  const fades = { fadeIn: fadeFrames(fadeIn) ?? 0, fadeOut: fadeFrames(fadeOut) ?? 0 };
  const addressOf = (piece: Piece): string => {
    // The two fades of a short clip must not overlap.
    const most = Math.floor((piece.endFrame - piece.startFrame) / 2);
    const query = new URLSearchParams({
      start: String(piece.startFrame), end: String(piece.endFrame), format,
      fadeIn: String(Math.min(most, fades.fadeIn)), fadeOut: String(Math.min(most, fades.fadeOut)),
    });
    return apiAddress.clip(track.id, query.toString());
  };
  return (
    <Sheet
      title={pieces.length === 1 ? said.downloadOne(labels[0]?.title ?? '') : said.downloadAll} size="tall"
      onClose={onClose} testId="download-sheet"
    >
      <div className="stack">
        {!online && (
          <p className="problem" role="status">{said.downloadOffline}</p>
        )}
        <Choices
          legend={said.format} choices={formats} value={format} testId="download-format"
          onChoose={(value) => {
            remember('exportFormat', value);
            setFormat(value);
          }}
        />
        {(format === 'wav' || format === 'flac') && <p className="note" data-testid="download-depth">{said.depth}</p>}
        <div className="fades">
          <Fade label={said.fadeIn} value={fadeIn} onChange={setFadeIn} testId="fade-in" />
          <Fade label={said.fadeOut} value={fadeOut} onChange={setFadeOut} testId="fade-out" />
        </div>
        {pieces.length > 1 && (
          <div className="zip" aria-live="polite">
            {zip.state === 'working'
              ? (
                <>
                  <ProgressBar percent={Math.round(zip.progress * 100)} label={said.makingZip} />
                  <p className="time">{`${said.makingZip} ${percentText(100 * zip.progress)}`}</p>
                  <Button icon="close" data-testid="zip-cancel" onClick={cancelZip}>{words.common.cancel}</Button>
                </>
              )
              : (
                <Button
                  kind="primary" icon="download" data-testid="zip" disabled={!online}
                  onClick={() => makeZip({
                    format, ...fades,
                    clips: labels.map((label) => ({
                      track: track.id, start: label.startFrame, end: label.endFrame, title: label.title,
                    })),
                  })}
                >
                  {said.allInZip}
                </Button>
              )}
            {zip.state === 'done' && (
              <p data-testid="zip-done">
                {said.zipMade}
                {' '}
                <a href={zip.address} download="">{said.saveAgain}</a>
              </p>
            )}
            {zip.state === 'failed' && <p className="problem" role="alert" data-testid="zip-failed">{zip.sentence}</p>}
          </div>
        )}
        <ul className="rows">
          {labels.map((piece) => (
            <li key={piece.id} className="row-holder">
              <a className="row" href={addressOf(piece)} download="" data-testid="download-clip">
                <span className="row-text">
                  <b dir="auto">{piece.title}</b>
                  <small className="time">{clock(piece.endFrame - piece.startFrame)}</small>
                </span>
                <Icon name="download" />
              </a>
              <ShareButton
                address={addressOf(piece)} file={{ name: `clip.${format}`, type: mediaTypes[format] }} what={piece.title}
                testId="share-clip"
              />
            </li>
          ))}
        </ul>
        <div className="texts">
          <Button data-testid="labels-out" onClick={() => saveText(`${title}.txt`, writeLabels(labels))}>
            {said.audacityLabels}
          </Button>
          {counts && (
            <Button data-testid="counts-out" onClick={() => saveText(said.countsFile(title), writeCounts(counts.beats))}>
              {said.countLabels}
            </Button>
          )}
          <Button
            data-testid="cue-out" disabled={labels.length > mostCueTracks}
            onClick={() => saveText(`${title}.cue`, writeCueSheet(title, track.fileName ?? title, labels))}
          >
            {said.cueSheet}
          </Button>
          {labels.length > mostCueTracks && <p>{said.cueSheetLimit(mostCueTracks)}</p>}
        </div>
      </div>
    </Sheet>
  );
}

/** Parses tenths of a second, as frames; null for more than ten seconds and for invalid text. */
function fadeFrames(text: string): number | null {
  const seconds = Number(text.replace(',', '.'));
  return seconds <= 10 ? framesOf(Math.round(seconds * 10) / 10) : null;
}

function Fade({ label, value, onChange, testId }: {
  label: string; value: string; onChange: (value: string) => void; testId: string;
}): JSX.Element {
  const id = useId();
  const isWrong = fadeFrames(value) === null;
  return (
    <div className="field">
      <label className="field">
        <span>{label}</span>
        <input
          className="input time" inputMode="decimal" autoComplete="off" value={value} data-testid={testId}
          aria-invalid={isWrong} aria-describedby={isWrong ? id : undefined}
          onChange={(event) => onChange(event.target.value.replace(/[^\d.,]/g, '').slice(0, 4))}
        />
      </label>
      {isWrong && (
        <small id={id} className="problem" role="alert">
          {lateWords.clipper.wrongFade}
        </small>
      )}
    </div>
  );
}
