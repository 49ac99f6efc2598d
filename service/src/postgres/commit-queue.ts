import { setTimeout as wait } from 'node:timers/promises';
import { type BlockingRules, createBlockedCommands, type Waiting } from './blocked-commands.ts';
import { createFairQueue } from './fair-queue.ts';

/**
 * Commands that arrive while a commit is under way share the next one. A hot wallet then costs one
 * row lock and one flush for hundreds of transfers, and a lone command waits for nobody.
 */
export type CommitQueue<Command, Result> = Readonly<{
  /** Resolves when the command's group is committed. Throws CommitQueueFull at once when full. */
  submit(command: Command): Promise<Result>;
  /**
   * Several at once, in their order, sharing groups as far as these go. All are taken or none: throws
   * CommitQueueFull when not all of them can wait.
   */
  submitMany(commands: readonly Command[]): Promise<Result>[];
  waiting(): number;
  /** Resolves when nothing is waiting or under way any more. */
  idle(): Promise<void>;
}>;

export class CommitQueueFull extends Error {
  constructor() {
    super('too many commands are waiting for a commit');
    this.name = 'CommitQueueFull';
  }
}

/** How often a group is tried without what holds it up, each time as long as it waits for a lock. */
const BLOCKED_TRIES_MAX = 2;

export type CommitQueueOptions<Command, Result> = Readonly<{
  /** Whose command it is. Owners take turns in a full queue; each owner's commands keep their order. */
  ownerOf: (command: Command) => string;
  /** Groups that may be under way at once. */
  concurrency: number;
  groupMax: number;
  waitingMax: number;
  /** How long a group waits for more, where nobody hurries; 0 when absent. */
  gatherMs?: number;
  /** Stores a group; the n-th result belongs to the n-th command. */
  commit: (commands: readonly Command[]) => Promise<readonly Result[]>;
  /**
   * Whether an error proves that the group was rolled back because of something in it. Then its
   * halves are tried apart, so that one command that cannot be stored does not fail its neighbours.
   */
  mayBeOneCommandsFault: (error: unknown) => boolean;
  /** What may hold up some commands of a group; the others then go on without them. */
  blocking?: BlockingRules<Command, Result>;
  observe?: (group: { size: number; elapsedMs: number }) => void;
  monotonicMs: () => number;
}>;

export function createCommitQueue<Command, Result>(
  options: CommitQueueOptions<Command, Result>,
): CommitQueue<Command, Result> {
  type Entry = Waiting<Command, Result>;
  const { gatherMs = 0 } = options;
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
    onEmpty: tellIdle,
  });

  async function commitGroup(group: readonly Entry[], blockedTries = 0): Promise<void> {
    const error = await tryToCommit(group, options.commit);
    if (error === undefined) return;
    if (blocking?.isBlocked(error) === true) {
      const isLast = blockedTries === BLOCKED_TRIES_MAX;
      const held = isLast ? NONE : await findHeld(blocking, group);
      if (isLast || held.size > blocking.concurrency) return commitPatiently(group);
      const rest = putApart(blocking, { group, held, error });
      if (rest.length > 0) await commitGroup(rest, blockedTries + 1);
      return;
    }
    for (const half of halvesAfter(error, group)) await commitGroup(half, blockedTries);
  }

  /** Resolves to the error when the key of these commands could not be had. */
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

  /** Resolves to why it failed; the senders know only of success yet. */
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

  /** The halves of a group in which one command may be at fault; otherwise all of it has failed. */
  function halvesAfter(error: unknown, group: readonly Entry[]): readonly (readonly Entry[])[] {
    if (group.length === 1 || !options.mayBeOneCommandsFault(error)) {
      for (const entry of group) entry.reject(error);
      return [];
    }
    const middle = group.length >> 1;
    return [group.slice(0, middle), group.slice(middle)];
  }

  // What cannot be looked for now shows again at the next try.
  function findHeld({ find }: BlockingRules<Command, Result>, group: readonly Entry[]) {
    return find(group.map(({ command }) => command)).catch(() => NONE);
  }

  /**
   * Many things that are held up at once are other groups at work, on a busy machine, and not one that a person
   * keeps locked. One group for each would cost far more than to wait for all.
   */
  async function commitPatiently(group: readonly Entry[]): Promise<void> {
    await commitApart(group);
  }

  /** Gives back the commands that can go on. */
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

  /** Commands of what is known to be held up join those that wait for it. */
  function withoutBlocked(group: readonly Entry[]): readonly Entry[] {
    if (blocking === undefined || blocked.isEmpty()) return group;
    return group.filter((entry) => {
      const key = blocked.keyAmong(blocking.keysOf(entry.command));
      if (key === undefined) return true;
      const full = new CommitQueueFull();
      if (!blocked.add(key, entry, full)) entry.reject(full);
      return false;
    });
  }

  async function runCommits(): Promise<void> {
    commitsUnderWay += 1;
    while (queue.size() > 0) {
      if (gatherMs > 0 && queue.size() < options.groupMax) await wait(gatherMs);
      const group = withoutBlocked(queue.take(options.groupMax));
      if (group.length > 0) await commitGroup(group);
    }
    commitsUnderWay -= 1;
    tellIdle();
  }

  function isIdle(): boolean {
    return commitsUnderWay === 0 && queue.size() === 0 && blocked.size() === 0;
  }

  function tellIdle(): void {
    if (!isIdle()) return;
    const listeners = idleListeners;
    idleListeners = [];
    for (const listener of listeners) listener();
  }

  // The check phase comes after all sockets that are readable now, so that requests which arrived
  // together form one group without anybody waiting on a timer.
  function schedule(): void {
    if (scheduled || commitsUnderWay >= options.concurrency) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      if (queue.size() > 0 && commitsUnderWay < options.concurrency) void runCommits();
    });
  }

  function enqueue(command: Command): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      queue.push(options.ownerOf(command), { command, resolve, reject });
      schedule();
    });
  }

  return {
    submit(command) {
      if (queue.size() >= options.waitingMax) return Promise.reject(new CommitQueueFull());
      return enqueue(command);
    },
    submitMany(commands) {
      if (queue.size() + commands.length > options.waitingMax) throw new CommitQueueFull();
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
