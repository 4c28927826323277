// A server in memory that does what the real one promises: it merges field by field, the later
// stamp winning, numbers what changed, answers in pages, and takes uploads that can be resumed.

import { validateFields } from '../../../src/sync/validation';
import type { RecordType } from '../../../src/sync/records';
import type { Change, Job, Space, WireRecord } from '../../../src/sync/wire';

interface Cell {
  value: unknown;
  stamp: string;
}

interface Kept {
  /** The group that has it; null: the person's own. */
  readonly space: string | null;
  readonly type: string;
  readonly id: string;
  seq: number;
  createdAt: number;
  readonly cells: Map<string, Cell>;
}

interface KeptUpload {
  readonly length: number;
  readonly fileName: string;
  bytes: string;
}

/** The library, its uploads and its jobs. */
export class FakeServer {
  seq = 0;
  /** The library id. A restored library has another one. */
  library: string | null = null;
  /** Who asks, and in which groups; without a person the server does not say. */
  person: string | null = null;
  spaces: readonly Space[] = [];
  people: boolean | null = null;
  pageSize = 1000;
  /** The wall clock, in Unix milliseconds. Without one no stamp is too far ahead. */
  wallClock: (() => number) | null = null;
  readonly records = new Map<string, Kept>();
  readonly uploads = new Map<string, KeptUpload>();
  readonly jobs = new Map<string, Job>();
  /** The upload of each track. */
  readonly trackBytes = new Map<string, string>();
  /** Whether imports stay running until `finishJob`. */
  holdsJobs = false;
  /** The method and path of every request. */
  readonly log: string[] = [];
  /** Every received change, including repeated ones. */
  readonly heard: Change[] = [];
  onEvent: (type: string, data: unknown) => void = () => undefined;
  private clock = '0000000000000-0000-00000000';
  private purged = 0;
  private made = 0;

  /** Answers one request. */
  async handle(url: string, request: RequestInit): Promise<Response> {
    const method = request.method ?? 'GET';
    const path = new URL(url, 'http://localhost').pathname;
    this.log.push(`${method} ${path}`);
    if (path === '/api/sync') return this.sync(JSON.parse(String(request.body)));
    if (path === '/api/tracks') return this.addTrack(JSON.parse(String(request.body)));
    if (path.startsWith('/api/tracks/')) return this.removeTrack(path.split('/')[3] ?? '');
    if (path.startsWith('/api/jobs/')) return this.job(method, path.split('/')[3] ?? '');
    if (path.startsWith('/api/uploads')) return this.upload(method, path, request);
    return problem(404, 'There is no such address.');
  }

  /** Makes an edit on the server. */
  edit(type: string, id: string, fields: object, space?: string): void {
    this.merge({
      id: this.newId(), type: type as RecordType, record: id, fields: { ...fields },
      at: this.nextStamp(), ...(space !== undefined && { space }),
    });
    this.onEvent('changed', { seq: this.seq });
  }

  /** Returns the record in its wire format. */
  wire(type: string, id: string): WireRecord | undefined {
    const kept = this.records.get(`${type}/${id}`);
    return kept && wireRecord(kept);
  }

  /** Finishes an import. */
  finishJob(id: string, state: 'done' | 'failed', message: string | null = null): void {
    const job = this.jobs.get(id);
    if (!job) return;
    const track = job.track ?? '';
    this.jobs.set(id, { ...job, state, message, progress: 1 });
    if (state === 'done') this.edit('track', track, { state: 'ready', lengthFrames: 480_000 });
    else this.edit('track', track, { state: 'failed', problem: message, deletedAt: 1 });
    if (state === 'failed') this.trackBytes.delete(track);
    this.onEvent('job', this.jobs.get(id));
  }

  /** Purges all deletions. */
  purge(): void {
    for (const [key, { seq, cells }] of this.records) {
      if ((cells.get('deletedAt')?.value ?? null) === null) continue;
      this.records.delete(key);
      this.purged = Math.max(this.purged, seq);
    }
  }

  /** Shows a person the records of a group, or no longer: their copies are fetched anew. */
  setSpaces(spaces: readonly Space[]): void {
    this.spaces = spaces;
    this.seq += 1;
    this.purged = this.seq;
    this.onEvent('people', {});
  }

  newId(): string {
    this.made += 1;
    return `0190a000-0000-7000-8000-${String(this.made).padStart(12, '0')}`;
  }

  private sync(body: { library: string | null; since: number; changes: Change[]; person?: string }): Response {
    const [lineage, life] = body.library?.split('-') ?? [];
    if (life && this.library && !this.library.startsWith(`${lineage}-`)) {
      return problem(409, 'Another library answers here.');
    }
    const rejected: { id: string; reason: string; code?: string }[] = [];
    const latest = this.latestAccepted;
    const before = this.seq;
    const isOthers = body.person !== undefined && this.person !== null && body.person !== this.person;
    for (const change of isOthers ? [] : body.changes) {
      this.heard.push(change);
      const { deletedAt: _deletedAt, ...fields } = change.fields;
      const reason = validateFields(change.type, fields);
      if (Number(change.at.slice(0, 13)) > latest) {
        rejected.push({ id: change.id, reason: 'The clock is ahead.', code: 'clock' });
      } else if (reason) rejected.push({ id: change.id, reason });
      else if (!this.mayEdit(change)) rejected.push({ id: change.id, reason: 'Only teachers edit it.', code: 'forbidden' });
      else this.merge(change);
    }
    if (this.seq > before) this.onEvent('changed', { seq: this.seq });
    const since = body.since > this.seq ? 0 : body.since;
    const news = [...this.records.values()].filter((kept) => kept.seq > since && this.isSeen(kept));
    news.sort((a, b) => a.seq - b.seq);
    const page = news.slice(0, this.pageSize);
    const more = news.length > page.length;
    const seq = more ? page[page.length - 1]?.seq ?? since : this.seq;
    return json(200, {
      seq, records: page.map(wireRecord), rejected, more, library: this.library, purged: this.purged,
      clock: rejected.some(({ code }) => code === 'clock') ? this.time : this.clock,
      ...(this.person !== null && { person: this.person, spaces: this.spaces, people: this.people }),
    });
  }

  /** Whether the person who asks sees a record. */
  private isSeen({ space }: Kept): boolean {
    return space === null || this.spaces.some(({ id }) => id === space);
  }

  private mayEdit(change: Change): boolean {
    const space = this.records.get(`${change.type}/${change.record}`)?.space ?? change.space ?? null;
    if (space === null) return true;
    const role = this.spaces.find(({ id }) => id === space)?.role;
    const isPersonal = Object.keys(change.fields).every((field) => ['lastPractisedAt', 'pinned', 'tags'].includes(field));
    return role === 'owner' || role === 'teacher' || (role === 'performer' && isPersonal);
  }

  /** The time of the server's clock. */
  private get time(): string {
    const now = `${String(this.wallClock?.() ?? 0).padStart(13, '0')}-0000-ffffffff`;
    return now > this.clock ? now : this.clock;
  }

  private get latestAccepted(): number {
    if (!this.wallClock) return Infinity;
    const tolerated = this.wallClock() + 86_400_000;
    const seen = Number(this.clock.slice(0, 13));
    return seen > tolerated ? seen + 60_000 : tolerated;
  }

  private merge(change: Change): void {
    if (change.at > this.clock) this.clock = change.at;
    const key = `${change.type}/${change.record}`;
    const milliseconds = Number(change.at.slice(0, 13));
    const kept = this.records.get(key) ?? {
      type: change.type, id: change.record, seq: 0, createdAt: milliseconds, cells: new Map(), space: change.space ?? null,
    };
    this.records.set(key, kept);
    let changed = milliseconds < kept.createdAt;
    kept.createdAt = Math.min(kept.createdAt, milliseconds);
    for (const [name, value] of Object.entries(change.fields)) {
      const cell = kept.cells.get(name);
      if (cell && cell.stamp >= change.at) continue;
      kept.cells.set(name, { value, stamp: change.at });
      changed = true;
    }
    if (changed) kept.seq = this.seq += 1;
  }

  private nextStamp(): string {
    const milliseconds = String(Number(this.clock.slice(0, 13)) + 1).padStart(13, '0');
    return (this.clock = `${milliseconds}-0000-ffffffff`);
  }

  private addTrack(body: { upload: string; title?: string }): Response {
    const upload = this.uploads.get(body.upload);
    if (!upload) return problem(404, 'There is no such upload.');
    if (upload.bytes.length < upload.length) return problem(409, 'The upload is not complete.');
    this.uploads.delete(body.upload);
    const known = [...this.trackBytes].find(([, bytes]) => bytes === upload.bytes);
    if (known) return json(200, { id: known[0] });
    const [id, job] = [this.newId(), this.newId()];
    this.trackBytes.set(id, upload.bytes);
    this.edit('track', id, { title: body.title ?? upload.fileName, state: 'importing' });
    this.jobs.set(job, {
      id: job, kind: 'import', state: 'running', progress: 0, message: null, track: id,
    });
    if (!this.holdsJobs) this.finishJob(job, 'done');
    return json(202, { id, job });
  }

  private removeTrack(id: string): Response {
    this.trackBytes.delete(id);
    this.edit('track', id, { deletedAt: 1 });
    return new Response(null, { status: 204 });
  }

  private job(method: string, id: string): Response {
    const job = this.jobs.get(id);
    if (!job) return problem(404, 'There is no such job.');
    if (method === 'DELETE') this.jobs.set(id, { ...job, state: 'cancelled' });
    return json(200, this.jobs.get(id));
  }

  private async upload(method: string, path: string, request: RequestInit): Promise<Response> {
    const headers = new Headers(request.headers);
    if (method === 'POST') {
      const id = this.newId();
      const encoded = (headers.get('Upload-Metadata') ?? '').replace('filename ', '');
      const bytes = Uint8Array.from(atob(encoded), (character) => character.charCodeAt(0));
      this.uploads.set(id, {
        length: Number(headers.get('Upload-Length')), bytes: '',
        fileName: new TextDecoder().decode(bytes),
      });
      return new Response(null, { status: 201, headers: { Location: `/api/uploads/${id}` } });
    }
    const id = path.split('/')[3] ?? '';
    const upload = this.uploads.get(id);
    if (!upload) return problem(404, 'There is no such upload.');
    if (method === 'DELETE') this.uploads.delete(id);
    if (method === 'PATCH') {
      if (Number(headers.get('Upload-Offset')) !== upload.bytes.length) {
        return problem(409, 'The offset is wrong.');
      }
      upload.bytes += await (request.body as Blob).text();
    }
    const offset = { 'Upload-Offset': String(upload.bytes.length) };
    return new Response(null, { status: method === 'HEAD' ? 200 : 204, headers: offset });
  }
}

function wireRecord(kept: Kept): WireRecord {
  const fields = [...kept.cells].filter(([, cell]) => cell.value !== null);
  return {
    type: kept.type, id: kept.id, seq: kept.seq, createdAt: kept.createdAt, deletedAt: null,
    ...(kept.space !== null && { space: kept.space }),
    ...Object.fromEntries(fields.map(([name, cell]) => [name, cell.value])),
  };
}

function json(status: number, value: unknown): Response {
  return new Response(JSON.stringify(value), {
    status, headers: { 'Content-Type': 'application/json' },
  });
}

/** Answers with problem details. */
export function problem(status: number, detail: string): Response {
  return new Response(JSON.stringify({ type: 'about:blank', title: 'Problem', status, detail }), {
    status, headers: { 'Content-Type': 'application/problem+json' },
  });
}
