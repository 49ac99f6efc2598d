import { setTimeout as wait } from 'node:timers/promises';
import { createFairQueue } from './fair-queue.ts';

/**
 * Commands that arrive while a commit is under way share the next one. A hot wallet then costs one
 * row lock and one flush for hundreds of transfers, and a lone command waits for nobody.
 */
export type GroupCommit<Command, Result> = Readonly<{
  /** Resolves when the command's group is committed. Throws GroupCommitFull at once when full. */
  submit(command: Command): Promise<Result>;
  /**
   * Several at once, in their order, sharing groups as far as these go. All are taken or none: throws
   * GroupCommitFull when not all of them can wait.
   */
  submitMany(commands: readonly Command[]): Promise<Result>[];
  waiting(): number;
  /** Resolves when nothing is waiting or under way any more. */
  idle(): Promise<void>;
}>;

export class GroupCommitFull extends Error {
  constructor() {
    super('too many commands are waiting for a commit');
    this.name = 'GroupCommitFull';
  }
}

type Waiting<Command, Result> = {
  command: Command;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
};

export type GroupCommitOptions<Command, Result> = Readonly<{
  /** Whose command it is. Owners take turns in a full queue; each owner's commands keep their order. */
  ownerOf: (command: Command) => string;
  /** Groups that may be under way at once. */
  lanes: number;
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
  observe?: (group: { size: number; elapsedMs: number }) => void;
  monotonicMs: () => number;
}>;

export function createGroupCommit<Command, Result>(
  options: GroupCommitOptions<Command, Result>,
): GroupCommit<Command, Result> {
  type Entry = Waiting<Command, Result>;
  const { gatherMs = 0 } = options;
  const queue = createFairQueue<Entry>();
  let busyLanes = 0;
  let scheduled = false;
  let idleListeners: (() => void)[] = [];

  async function commitGroup(group: readonly Entry[]): Promise<void> {
    try {
      const startedMs = options.monotonicMs();
      const results = await options.commit(group.map((entry) => entry.command));
      options.observe?.({ size: group.length, elapsedMs: options.monotonicMs() - startedMs });
      if (results.length !== group.length) throw new Error('a group lost a result');
      group.forEach((entry, index) => entry.resolve(results[index] as Result));
    } catch (error) {
      if (group.length === 1 || !options.mayBeOneCommandsFault(error)) {
        for (const entry of group) entry.reject(error);
        return;
      }
      const middle = group.length >> 1;
      await commitGroup(group.slice(0, middle));
      await commitGroup(group.slice(middle));
    }
  }

  async function runLane(): Promise<void> {
    busyLanes += 1;
    while (queue.size() > 0) {
      if (gatherMs > 0 && queue.size() < options.groupMax) await wait(gatherMs);
      await commitGroup(queue.take(options.groupMax));
    }
    busyLanes -= 1;
    if (busyLanes > 0) return;
    const listeners = idleListeners;
    idleListeners = [];
    for (const listener of listeners) listener();
  }

  // The check phase comes after all sockets that are readable now, so that requests which arrived
  // together form one group without anybody waiting on a timer.
  function schedule(): void {
    if (scheduled || busyLanes >= options.lanes) return;
    scheduled = true;
    setImmediate(() => {
      scheduled = false;
      if (queue.size() > 0 && busyLanes < options.lanes) void runLane();
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
      if (queue.size() >= options.waitingMax) return Promise.reject(new GroupCommitFull());
      return enqueue(command);
    },
    submitMany(commands) {
      if (queue.size() + commands.length > options.waitingMax) throw new GroupCommitFull();
      return commands.map(enqueue);
    },
    waiting: () => queue.size(),
    idle() {
      if (busyLanes === 0 && queue.size() === 0) return Promise.resolve();
      return new Promise((resolve) => idleListeners.push(resolve));
    },
  };
}
