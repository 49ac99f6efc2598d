/** A command in a queue, and the callbacks that report its result to its sender. */
export type WaitingCommand<Command, Result> = Readonly<{
  command: Command;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}>;

/**
 * What may block one command while others could continue, such as a wallet that a person keeps locked. Each such
 * resource has a key. Its commands are committed separately from all others, with a longer lock timeout.
 */
export type BlockingRules<Command, Result> = Readonly<{
  /** The keys of the resources that a command needs. */
  keysOf: (command: Command) => readonly string[];
  /** Whether an error proves that a group was rolled back because a resource was not available in time. */
  isBlocked: (error: unknown) => boolean;
  /** Those of the commands' keys that are not available now. */
  find: (commands: readonly Command[]) => Promise<ReadonlySet<string>>;
  /** Stores commands of one key, waiting longer for it. */
  commit: (commands: readonly Command[]) => Promise<readonly Result[]>;
  /** Keys whose commands may be under way at the same time. */
  concurrency: number;
  /** How many commands of one key, and of all keys together, may wait. */
  waitingPerKeyMax: number;
  waitingMax: number;
}>;

/**
 * A command that waited this long for its turn is given up. The commit with the longer lock timeout may take as long
 * again.
 */
const BLOCKED_WAIT_MAX_MS = 5_000;
/**
 * For this long after a key was not available, its commands are committed separately at once, so that they delay no
 * other command.
 */
const REMEMBERED_MS = 60_000;
/** More blocked keys than this at once are a fault of the database, not of single wallets. */
const REMEMBERED_MAX = 1_000;

type Held<Entry> = Readonly<{ entry: Entry; cause: unknown; sinceMs: number }>;
type Line<Entry> = { waiting: Held<Entry>[]; underWay: boolean; blockedMs: number };

export type BlockedCommands<Entry> = Readonly<{
  /** The key for which a command with these keys must wait here; undefined when it need not. */
  keyAmong(keys: readonly string[]): string | undefined;
  /** False when the queue is full. */
  add(key: string, entry: Entry, cause: unknown): boolean;
  /** Whether no key is known to be blocked, so that a command's keys need not be checked. */
  isEmpty(): boolean;
  /** Commands that wait or are under way. */
  size(): number;
}>;

export function createBlockedCommands<Entry extends Pick<WaitingCommand<never, never>, 'reject'>>(
  options: Readonly<{
    concurrency: number;
    waitingPerKeyMax: number;
    waitingMax: number;
    /**
     * Stores a group and reports the results to its senders, or resolves to the reason why its key was not available.
     */
    commit: (group: readonly Entry[]) => Promise<unknown>;
    monotonicMs: () => number;
    /** Called when the last command is done. */
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

  /** Gives up the commands that waited too long, and returns the others as the next group. */
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
      // Commands that arrived meanwhile need the same resource, and would wait as long again.
      giveUp(line.waiting.splice(0), blockedBy);
      remember(key, line);
    } else if (line.waiting.length === 0) lines.delete(key);
    start();
    if (size === 0) options.onEmpty();
  }

  function remember(key: string, line: Line<Entry>): void {
    line.blockedMs = monotonicMs();
    // Moved to the end, so that the keys known longest come first.
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
