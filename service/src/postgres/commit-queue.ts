import { setTimeout as wait } from 'node:timers/promises';
import type { Turns } from '../background/turns.ts';
import {
  type BlockingRules,
  createBlockedCommands,
  type WaitingCommand,
} from './blocked-commands.ts';
import { createFairQueue } from './fair-queue.ts';

/**
 * Commands that arrive while a commit is under way share the next one. A hot wallet then costs one row lock and one
 * flush for hundreds of transfers, and a single command does not wait for others.
 */
export type CommitQueue<Command, Result> = Readonly<{
  /** Resolves when the command's group is committed. Rejects with CommitQueueFull at once when full. */
  submit(command: Command): Promise<Result>;
  /**
   * Submits several commands of one owner at once, in their order, in shared groups where possible. All are accepted or
   * none: throws CommitQueueFull when not all of them can wait.
   */
  submitMany(commands: readonly Command[]): Promise<Result>[];
  waiting(): number;
  /** Resolves when nothing is waiting or under way. */
  idle(): Promise<void>;
}>;

export class CommitQueueFull extends Error {
  /** The owner's own share is full: others can still submit. */
  readonly isOfOwner: boolean;

  constructor({ isOfOwner }: Readonly<{ isOfOwner: boolean }>) {
    super('too many commands are waiting for a commit');
    this.name = 'CommitQueueFull';
    this.isOfOwner = isOfOwner;
  }
}

/** How often a group is retried without the commands that block it. Each try waits up to the lock timeout. */
const BLOCKED_TRIES_MAX = 2;

export type CommitQueueOptions<Command, Result> = Readonly<{
  /** The owner of a command. Owners take turns in a full queue; each owner's commands keep their order. */
  ownerOf: (command: Command) => string;
  /** Groups that may be under way at the same time. */
  concurrency: number;
  groupMax: number;
  waitingMax: number;
  /** Of one owner, so that none can fill the queue for all others. Left out: as many as there is room for. */
  waitingOfOwnerMax?: number;
  /**
   * Shared with other queues, so that all of them together commit few groups at once and larger ones. A group holds its
   * turn for its first try only: what waits for a lock holds up no other queue.
   */
  turns?: Turns;
  /** How long a group waits for more commands where latency does not matter; 0 when absent. */
  gatherMs?: number;
  /** Stores a group; the n-th result belongs to the n-th command. */
  commit: (commands: readonly Command[]) => Promise<readonly Result[]>;
  /**
   * Whether an error proves that the group was rolled back because of a command in it. Then its halves are tried
   * separately, so that one command that cannot be stored does not fail the others.
   */
  mayBeOneCommandsFault: (error: unknown) => boolean;
  /** What may block some commands of a group; the others then continue without them. */
  blocking?: BlockingRules<Command, Result>;
  observe?: (group: { size: number; elapsedMs: number }) => void;
  monotonicMs: () => number;
}>;

export function createCommitQueue<Command, Result>(
  options: CommitQueueOptions<Command, Result>,
): CommitQueue<Command, Result> {
  type Entry = WaitingCommand<Command, Result>;
  const { gatherMs = 0, waitingOfOwnerMax = Number.POSITIVE_INFINITY } = options;
  const queue = createFairQueue<Entry>();
  let commitsUnderWay = 0;
  let scheduled = false;
  let idleListeners: (() => void)[] = [];

  const { blocking } = options;
  const blocked = createBlockedCommands<Entry>({
    concurrency: blocking?.concurrency ?? 0,
    waitingPerKeyMax: blocking?.waitingPerKeyMax ?? 0,
    waitingMax: blocking?.waitingMax ?? 0,
    commit: commitApart,
    monotonicMs: options.monotonicMs,
    onEmpty: reportIdle,
  });

  async function commitGroup(
    group: readonly Entry[],
    {
      blockedTries = 0,
      onTried = () => {},
    }: Readonly<{ blockedTries?: number; onTried?: () => void }> = {},
  ): Promise<void> {
    const error = await tryToCommit(group, options.commit);
    onTried();
    if (error === undefined) return;
    if (blocking?.isBlocked(error) === true) {
      const isLast = blockedTries === BLOCKED_TRIES_MAX;
      const held = isLast ? NONE : await findHeld(blocking, group);
      if (isLast || held.size > blocking.concurrency) return commitPatiently(group);
      const rest = putApart(blocking, { group, held, error });
      if (rest.length > 0) await commitGroup(rest, { blockedTries: blockedTries + 1 });
      return;
    }
    for (const half of halvesAfter(error, group)) await commitGroup(half, { blockedTries });
  }

  /** Resolves to the error when the key of these commands was not available. */
  async function commitApart(group: readonly Entry[]): Promise<unknown> {
    const error = await tryToCommit(group, blocking?.commit ?? options.commit);
    if (error === undefined) return undefined;
    if (blocking?.isBlocked(error) === true) {
      for (const entry of group) entry.reject(error);
      return error;
    }
    let blockedBy: unknown;
    for (const half of halvesAfter(error, group)) blockedBy = await commitApart(half);
    return blockedBy;
  }

  /** Resolves to the reason of a failure. Only successes are reported to the senders here. */
  async function tryToCommit(
    group: readonly Entry[],
    commit: CommitQueueOptions<Command, Result>['commit'],
  ): Promise<unknown> {
    try {
      const startedMs = options.monotonicMs();
      const results = await commit(group.map((entry) => entry.command));
      options.observe?.({ size: group.length, elapsedMs: options.monotonicMs() - startedMs });
      if (results.length !== group.length) throw new Error('a group lost a result');
      group.forEach((entry, index) => entry.resolve(results[index] as Result));
      return undefined;
    } catch (error) {
      return error ?? new Error('a group failed without a reason');
    }
  }

  /** The halves of a group in which one command may be at fault. Otherwise rejects the whole group. */
  function halvesAfter(error: unknown, group: readonly Entry[]): readonly (readonly Entry[])[] {
    if (group.length === 1 || !options.mayBeOneCommandsFault(error)) {
      for (const entry of group) entry.reject(error);
      return [];
    }
    const middle = group.length >> 1;
    return [group.slice(0, middle), group.slice(middle)];
  }

  // If the search fails, the next try of the group shows the block again.
  function findHeld({ find }: BlockingRules<Command, Result>, group: readonly Entry[]) {
    return find(group.map(({ command }) => command)).catch(() => NONE);
  }

  /**
   * Many blocked keys at once are other groups at work on a busy machine, not a wallet that a person keeps locked. One
   * group for each key would cost far more than waiting for all of them.
   */
  async function commitPatiently(group: readonly Entry[]): Promise<void> {
    await commitApart(group);
  }

  /** Moves blocked commands to their own queues, and returns the commands that can continue. */
  function putApart(
    { keysOf }: BlockingRules<Command, Result>,
    {
      group,
      held,
      error,
    }: Readonly<{ group: readonly Entry[]; held: ReadonlySet<string>; error: unknown }>,
  ): readonly Entry[] {
    return group.filter((entry) => {
      const key = keysOf(entry.command).find((one) => held.has(one));
      if (key !== undefined && !blocked.add(key, entry, error)) entry.reject(error);
      return key === undefined;
    });
  }

  /** Moves commands with a key that is known to be blocked to the queue of that key. */
  function withoutBlocked(group: readonly Entry[]): readonly Entry[] {
    if (blocking === undefined || blocked.isEmpty()) return group;
    return group.filter((entry) => {
      const key = blocked.keyAmong(blocking.keysOf(entry.command));
      if (key === undefined) return true;
      const full = new CommitQueueFull({ isOfOwner: false });
      if (!blocked.add(key, entry, full)) entry.reject(full);
      return false;
    });
  }

  async function runCommits(): Promise<void> {
    commitsUnderWay += 1;
    while (queue.size() > 0) {
      if (gatherMs > 0 && queue.size() < options.groupMax) await wait(gatherMs);
      const endTurn = await options.turns?.take();
      const group = withoutBlocked(queue.take(options.groupMax));
      if (group.length > 0) await commitGroup(group, { onTried: () => endTurn?.() });
      endTurn?.();
    }
    commitsUnderWay -= 1;
    reportIdle();
  }

  function isIdle(): boolean {
    return commitsUnderWay === 0 && queue.size() === 0 && blocked.size() === 0;
  }

  function reportIdle(): void {
    if (!isIdle()) return;
    const listeners = idleListeners;
    idleListeners = [];
    for (const listener of listeners) listener();
  }

  // The check phase comes after all sockets that are readable now have been read, so requests that arrived together
  // form one group without a timer.
  function schedule(): void {
    if (scheduled || commitsUnderWay >= options.concurrency) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      if (queue.size() > 0 && commitsUnderWay < options.concurrency) void runCommits();
    });
  }

  /** Why `count` more commands of this owner cannot wait; undefined: they can. */
  function findFull(owner: string, count: number): CommitQueueFull | undefined {
    const isOfOwner = queue.sizeOf(owner) + count > waitingOfOwnerMax;
    if (!isOfOwner && queue.size() + count <= options.waitingMax) return undefined;
    return new CommitQueueFull({ isOfOwner });
  }

  function enqueue(command: Command): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      queue.push(options.ownerOf(command), { command, resolve, reject });
      schedule();
    });
  }

  return {
    submit(command) {
      const full = findFull(options.ownerOf(command), 1);
      return full === undefined ? enqueue(command) : Promise.reject(full);
    },
    submitMany(commands) {
      const [first] = commands;
      if (first === undefined) return [];
      const full = findFull(options.ownerOf(first), commands.length);
      if (full !== undefined) throw full;
      return commands.map(enqueue);
    },
    waiting: () => queue.size() + blocked.size(),
    idle() {
      if (isIdle()) return Promise.resolve();
      return new Promise((resolve) => idleListeners.push(resolve));
    },
  };
}

const NONE: ReadonlySet<string> = new Set();
