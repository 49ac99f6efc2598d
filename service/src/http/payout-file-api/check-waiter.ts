import { findFile } from '../../payout-files/find-file.ts';
import type { PayoutFile } from '../../payout-files/payout-file.ts';
import { OwnerCounts } from '../server/owner-counts.ts';
import type { PayoutFileDeps } from './payout-file-deps.ts';

/** Whether a file can be read at all is known by then, unless all is very busy. */
const READ_WAIT_MAX_MS = 30_000;
/** A small file is checked by then also on a busy machine, so that its caller never sees one that is being checked. */
const SMALL_ROWS_MAX = 1_000;
const SMALL_WAIT_MAX_MS = 30_000;
/** A larger file is answered before its check ends, so that its caller sees the progress. */
const CHECK_WAIT_MAX_MS = 3_000;
/** Most checks end within a second. A longer one is large or waits for other checks: it is looked at less often. */
const LOOK_MS = 50;
const CLOSE_LOOKS_MS = 1_000;
const LATER_LOOK_MS = 500;
/** Calls of a book that wait at once. Each takes the place of another call, and uploads are checked two at a time. */
const WAITING_OF_BOOK_MAX = 4;

type FileKey = Readonly<{ bookId: string; id: string }>;

/** Lets the calls that upload files wait for the checks of these, a few of each book at once. */
export class CheckWaiter {
  readonly #deps: Pick<PayoutFileDeps, 'database' | 'wait' | 'monotonicMs'>;
  readonly #waitingByBook = new OwnerCounts();

  constructor(deps: Pick<PayoutFileDeps, 'database' | 'wait' | 'monotonicMs'>) {
    this.#deps = deps;
  }

  /** The file when it is checked; as it is when that takes too long, no one waits for it, or too many calls of the book wait. */
  async wait(file: FileKey, isAbandoned: () => boolean): Promise<PayoutFile> {
    const { bookId } = file;
    if (this.#waitingByBook.get(bookId) >= WAITING_OF_BOOK_MAX) {
      return findFile(this.#deps.database, file);
    }
    this.#waitingByBook.add(bookId, 1);
    try {
      return await this.#waitUntilChecked(file, isAbandoned);
    } finally {
      this.#waitingByBook.add(bookId, -1);
    }
  }

  async #waitUntilChecked(file: FileKey, isAbandoned: () => boolean): Promise<PayoutFile> {
    const { database, wait, monotonicMs } = this.#deps;
    const beganMs = monotonicMs();
    for (;;) {
      const found = await findFile(database, file);
      const waitedMs = monotonicMs() - beganMs;
      const waitMaxMs = found.format === null ? READ_WAIT_MAX_MS : checkWaitOf(found);
      if (found.state !== 'checking' || waitedMs >= waitMaxMs || isAbandoned()) return found;
      await wait(waitedMs < CLOSE_LOOKS_MS ? LOOK_MS : LATER_LOOK_MS);
    }
  }
}

function checkWaitOf({ rows }: PayoutFile): number {
  return rows.total <= SMALL_ROWS_MAX ? SMALL_WAIT_MAX_MS : CHECK_WAIT_MAX_MS;
}
