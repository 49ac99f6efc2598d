import {
  type BackgroundLoop,
  createBackgroundLoop,
  UNTIL_WOKEN_MS,
} from '../../background/background-loop.ts';
import { listMovedBooks } from '../../cells/move/moving-merchant.ts';
import type { Book } from '../../domain/book.ts';
import { mayAsStaff, mayInBook } from '../../domain/roles.ts';
import type { FeedKeeper } from '../../events/feed-keeper.ts';
import { checkSessions, type StandingSession } from '../../people/check-sessions.ts';
import type { Queryable } from '../../postgres/database.ts';
import type { Logger } from '../../telemetry/logger.ts';
import { type Changes, listChanges, readChangePosition } from '../../views/list-changes.ts';
import { readStaffMarks, type StaffMarks } from '../../views/read-staff-marks.ts';
import type { EventStream } from '../server/api-operation.ts';
import {
  approvalMessage,
  bookMessage,
  fileMessage,
  HEARTBEAT,
  isAboutWebhooks,
  kindMessage,
  staffMessage,
} from './change-message.ts';
import { RecentChanges } from './recent-changes.ts';

/** A change is told within this time and that of two statements. */
const LOOK_INTERVAL_MS = 400;
/** A session, role or person that ended, or a move, ends its streams within this time and that of two statements. */
const CHECK_INTERVAL_MS = 400;
const BEAT_INTERVAL_MS = 5_000;
/** Messages for one stream from one look; instead of more it is told that there were many. */
const MESSAGES_OF_LOOK_MAX = 100;

export type HubDeps = Readonly<{
  /** Of the cell whose changes are told. */
  database: Queryable;
  /** For the sessions of those who listen. */
  directory: Queryable;
  feed: Pick<FeedKeeper, 'catchUp'>;
  now: () => Date;
  monotonicMs: () => number;
  logger: Pick<Logger, 'warn'>;
}>;

/** Who listens, with which session: in one book, or as one of the staff to all books. */
export type Listener = Readonly<{
  sessionId: string;
  book: Book | null;
  /** False: only of webhooks is told. */
  mayReadPayouts: boolean;
}>;

type OpenListener = Omit<Listener, 'mayReadPayouts'> & {
  readonly stream: EventStream;
  mayReadPayouts: boolean;
  beatAtMs: number;
};

/**
 * Tells open streams what changed. One statement reads the changes for all streams of the process, and one checks all
 * their sessions; none is sent while there is no stream. What commits in another process is seen too, since both read
 * the feed.
 */
export class ChangeHub implements BackgroundLoop {
  readonly #deps: HubDeps;
  readonly #listeners = new Set<OpenListener>();
  readonly #loops: readonly BackgroundLoop[];
  /** A listener comes to whom the position was promised. */
  #isExpecting = false;
  #position: bigint | undefined;
  #marks: StaffMarks | undefined;
  #recent = new RecentChanges();

  constructor(deps: HubDeps) {
    this.#deps = deps;
    this.#loops = [
      this.#repeat(CHECK_INTERVAL_MS, () => this.#check()),
      this.#repeat(LOOK_INTERVAL_MS, () => this.#look()),
    ];
  }

  /** After this, a listener that is added misses nothing that commits. */
  async prepare(): Promise<void> {
    this.#isExpecting = true;
    this.#position ??= await readChangePosition(this.#deps.database);
  }

  add(listener: Listener, stream: EventStream): void {
    const open: OpenListener = {
      ...listener,
      stream,
      beatAtMs: this.#deps.monotonicMs() + BEAT_INTERVAL_MS,
    };
    this.#isExpecting = false;
    this.#listeners.add(open);
    stream.onEnd(() => this.#listeners.delete(open));
    stream.write(HEARTBEAT);
    this.wake();
  }

  start(): void {
    for (const loop of this.#loops) loop.start();
  }

  wake(): void {
    for (const loop of this.#loops) loop.wake();
  }

  /** Waits for the statements under way. The server has ended the streams. */
  async stop(): Promise<void> {
    await Promise.all(this.#loops.map((loop) => loop.stop()));
  }

  /** Without a stream it sleeps until one is added. */
  #repeat(intervalMs: number, work: () => Promise<void>): BackgroundLoop {
    return createBackgroundLoop({
      round: async () => {
        if (this.#listeners.size === 0) {
          this.#forget();
          return UNTIL_WOKEN_MS;
        }
        await work();
        return intervalMs;
      },
      what: 'telling people of changes',
      logger: this.#deps.logger,
      retryInMs: intervalMs,
      gapMs: intervalMs,
    });
  }

  /** The next listener is told of nothing that was before it. */
  #forget(): void {
    if (this.#isExpecting) return;
    this.#position = undefined;
    this.#marks = undefined;
    this.#recent = new RecentChanges();
  }

  async #check(): Promise<void> {
    const { database, directory, now } = this.#deps;
    const asked = [...this.#listeners];
    const ids = [...new Set(asked.map(({ sessionId }) => sessionId))];
    const sessions = await checkSessions(directory, { ids, at: now() });
    for (const listener of asked) {
      const session = sessions.get(listener.sessionId);
      if (session !== undefined && mayListen(listener, session)) {
        listener.mayReadPayouts = mayReadPayouts(listener, session);
      } else listener.stream.end();
    }
    if (asked.every(({ book }) => book === null)) return;
    // Nothing more is told of them here. Who listens opens the stream again, and is led to the other cell.
    const moved = await listMovedBooks(database);
    for (const { book, stream } of asked) if (book !== null && moved.has(book.id)) stream.end();
  }

  async #look(): Promise<void> {
    const { database, feed, now, monotonicMs } = this.#deps;
    await feed.catchUp();
    this.#position ??= await readChangePosition(database);
    const books = [...this.#listeners].map(({ book }) => book?.id ?? null);
    const hasStaff = books.includes(null);
    const bookIds = hasStaff ? null : booksOf(books);
    const found = await listChanges(database, { after: this.#position, bookIds });
    this.#position = found.position;
    const marked = hasStaff ? await this.#readMarked() : [];
    const at = now();
    const recent = await this.#recent.look(database, { bookIds: booksOf(books), now: at });
    for (const listener of this.#listeners) {
      tell(listener, messagesFor(listener, found, at), at);
      if (listener.book === null) tell(listener, marked, at);
      else if (listener.mayReadPayouts) tell(listener, recentOf(listener.book, recent), at);
      if (monotonicMs() < listener.beatAtMs) continue;
      listener.beatAtMs = monotonicMs() + BEAT_INTERVAL_MS;
      listener.stream.write(HEARTBEAT);
    }
  }

  /** What the feed does not tell: incidents, routes and proposals. */
  async #readMarked(): Promise<string[]> {
    const before = this.#marks;
    const marks = await readStaffMarks(this.#deps.database);
    this.#marks = marks;
    if (before === undefined) return [];
    const at = this.#deps.now();
    return (['incident', 'route', 'doubt'] as const)
      .filter((kind) => marks[kind] !== before[kind])
      .map((kind) => kindMessage(kind, at));
  }
}

function booksOf(books: readonly (string | null)[]): readonly string[] {
  return [...new Set(books.filter((id) => id !== null))];
}

function recentOf(book: Book, { files, approvals }: Recent): string[] {
  const isOfBook = ({ bookId }: Readonly<{ bookId: string }>) => bookId === book.id;
  return [
    ...files.filter(isOfBook).map(fileMessage),
    ...approvals.filter(isOfBook).map(approvalMessage),
  ];
}

type Recent = Awaited<ReturnType<RecentChanges['look']>>;

function mayListen({ book }: OpenListener, { staffRoles, rolesIn }: StandingSession): boolean {
  if (book === null) return mayAsStaff(staffRoles, 'operations:read');
  return mayInBook(rolesIn(book.merchantId), book, 'webhooks:read');
}

function mayReadPayouts({ book }: OpenListener, { rolesIn }: StandingSession): boolean {
  return book === null || mayInBook(rolesIn(book.merchantId), book, 'payouts:read');
}

function messagesFor(
  { book, mayReadPayouts: readsPayouts }: OpenListener,
  { changes, busyBooks }: Changes,
  at: Date,
): string[] {
  if (book === null) {
    const isBusy = busyBooks === null || busyBooks.size > 0;
    return isBusy ? [kindMessage('many', at)] : changes.map(staffMessage);
  }
  if (busyBooks === null || busyBooks.has(book.id)) return [kindMessage('many', at)];
  return changes
    .filter(({ bookId }) => bookId === book.id)
    .filter((change) => readsPayouts || isAboutWebhooks(change))
    .map(bookMessage);
}

function tell({ stream }: OpenListener, messages: readonly string[], at: Date): void {
  if (messages.length > MESSAGES_OF_LOOK_MAX) stream.write(kindMessage('many', at));
  else if (messages.length > 0) stream.write(messages.join(''));
}
