// What a notification says, from the server's message (Sources/Server/Push/CommentNotice.swift). Pure.

import { noticeWords } from '../words/notices';

/** The place of a comment. */
export interface NoticePlace {
  readonly routine: string;
  readonly part: string;
  readonly comment: string;
}

/** A notification as browsers show it. */
export interface ShownNotice {
  readonly title: string;
  readonly body: string;
  readonly language: string;
  /** A later one with the same tag replaces it: the routine's id, of mentions with a word behind it. */
  readonly tag: string;
  /** Null if the message can't be read, by an old worker for instance. */
  readonly place: NoticePlace | null;
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Reads a message; one that can't be read is a comment without details, as browsers demand that something is shown. */
export function shownNotice(message: unknown): ShownNotice {
  const { language, routine, part, comment, who, where, text: said, isMention } = (message ?? {}) as { readonly [name: string]: unknown };
  const spoken = language === 'es' ? 'es' : 'en';
  const words = noticeWords[spoken];
  const titles = Array.isArray(where) ? where.map(text).filter((title) => title !== '') : [];
  const place = { routine: text(routine), part: text(part), comment: text(comment) };
  return {
    title: isMention === true ? words.mentioned(text(who)) : words.commented(text(who)),
    body: [titles.join(' · '), text(said)].filter((line) => line !== '').join('\n'),
    language: spoken,
    tag: place.routine === '' ? 'segmance' : isMention === true ? `${place.routine} mention` : place.routine,
    place: place.routine === '' ? null : place,
  };
}

const part = '/parts/';
const comment = '#comment=';

/** The address of a comment's place. */
export const noticeAddress = (place: NoticePlace | null): string => (
  place === null ? '/' : `/routines/${encodeURIComponent(place.routine)}${part}${encodeURIComponent(place.part)}${comment}${encodeURIComponent(place.comment)}`
);

/** Returns the comment that the end of such an address names; null if it names none. */
export function commentInHash(hash: string): string | null {
  const id = hash.startsWith(comment.slice(1)) ? hash.slice(comment.length - 1) : '';
  return /^[0-9a-f-]{36}$/.test(id) ? id : null;
}

/** Whether a browser permits a message that shows nothing while a page of the app is in front. WebKit ends subscriptions for it. */
export const maySuppress = (userAgent: string): boolean => !userAgent.includes('AppleWebKit') || /Chrom(e|ium)\//.test(userAgent);
