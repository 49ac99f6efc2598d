/** A command in a queue, and how to tell its sender what became of it. */
export type Waiting<Command, Result> = Readonly<{
  command: Command;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}>;

/**
 * What may hold up one command while others could go on, such as a wallet that a person keeps locked. Each
 * such thing has a key. Its commands are stored apart from all others, with more patience.
 */
export type BlockingRules<Command, Result> = Readonly<{
  /** What a command needs, by key. */
  keysOf: (command: Command) => readonly string[];
  /** Whether an error proves that a group was rolled back because something could not be had soon. */
  isBlocked: (error: unknown) => boolean;
  /** Those of the commands' keys that cannot be had now. */
  find: (commands: readonly Command[]) => Promise<ReadonlySet<string>>;
  /** Stores commands of one key, waiting longer. */
  commit: (commands: readonly Command[]) => Promise<readonly Result[]>;
  /** Keys whose commands may be under way at once. */
  concurrency: number;
  /** Commands of one key, and of all keys together, that may wait. */
  waitingPerKeyMax: number;
  waitingMax: number;
}>;

/** A command that could not be had a queue for this long is given up; the patient commit may take as long. */
const BLOCKED_WAIT_MAX_MS = 5_000;
/** So long a key that could not be had at all is tried apart at once, so that it costs others nothing. */
const REMEMBERED_MS = 60_000;
/** More keys than this at once are a fault of the database, not of single wallets. */
const REMEMBERED_MAX = 1_000;

type Held<Entry> = Readonly<{ entry: Entry; cause: unknown; sinceMs: number }>;
type Line<Entry> = { waiting: Held<Entry>[]; underWay: boolean; blockedMs: number };

export type BlockedCommands<Entry> = Readonly<{
  /** The key for which a command with these keys has to wait here; undefined when it need not. */
  keyAmong(keys: readonly string[]): string | undefined;
  /** False when there is no room. */
  add(key: string, entry: Entry, cause: unknown): boolean;
  /** Whether a command need not look for its keys at all. */
  isEmpty(): boolean;
  /** Commands that wait or are under way. */
  size(): number;
}>;

export function createBlockedCommands<Entry extends Pick<Waiting<never, never>, 'reject'>>(
  options: Readonly<{
    concurrency: number;
    waitingPerKeyMax: number;
    waitingMax: number;
    /** Stores a group and tells its senders, or resolves to why its key could not be had. */
    commit: (group: readonly Entry[]) => Promise<unknown>;
    monotonicMs: () => number;
    /** The last one is done. */
    onEmpty: () => void;
  }>,
): BlockedCommands<Entry> {
  const { monotonicMs } = options;
  const lines = new Map<string, Line<Entry>>();
  let size = 0;
  let commitsUnderWay = 0;

  function isCurrent({ waiting, underWay, blockedMs }: Line<Entry>): boolean {
    return waiting.length > 0 || underWay || monotonicMs() - blockedMs < REMEMBERED_MS;
  }

  function giveUp(held: readonly Held<Entry>[], error?: unknown): void {
    size -= held.length;
    for (const { entry, cause } of held) entry.reject(error ?? cause);
  }

  /** Those that waited too long for a queue are given up; the others are the next group. */
  function takeGroup(line: Line<Entry>): readonly Held<Entry>[] {
    const oldestMs = monotonicMs() - BLOCKED_WAIT_MAX_MS;
    const taken = line.waiting;
    line.waiting = [];
    giveUp(taken.filter(({ sinceMs }) => sinceMs < oldestMs));
    return taken.filter(({ sinceMs }) => sinceMs >= oldestMs);
  }

  async function commitNext(key: string, line: Line<Entry>): Promise<void> {
    const group = takeGroup(line);
    line.underWay = true;
    commitsUnderWay += 1;
    const blockedBy =
      group.length === 0 ? undefined : await options.commit(group.map(({ entry }) => entry));
    commitsUnderWay -= 1;
    line.underWay = false;
    size -= group.length;
    if (blockedBy !== undefined) {
      // What came meanwhile waits for the same thing, and would wait as long again.
      giveUp(line.waiting.splice(0), blockedBy);
      remember(key, line);
    } else if (line.waiting.length === 0) lines.delete(key);
    start();
    if (size === 0) options.onEmpty();
  }

  function remember(key: string, line: Line<Entry>): void {
    line.blockedMs = monotonicMs();
    // To the end, so that the longest known are first.
    lines.delete(key);
    lines.set(key, line);
    for (const [known, { waiting, underWay }] of lines) {
      if (lines.size <= REMEMBERED_MAX) return;
      if (waiting.length === 0 && !underWay) lines.delete(known);
    }
  }

  function start(): void {
    for (const [key, line] of lines) {
      if (commitsUnderWay >= options.concurrency) return;
      if (line.waiting.length > 0 && !line.underWay) void commitNext(key, line);
    }
  }

  return {
    keyAmong(keys) {
      return keys.find((key) => {
        const line = lines.get(key);
        if (line === undefined) return false;
        if (!isCurrent(line)) lines.delete(key);
        return isCurrent(line);
      });
    },
    add(key, entry, cause) {
      const line = lines.get(key) ?? {
        waiting: [],
        underWay: false,
        blockedMs: Number.NEGATIVE_INFINITY,
      };
      const isFull = size >= options.waitingMax || line.waiting.length >= options.waitingPerKeyMax;
      if (isFull) return false;
      lines.set(key, line);
      line.waiting.push({ entry, cause, sinceMs: monotonicMs() });
      size += 1;
      setImmediate(start);
      return true;
    },
    isEmpty: () => lines.size === 0,
    size: () => size,
  };
}
