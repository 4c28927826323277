// How this person can sign in at other browsers, in the settings of their devices.

import { useState } from 'react';
import { longestPersonName, type Person } from '../people/api';
import { reasonOf } from '../sync/requests';
import { serverOwner } from '../sync/replica';
import { Button, IconButton } from '../ui/Button';
import { Confirm } from '../ui/Confirm';
import { Icon } from '../ui/Icon';
import { Named } from '../ui/Named';
import { proposedName } from '../ui/platform';
import { toasts } from '../ui/toasts';
import { dateText } from '../words/format';
import { lateWords } from '../words/lateWords';
import {
  addPasskey, departToAdd, fetchAddition, removeAccount, removePasskey, removePassword, type AccountInfo, type Credentials,
  type PasskeyInfo,
} from './api';
import { depart } from './departure';
import { hasPasskeys, makePasskey } from './passkeys';
import { PasswordSheet } from './PasswordSheet';
import './signIn.css';

/** What is open above the page. */
type Open = { readonly kind: 'password' | 'removePassword' } | { readonly kind: 'removePasskey'; readonly passkey: PasskeyInfo }
  | { readonly kind: 'removeAccount'; readonly account: AccountInfo } | null;

interface OwnCredentialsProps {
  readonly person: Person;
  readonly credentials: Credentials;
  readonly onChanged: () => Promise<void>;
}

/** The group. */
export function OwnCredentials({ person, credentials: { login, passkeys, accounts, provider }, onChanged }: OwnCredentialsProps): JSX.Element {
  const [open, setOpen] = useState<Open>(null);
  const [isBusy, setBusy] = useState(false);
  const text = lateWords.signIn;
  const close = (): void => setOpen(null);
  const attempt = async (work: () => Promise<string | null>): Promise<void> => {
    setBusy(true);
    try {
      const done = await work();
      if (done !== null) toasts.say(done);
    } catch (failure) {
      const isKnown = failure instanceof DOMException && failure.name === 'InvalidStateError';
      toasts.say(isKnown ? text.passkeyKnown : reasonOf(failure), { kind: 'problem' });
    }
    setBusy(false);
    await onChanged();
  };
  const add = (): Promise<void> => attempt(async () => {
    const addition = await fetchAddition(person.id);
    const passkey = await makePasskey(addition, { id: person.id, name: person.name || text.ownerName });
    if (passkey === null) return null;
    await addPasskey(person.id, { passkey, challenge: addition.challenge, name: proposedName(navigator).slice(0, longestPersonName) });
    return text.passkeyAdded;
  });
  return (
    <section className="settings-group" aria-label={text.elsewhere} data-testid="own-credentials">
      <h2>{text.elsewhere}</h2>
      <p className="note">{text.about}</p>
      <div className="credentials">
        {login !== null && <p><Named message={text.signsInAs} name={login} isBold /></p>}
        <div className="sign-in-ways">
          <Button data-testid="set-password" onClick={() => setOpen({ kind: 'password' })}>
            {login === null ? text.setPassword : text.changePassword}
          </Button>
          {login !== null && (
            <Button data-testid="remove-password" onClick={() => setOpen({ kind: 'removePassword' })}>{text.removePassword}</Button>
          )}
        </div>
        {passkeys.length > 0 && (
          <ul className="rows" data-testid="passkey-rows">
            {passkeys.map((passkey) => (
              <li key={passkey.id} className="row-holder" data-testid="passkey-row">
                <div className="row is-still">
                  <Icon name="check" />
                  <span className="row-text">
                    <b dir="auto">{passkey.name}</b>
                    <small>
                      {passkey.lastUsedAt === null
                        ? text.passkeyAddedOn(dateText(passkey.createdAt)) : text.passkeyUsedOn(dateText(passkey.lastUsedAt))}
                      {passkey.site !== location.hostname && <Named message={text.passkeyAt} name={passkey.site} />}
                    </small>
                  </span>
                </div>
                <IconButton
                  icon="close" label={text.removePasskey(passkey.name)} data-testid="remove-passkey"
                  onClick={() => setOpen({ kind: 'removePasskey', passkey })}
                />
              </li>
            ))}
          </ul>
        )}
        {hasPasskeys()
          ? <Button icon="plus" data-testid="add-passkey" disabled={isBusy} onClick={() => void add()}>{text.addPasskey}</Button>
          : <p className="note" data-testid="no-passkeys">{text.noPasskeysHere}</p>}
        {accounts.length > 0 && (
          <ul className="rows" data-testid="account-rows">
            {accounts.map((account) => (
              <li key={account.id} className="row-holder" data-testid="account-row">
                <div className="row is-still">
                  <Icon name="check" />
                  <span className="row-text">
                    <b dir="auto">{account.name || text.account}</b>
                    <small>
                      <Named message={text.accountAt} name={account.host} />
                      {account.lastUsedAt === null
                        ? text.passkeyAddedOn(dateText(account.createdAt)) : text.passkeyUsedOn(dateText(account.lastUsedAt))}
                    </small>
                  </span>
                </div>
                <IconButton
                  icon="close" label={text.removeAccount(account.name || account.host)} data-testid="remove-account"
                  onClick={() => setOpen({ kind: 'removeAccount', account })}
                />
              </li>
            ))}
          </ul>
        )}
        {provider !== null && (
          <Button
            icon="plus" data-testid="add-account" disabled={isBusy}
            onClick={() => void attempt(async () => {
              depart(await departToAdd(person.id), { person: person.id });
              return null;
            })}
          >
            {text.addAccount(provider)}
          </Button>
        )}
      </div>
      {open?.kind === 'password' && (
        <PasswordSheet
          person={person.id} login={login} proposedLogin={person.name} onClose={close}
          onDone={() => {
            close();
            toasts.say(text.passwordSet);
            void onChanged();
          }}
        />
      )}
      {open?.kind === 'removePassword' && (
        <Confirm
          title={text.removePasswordQuestion} action={text.removePassword} onClose={close}
          onConfirm={() => void attempt(async () => {
            await removePassword(person.id);
            return text.passwordRemoved;
          })}
        >
          {text.removeExplained}
        </Confirm>
      )}
      {open?.kind === 'removeAccount' && (
        <Confirm
          title={text.removeAccountQuestion} action={text.remove} onClose={close}
          onConfirm={() => void attempt(async () => {
            await removeAccount(person.id, open.account.id);
            return text.accountRemoved;
          })}
        >
          {text.removeExplained}
          <span className="confirm-line"><bdi>{open.account.name || open.account.host}</bdi></span>
        </Confirm>
      )}
      {open?.kind === 'removePasskey' && (
        <Confirm
          title={text.removePasskeyQuestion} action={text.remove} onClose={close}
          onConfirm={() => void attempt(async () => {
            await removePasskey(person.id, open.passkey.id);
            return text.passkeyRemoved;
          })}
        >
          {text.removeExplained}
          <span className="confirm-line"><bdi>{open.passkey.name}</bdi></span>
        </Confirm>
      )}
    </section>
  );
}

/** How somebody else can sign in, which the owner may end. Nothing if they can't. */
export function OthersCredentials({
  person, credentials: { login, passkeys, accounts }, onChanged,
}: OwnCredentialsProps): JSX.Element | null {
  const [isAsking, setAsking] = useState(false);
  const text = lateWords.signIn;
  if (person.id === serverOwner || (login === null && passkeys.length === 0 && accounts.length === 0)) return null;
  const removeAll = async (): Promise<void> => {
    try {
      if (login !== null) await removePassword(person.id);
      for (const { id } of passkeys) await removePasskey(person.id, id);
      for (const { id } of accounts) await removeAccount(person.id, id);
      toasts.say(text.waysRemoved(person.name));
    } catch (failure) {
      toasts.say(reasonOf(failure), { kind: 'problem' });
    }
    await onChanged();
  };
  return (
    <div className="credentials" data-testid="others-credentials">
      <p className="note">{text.othersWays(login, passkeys.length, accounts.length)}</p>
      <Button data-testid="remove-ways" onClick={() => setAsking(true)}>{text.removeWays}</Button>
      {isAsking && (
        <Confirm title={text.removeWaysQuestion(person.name)} action={text.removeWays} onClose={() => setAsking(false)} onConfirm={() => void removeAll()}>
          {text.removeWaysExplained}
        </Confirm>
      )}
    </div>
  );
}
