// The video over a routine's page: the floating player, the sheet that chooses one, the menu of its button,
// and the panel that sets its offset.

import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useFromLibrary, useMayEdit, useOverlay, useServices } from '../services/services';
import type { Run } from '../parts/useRun';
import type { Part } from '../sync/records';
import { Menu, type MenuItem } from '../ui/Menu';
import { toasts } from '../ui/toasts';
import { lateWords } from '../words/lateWords';
import { FloatingVideo } from './FloatingVideo';
import { PartMusic } from './playerClock';
import { OffsetPanel } from './OffsetPanel';
import { PickVideo } from './PickVideo';
import { useShared, useVideoStatus } from './videoServices';
import { useFoundOffset } from './useOffset';
import type { VideoSwitch } from './VideoAction';

interface VideoOnPageProps {
  readonly part: Part;
  readonly index: number;
  readonly run: Run | null;
  readonly video: VideoSwitch;
  /** Whether the stage view covers the page, and shows the picture itself. */
  readonly isCovered: boolean;
  /** Files that were dropped on the page. */
  readonly dropped: readonly File[] | null;
  readonly onDropTaken: () => void;
}

/** All visible parts of the video. */
export function VideoOnPage({ part, index, run, video, isCovered, dropped, onDropTaken }: VideoOnPageProps): JSX.Element {
  const { navigation, player } = useServices();
  const mayEdit = useMayEdit(part.routine);
  const { links } = useShared();
  const standing = useVideoStatus(part);
  const [isPicking, openPick, closePick] = useOverlay('video');
  /** The offsets being tried in open panels: one for each part, for the video that it has now. */
  const [drafts, setDrafts] = useState<Readonly<Record<string, number | undefined>>>({});
  const [panelHeight, setPanelHeight] = useState(0);
  const track = useFromLibrary((current) => (part.track ? current.get('track', part.track) : undefined));
  const ready = standing.kind === 'ready' ? standing.video : null;
  const music = useMemo(() => new PartMusic(player), [player]);
  music.run = run;
  music.index = index;

  const { question, alignment } = useFoundOffset(part, ready, track, (suggestion) => openOffset(suggestion));
  const suggested = alignment?.state === 'found' ? alignment.offset : null;
  // A search may end while another part, or another page, is shown.
  const shown = useRef<string | null>(null);
  shown.current = part.id;
  useEffect(() => () => {
    shown.current = null;
  }, []);
  // An open menu would act on the part that the page has switched to.
  useLayoutEffect(() => () => video.openMenu(false), [part.id]);
  const linked = `${part.id} ${part.video}`;
  const draft = drafts[linked];
  const setDraft = (next: number | undefined): void => setDrafts((before) => ({ ...before, [linked]: next }));
  const openOffset = (suggestion: number | null = suggested): void => {
    if (!question) return;
    if (shown.current === part.id) {
      navigation.close('player');
      video.show(true);
    }
    const first = part.videoOffset ?? suggestion ?? question.start;
    // A search may end after the panel was opened: an offset set by hand stays.
    setDrafts((before) => ({ ...before, [linked]: before[linked] ?? first }));
  };

  const upload = (file: File, to = part.id): void => {
    if (file.type.startsWith('audio/')) {
      toasts.say(lateWords.video.isSong, { kind: 'problem' });
      return;
    }
    links.start(to, file);
    video.show(true);
  };
  const latest = useRef(upload);
  latest.current = upload;
  useLayoutEffect(() => {
    const [file] = dropped ?? [];
    if (!file) return;
    onDropTaken();
    latest.current(file);
  }, [dropped]);

  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      const target = event.target instanceof Element ? event.target : null;
      const isOther = event.altKey || event.ctrlKey || event.metaKey || event.repeat;
      if (event.defaultPrevented || isOther || event.key.toLowerCase() !== 'v') return;
      if (target?.closest('input, textarea, select, dialog, [role=menu]')) return;
      event.preventDefault();
      video.show(!video.isShown);
    };
    window.addEventListener('keydown', pressed);
    return () => window.removeEventListener('keydown', pressed);
  });

  const isSetting = draft !== undefined && question !== null;
  const said = lateWords.video;
  const items: MenuItem[] = !mayEdit ? [] : [
    { label: said.replace, icon: 'film', testId: 'video-replace', run: openPick },
    { label: said.unlink, icon: 'close', testId: 'video-unlink', run: () => links.unlink(part.id) },
    {
      label: said.setOffset, icon: 'timer', testId: 'video-set-offset', isDisabled: question === null,
      run: () => openOffset(),
    },
  ];
  const holder = document.querySelector('[data-video-menu]');
  const offset = isSetting ? draft : part.videoOffset ?? null;
  return (
    <>
      {video.isMenuOpen && holder && createPortal(
        <Menu label={said.video} items={items} onClose={() => video.openMenu(false)} />, holder)}
      {isPicking && <PickVideo part={part} onClose={closePick} onFile={upload} onChosen={() => video.show(true)} />}
      {video.isShown && !isCovered && standing.kind !== 'none' && (
        <FloatingVideo
          part={part} standing={standing} music={music} isRun={run !== null} offset={offset} isSetting={isSetting}
          canFollow={question !== null} alignment={alignment} items={items} panelHeight={isSetting ? panelHeight : 0}
          onSetOffset={() => openOffset()} onReplace={openPick} onClose={() => video.show(false)}
        />
      )}
      {isSetting && ready && (
        <OffsetPanel
          key={linked} part={part} video={ready} question={question} alignment={alignment} draft={draft}
          onDraft={setDraft} onHeight={setPanelHeight} onClose={() => setDraft(undefined)}
        />
      )}
    </>
  );
}
