import { randomBytes } from 'node:crypto';
import { setTimeout as waitMs } from 'node:timers/promises';
import { createApprovalKeeper } from '../approvals/transfers/approval-keeper.ts';
import { createTransferSource } from '../approvals/transfers/transfer-source.ts';
import type { BackgroundLoop } from '../background/background-loop.ts';
import { createControlSnapshots } from '../controls/control-snapshots.ts';
import { createRemovedRouteFinder } from '../dispatcher/removed-route-finder.ts';
import { createDueWorkFinder } from '../due-work/due-work-finder.ts';
import { createFeedKeeper } from '../events/feed-keeper.ts';
import {
  type BookApiDeps,
  type BookOperations,
  listBookOperations,
} from '../http/list-book-operations.ts';
import { ChangeHub } from '../http/stream-api/change-hub.ts';
import { createKeyAuthenticator } from '../merchants/authenticate-key.ts';
import type { KeyAuthenticator } from '../merchants/authenticated-key.ts';
import { createOverviewReader } from '../overview/overview-reader.ts';
import { expireFileLeases } from '../payout-files/claim-files.ts';
import { createFileSource } from '../payout-files/file-approvals.ts';
import { createFilePayer } from '../payout-files/file-payer.ts';
import { createNameChecker } from '../payout-files/name-checker.ts';
import { createPayoutFileChecker } from '../payout-files/payout-file-checker.ts';
import { createReplays } from '../policies/replay/replay-draft.ts';
import type { Database } from '../postgres/database.ts';
import { createStatisticsKeeper } from '../postgres/statistics-keeper.ts';
import { matchName } from '../preflight/match-name.ts';
import { createAccountNames } from '../recipients/account-names.ts';
import { createRecipientResolver } from '../recipients/recipient-resolver.ts';
import type { InquireNowDeps } from '../resolutions/inquire-now.ts';
import { createOccurrenceLoop } from '../schedules/occurrence-loop.ts';
import { submitOccurrenceFile } from '../schedules/submit-occurrence-file.ts';
import { GROWING_TABLES } from '../schema/growing-tables.ts';
import { expireScreeningLeases } from '../screening/claim-screenings.ts';
import type { InitiateDeps } from '../transfers/accept/initiate-transfer.ts';
import { createCallbackCleaner } from '../transfers/callbacks/callback-cleaner.ts';
import { createCallbackReader } from '../transfers/callbacks/callback-reader.ts';
import { type ReadCallback, storeCallback } from '../transfers/callbacks/receive-callback.ts';
import { expireLeases } from '../transfers/move/claim-due.ts';
import { refuseUnknownSealingKeys } from '../webhooks/agree-on-keys.ts';
import { expireDeliveryLeases } from '../webhooks/claim-deliveries.ts';
import type { CellRuntime } from './cell-runtime.ts';
import { type CommitQueues, createCommitQueues } from './commit-queues.ts';
import { composeDispatcher } from './dispatcher.ts';
import { composeScreening, composeSender } from './senders.ts';

/** How long a stop waits for submissions and inquiries under way; the rest is taken over when its lease ends. */
const DISPATCH_DRAIN_MS = 2_000;
/**
 * How long it waits for submissions to operators without an inquiry: what is taken over there is a doubt that only two
 * people can end. The longest takes 15 s, and main.ts gives a stop up after 20 s.
 */
export const STOP_WITHIN_MS = 18_000;

/** Everything that works on the books of one cell. */
export type ComposedCell = Readonly<{
  name: string;
  /** For those who ask several cells. */
  database: Database;
  /** Whether it answers. */
  isReady(): Promise<boolean>;
  /** Whether it knows the keys, people and held routes of the directory as they are. */
  isCurrent(): boolean;
  operations: BookOperations;
  authenticator: KeyAuthenticator;
  /** Has the dispatcher inquire about a transfer whose lease was taken for it. */
  ask: InquireNowDeps['ask'];
  changes: ChangeHub;
  commitQueues: CommitQueues;
  storeCallback(callback: ReadCallback): ReturnType<typeof storeCallback>;
  /** Looks for transfers whose route this process does not have. */
  lookForRemovedRoutes(): Promise<void>;
  /** Before `start`. `alone`: existing leases belong to processes that died. */
  prepare(options: Readonly<{ alone: boolean }>): Promise<void>;
  start(): void;
  /** Finishes what is under way, within this time. */
  stop(options: Readonly<{ withinMs: number }>): Promise<void>;
  /** Closes the database. */
  close(): Promise<void>;
}>;

/** Builds everything of one cell. Nothing is opened before `prepare`. */
export function composeCell(runtime: CellRuntime): ComposedCell {
  const controls = createControlSnapshots({ database: runtime.writes });
  const commitQueues = createCommitQueues(runtime, controls, () => feed.onCommitted());
  const { dispatcher, scanner, schedule } = composeDispatcher(runtime, commitQueues);
  const { directory, reads, writes, routes, leaseOwner, now, monotonicMs, newId, logger, config } =
    runtime;
  const sender = composeSender(runtime, commitQueues);
  const screening = composeScreening(runtime);
  const feed = createFeedKeeper({ database: writes, onDeliveries: sender.wake, logger });
  const names = createAccountNames({
    database: writes,
    routes,
    newId,
    now,
    monotonicMs,
    namesPerDayMax: config.resolveLimitPerDay,
  });
  const resolver = createRecipientResolver({ database: writes, names, now, logger });
  const wait = (ms: number) => waitMs(ms, undefined, { ref: false });
  const checker = createPayoutFileChecker({
    database: writes,
    routes,
    leaseOwner,
    now,
    logger,
    places: runtime.checkPlaces,
  });
  const nameChecker = createNameChecker({ database: writes, names, leaseOwner, now, logger });
  const reader = createCallbackReader({
    database: writes,
    routes,
    leaseOwner,
    answer: dispatcher.answer,
    logger,
    now,
  });
  const cleaner = createCallbackCleaner({ database: writes, logger, now });
  const changes = new ChangeHub({ database: reads, directory, feed, now, monotonicMs, logger });
  const initiate: InitiateDeps = {
    cell: runtime.cell,
    database: reads,
    groups: commitQueues.initiations,
    controls,
    matchName: (request) => matchName({ database: reads, names, wait }, request),
    routes,
    dispatch: dispatcher.submit,
    newId,
    now,
    monotonicMs,
  };
  const cancel = { database: reads, moves: commitQueues.moves, now, newId };
  const payer = createFilePayer({ database: writes, initiate, cancel, leaseOwner, now, logger });
  const fileLife = { database: reads, directory, routes, controls, now, newId, wake: payer.wake };
  const files = createFileSource(fileLife);
  const approvals = createApprovalKeeper({
    database: writes,
    directory,
    routes,
    moves: commitQueues.moves,
    otherSources: [files],
    now,
    newId,
    logger,
  });
  const occurrences = createOccurrenceLoop({
    database: writes,
    newId,
    submit: submitOccurrenceFile(fileLife),
    logger,
  });
  const decide = { database: reads, directory, routes, now, newId };
  const api: BookApiDeps = {
    initiate,
    cancel,
    fileLife,
    recipients: { database: reads, names, newId, now },
    webhooks: composeOutgoing(runtime),
    keys: { directory, now, newId, randomBytes },
    schedules: { database: reads, now, newId },
    controls: composeOutgoing(runtime),
    policy: {
      database: reads,
      now,
      newId,
      replays: createReplays({ database: reads, now, monotonicMs }, runtime.replayTurn),
    },
    approvals: { ...decide, sources: [createTransferSource(decide), files] },
    changes,
    preflight: { database: reads, controls, routes, names, now, wait },
    payoutFiles: {
      database: reads,
      directory,
      routes,
      now,
      newId,
      wait,
      monotonicMs,
      checker,
      nameChecker,
    },
    overview: createOverviewReader({ database: reads, now, monotonicMs }),
    now,
    feed,
    database: reads,
    directory,
  };
  const stranded = createRemovedRouteFinder({ database: writes, routes, logger });
  const statistics = createStatisticsKeeper({ database: reads, tables: GROWING_TABLES, logger });
  const dueWork = createDueWorkFinder({
    database: reads,
    loops: {
      transfers: scanner,
      deliveries: sender,
      recipients: resolver,
      scheduledTransfers: schedule,
      approvals,
      payoutFiles: payer,
      fileChecks: checker,
      nameChecks: nameChecker,
      schedules: occurrences,
      screenings: screening,
      callbacks: reader,
      events: feed,
    },
    logger,
  });
  /** In the order of their start. */
  const loops: readonly BackgroundLoop[] = [
    stranded,
    statistics,
    scanner,
    schedule,
    approvals,
    payer,
    occurrences,
    reader,
    cleaner,
    resolver,
    checker,
    nameChecker,
    feed,
    sender,
    screening,
    dueWork,
    changes,
  ];
  return {
    name: runtime.cell,
    database: reads,
    isReady: () => runtime.lookups.isReady(),
    isCurrent: () => true,
    operations: listBookOperations(api),
    authenticator: createAuthenticator(runtime),
    ask: dispatcher.askOnce,
    changes,
    commitQueues,
    storeCallback: (callback) =>
      storeCallback(
        {
          callbacks: commitQueues.callbacks,
          now,
          newId,
          inquire: dispatcher.inquire,
          onStored: reader.wake,
        },
        callback,
      ),
    lookForRemovedRoutes: stranded.look,
    async prepare({ alone }) {
      await refuseUnknownSealingKeys(
        { database: reads, sealer: runtime.sealer },
        config.webhookKeysLost,
      );
      if (alone) await expireAllLeases(writes);
      await stranded.look();
    },
    start() {
      for (const loop of loops) loop.start();
    },
    async stop({ withinMs }) {
      const untilMs = monotonicMs() + withinMs;
      await Promise.all(loops.map((loop) => loop.stop()));
      await Promise.race([dispatcher.idle(), wait(DISPATCH_DRAIN_MS)]);
      const leftMs = Math.max(0, untilMs - monotonicMs());
      await Promise.race([dispatcher.unaskableIdle(), wait(leftMs)]);
      await Promise.all(Object.values(commitQueues).map((queue) => queue.idle()));
    },
    async close() {
      const { groupWrites, lookups } = runtime;
      await Promise.all([writes, groupWrites, reads, lookups].map((database) => database.close()));
    },
  };
}

/** What operations work with by which a merchant names an address that we call. */
function composeOutgoing({ reads, sealer, now, newId, config }: CellRuntime) {
  const toLoopback = config.webhooksToLoopback;
  return { database: reads, sealer, now, newId, randomBytes, toLoopback };
}

function createAuthenticator({ cell, directory, lookups, now, monotonicMs, logger }: CellRuntime) {
  return createKeyAuthenticator({
    cell,
    database: lookups,
    directory,
    now,
    monotonicMs,
    onError: (error) => logger.warn({ err: error }, 'reading a key in the background failed'),
  });
}

/**
 * Where the database runs only on this machine, existing leases belong to processes that died, and nothing should wait
 * half a minute for them. If another process is running after all, the worst result is an early inquiry. A transfer is
 * still sent only once, since a lease that has ended moves nothing, and "not found" ends nothing before 15 minutes
 * (dispatcher/early-takeover.test.ts).
 */
async function expireAllLeases(database: Database): Promise<void> {
  await expireLeases(database);
  await expireDeliveryLeases(database);
  await expireFileLeases(database);
  await expireScreeningLeases(database);
}
