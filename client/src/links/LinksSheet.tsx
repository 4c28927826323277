// Shares a routine, a part or an eight by a link; lists the links there are, and ends them.

import { useEffect, useState } from 'react';
import { rowsOf } from '../moves/eights';
import { useMoveCounts } from '../moves/useMoveCounts';
import { Link } from '../services/Link';
import { useServices } from '../services/services';
import type { Part, Routine } from '../sync/records';
import { reasonOf } from '../sync/requests';
import { Button, IconButton } from '../ui/Button';
import { Choices } from '../ui/Choices';
import { copyAddress } from '../ui/clipboard';
import { Confirm } from '../ui/Confirm';
import { LimitedField } from '../ui/LimitedField';
import { QRCode } from '../ui/QRCode';
import type { QRDrawing } from '../ui/qrDrawing';
import { Sheet } from '../ui/Sheet';
import { toasts } from '../ui/toasts';
import { dateText } from '../words/format';
import { lateWords } from '../words/lateWords';
import { words } from '../words/words';
import { fetchLinkCode, fetchLinks, makeLink, revokeLink, type NewLink, type SharedLink } from './api';
import './links.css';

interface LinksSheetProps {
  readonly routine: Routine;
  readonly parts: readonly Part[];
  /** The part that is shown. */
  readonly part: Part | undefined;
  readonly onClose: () => void;
}

/** How long a link lasts, in days. */
const lives = [1, 3, 7, 30, 90, 365] as const;
const day = 86_400_000;
/** The limits of a passcode, in characters. */
const shortestPasscode = 4;
const longestPasscode = 100;

/** The sheet. */
export function LinksSheet({ routine, parts, part, onClose }: LinksSheetProps): JSX.Element {
  const { library } = useServices();
  const [links, setLinks] = useState<readonly SharedLink[] | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const [made, setMade] = useState<string | null>(null);
  const text = lateWords.links;
  const load = (): void => {
    setProblem(null);
    fetchLinks(routine.id).then(setLinks, (failure: unknown) => setProblem(reasonOf(failure)));
  };
  useEffect(() => {
    // Those who open a link get what the server has.
    void library.refresh();
    load();
  }, [routine.id]);
  return (
    <Sheet title={text.share(routine.title)} size="tall" testId="links-sheet" onClose={onClose}>
      <div className="links">
        {problem !== null && (
          <div className="links-problem" role="alert" data-testid="links-problem">
            <p className="problem">{problem}</p>
            <Button icon="retry" onClick={load}>{words.common.retry}</Button>
          </div>
        )}
        <p className="note">{text.about}</p>
        <MakeLink
          routine={routine} parts={parts} part={part}
          onMade={(link) => {
            setMade(link.id);
            setLinks((before) => [link, ...(before ?? []).filter(({ id }) => id !== link.id)]);
          }}
        />
        {links !== null && links.length > 0 && (
          <ul className="link-list" aria-label={text.links} data-testid="link-list">
            {links.map((link) => (
              <LinkRow
                key={link.id} link={link} isNew={link.id === made} title={titleOf(link, routine, parts)}
                onRevoked={() => setLinks((before) => (before ?? []).filter(({ id }) => id !== link.id))}
              />
            ))}
          </ul>
        )}
      </div>
    </Sheet>
  );
}

type Scope = 'routine' | 'part' | 'eight';

function MakeLink({ routine, parts, part: shown, onMade }: Omit<LinksSheetProps, 'onClose'> & {
  readonly onMade: (link: SharedLink) => void;
}): JSX.Element {
  const [scope, setScope] = useState<Scope>('routine');
  const [partId, setPart] = useState(shown?.id ?? parts[0]?.id ?? null);
  const [eight, setEight] = useState(0);
  const [days, setDays] = useState<number>(7);
  const [passcode, setPasscode] = useState('');
  const [isBusy, setBusy] = useState(false);
  const text = lateWords.links;
  const part = parts.find(({ id }) => id === partId);
  const isShort = passcode !== '' && passcode.trim().length < shortestPasscode;
  const scopes: readonly Scope[] = parts.length > 0 ? ['routine', 'part', 'eight'] : ['routine'];
  const make = async (frames: Pick<NewLink, 'startFrame' | 'endFrame'>): Promise<void> => {
    setBusy(true);
    try {
      const link = await makeLink({
        routine: routine.id, expiresAt: Date.now() + days * day,
        ...(scope !== 'routine' && part && { part: part.id, ...frames }),
        ...(passcode !== '' && { passcode }),
      });
      setPasscode('');
      onMade(link);
    } catch (failure) {
      toasts.say(text.notMade(reasonOf(failure)), { kind: 'problem' });
    }
    setBusy(false);
  };
  return (
    <div className="link-form">
      <Choices
        legend={text.what} value={scope} testId="link-scope" onChoose={setScope}
        choices={scopes.map((value) => ({ value, label: text.scopes[value] }))}
      />
      {scope !== 'routine' && part && (
        <label className="field">
          <span>{text.part}</span>
          <select
            className="input select" value={part.id} data-testid="link-part"
            onChange={(event) => {
              setPart(event.target.value);
              setEight(0);
            }}
          >
            {parts.map(({ id, title }, at) => <option key={id} value={id}>{`${at + 1}. ${title}`}</option>)}
          </select>
        </label>
      )}
      <Choices
        legend={text.lasts} value={days} testId="link-days" onChoose={setDays}
        choices={lives.map((value) => ({ value, label: text.life(value) }))}
      />
      <LimitedField
        label={text.passcodeOptional} value={passcode} limit={longestPasscode} testId="link-new-passcode" onChange={setPasscode}
      />
      {isShort && <p className="problem" role="status">{text.passcodeShort(shortestPasscode)}</p>}
      {scope === 'eight' && part
        ? <MakeEight key={part.id} part={part} eight={eight} onEight={setEight} isDisabled={isBusy || isShort} onMake={make} />
        : <MakeButton isDisabled={isBusy || isShort} onPress={() => void make({})} />}
    </div>
  );
}

function MakeButton({ isDisabled, onPress }: { isDisabled: boolean; onPress: () => void }): JSX.Element {
  return (
    <Button kind="primary" icon="share" disabled={isDisabled} data-testid="link-make" onClick={onPress}>
      {lateWords.links.make}
    </Button>
  );
}

/** The choice of an eight; of a part without counts there is none. */
function MakeEight({ part, eight, onEight, isDisabled, onMake }: {
  readonly part: Part;
  readonly eight: number;
  readonly onEight: (eight: number) => void;
  readonly isDisabled: boolean;
  readonly onMake: (frames: { startFrame: number; endFrame: number }) => Promise<void>;
}): JSX.Element {
  const counts = useMoveCounts(part);
  const rows = counts ? rowsOf(counts) : [];
  const row = rows[Math.min(eight, rows.length - 1)];
  if (!counts || !row) return <p className="note" data-testid="link-no-eights">{lateWords.player.noCounts}</p>;
  const { grid, stretch } = counts;
  const frame = (count: number, border: number): number => (
    Math.min(stretch.endFrame, Math.max(stretch.startFrame, grid.frameAt(count, stretch) ?? border))
  );
  return (
    <>
      <label className="field">
        <span>{lateWords.links.eightField}</span>
        <select className="input select" value={eight} data-testid="link-eight" onChange={(event) => onEight(Number(event.target.value))}>
          {rows.map((each, at) => <option key={each.start} value={at}>{lateWords.links.eight(each.eight)}</option>)}
        </select>
      </label>
      <MakeButton
        isDisabled={isDisabled}
        onPress={() => void onMake({
          startFrame: frame(row.start, stretch.startFrame), endFrame: frame(row.start + row.length, stretch.endFrame),
        })}
      />
    </>
  );
}

function titleOf({ part, startFrame }: SharedLink, routine: Routine, parts: readonly Part[]): string {
  if (part === null) return lateWords.links.scopes.routine;
  const at = parts.findIndex(({ id }) => id === part);
  const title = at < 0 ? routine.title : `${at + 1}. ${parts[at]?.title ?? ''}`;
  return startFrame === null ? title : lateWords.links.eightOf(title);
}

function LinkRow({ link, title, isNew, onRevoked }: {
  readonly link: SharedLink;
  readonly title: string;
  readonly isNew: boolean;
  readonly onRevoked: () => void;
}): JSX.Element {
  const [code, setCode] = useState<QRDrawing | null>(null);
  const [isAsking, setAsking] = useState(false);
  const text = lateWords.links;
  const { address } = link;
  const isOver = link.expiresAt <= Date.now();
  const showCode = (): void => {
    if (code) setCode(null);
    else fetchLinkCode(link.id).then(setCode, (failure: unknown) => toasts.say(reasonOf(failure), { kind: 'problem' }));
  };
  return (
    <li className="link-row" data-testid="link-row" data-new={isNew ? '' : undefined}>
      <div className="link-head">
        <div className="row-text">
          <b dir="auto">{title}</b>
          <small>
            {[
              isOver ? text.over(dateText(link.expiresAt)) : text.until(dateText(link.expiresAt, true)),
              text.openings(link.openings),
              ...(link.hasPasscode ? [text.withPasscode] : []),
            ].join(' · ')}
          </small>
        </div>
        <IconButton icon="trash" label={text.end(title)} data-testid="link-revoke" onClick={() => setAsking(true)} />
      </div>
      {!isOver && address === null && (
        <p className="note" data-testid="link-no-address">
          {`${text.unreachable} `}
          <Link route={{ page: 'settings', room: 'devices' }} data-testid="link-network">{text.toNetwork}</Link>
        </p>
      )}
      {!isOver && address !== null && (
        <>
          <code className="link-address" data-testid="link-address">{address}</code>
          <div className="link-actions">
            <Button isSmall icon="copy" data-testid="link-copy" onClick={() => copyAddress(address)}>{text.copy}</Button>
            <Button isSmall icon="device" aria-expanded={code !== null} data-testid="link-code" onClick={showCode}>{text.code}</Button>
            {'share' in navigator && (
              <Button
                isSmall icon="share" data-testid="link-share"
                // The user closed the share sheet.
                onClick={() => void navigator.share({ title, url: address }).catch(() => undefined)}
              >
                {lateWords.ui.share}
              </Button>
            )}
          </div>
          {code && <QRCode code={code} label={text.codeOf(title)} />}
        </>
      )}
      {isAsking && (
        <Confirm
          title={text.endQuestion} action={text.endIt} onClose={() => setAsking(false)}
          onConfirm={() => {
            revokeLink(link.id).then(() => {
              onRevoked();
              toasts.say(text.ended);
            }, (failure: unknown) => toasts.say(reasonOf(failure), { kind: 'problem' }));
          }}
        >
          {text.endExplained}
        </Confirm>
      )}
    </li>
  );
}
