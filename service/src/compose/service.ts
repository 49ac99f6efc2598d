import { randomBytes } from 'node:crypto';
import { setTimeout as waitMs } from 'node:timers/promises';
import { createApprovalKeeper } from '../approvals/transfers/approval-keeper.ts';
import { createTransferSource } from '../approvals/transfers/transfer-source.ts';
import type { BackgroundLoop } from '../background/background-loop.ts';
import { createControlSnapshots } from '../controls/control-snapshots.ts';
import { createRemovedRouteFinder } from '../dispatcher/removed-route-finder.ts';
import { createDueWorkFinder } from '../due-work/due-work-finder.ts';
import { createFeedKeeper } from '../events/feed-keeper.ts';
import { createFloatReader } from '../floats/float-reader.ts';
import type { CallbackReceiver } from '../http/server/serve-callbacks.ts';
import { ChangeHub } from '../http/stream-api/change-hub.ts';
import type { RouteConfig } from '../operators/route-file/read-routes.ts';
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
import { createRouteStopReader } from '../resolutions/route-stop-reader.ts';
import { createOccurrenceLoop } from '../schedules/occurrence-loop.ts';
import { submitOccurrenceFile } from '../schedules/submit-occurrence-file.ts';
import { GROWING_TABLES } from '../schema/growing-tables.ts';
import { expireScreeningLeases } from '../screening/claim-screenings.ts';
import type { InitiateDeps } from '../transfers/accept/initiate-transfer.ts';
import { createCallbackCleaner } from '../transfers/callbacks/callback-cleaner.ts';
import { createCallbackReader } from '../transfers/callbacks/callback-reader.ts';
import { isCallbackToken, storeCallback } from '../transfers/callbacks/receive-callback.ts';
import { expireLeases } from '../transfers/move/claim-due.ts';
import { expireDeliveryLeases } from '../webhooks/claim-deliveries.ts';
import { createCommitQueues } from './commit-queues.ts';
import { connectMetrics } from './connect-metrics.ts';
import { composeDispatcher } from './dispatcher.ts';
import { composeListeners, type Ports } from './listeners.ts';
import { composePeople } from './people.ts';
import { type ComposeOptions, createRuntime } from './runtime.ts';
import { composeScreening, composeSender } from './senders.ts';
import { composeSessions } from './sessions.ts';
import { composeSignIn } from './sign-in.ts';

/** How long a stop waits for submissions and inquiries under way; the rest is taken over when its lease ends. */
const DISPATCH_DRAIN_MS = 2_000;

export type Service = Readonly<{
  /** Loads another list of live routes without dropping work; returns the problems that prevent it. */
  reloadRoutes(configs: readonly RouteConfig[]): Promise<readonly string[]>;
  start(): Promise<Ports>;
  /** Stops accepting requests, finishes what is under way, and closes the database. */
  stop(): Promise<void>;
}>;

/** Builds the whole service. Nothing is opened before `start`. */
export function composeService(options: ComposeOptions): Service {
  const runtime = createRuntime(options);
  const controls = createControlSnapshots({ database: runtime.writes });
  const commitQueues = createCommitQueues(runtime, controls, () => feed.onCommitted());
  const { dispatcher, scanner, schedule } = composeDispatcher(runtime, commitQueues);
  const { reads, writes, routes, now, monotonicMs, newId, logger, config } = runtime;
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
  const { leaseOwner } = runtime;
  const fileChecker = createPayoutFileChecker({
    database: writes,
    routes,
    leaseOwner,
    now,
    logger,
  });
  const nameChecker = createNameChecker({ database: writes, names, leaseOwner, now, logger });
  const groups = commitQueues.initiations;
  const reader = createCallbackReader({ database: writes, routes, logger, now });
  const cleaner = createCallbackCleaner({ database: writes, logger, now });
  const callbacks = {
    callbacks: commitQueues.callbacks,
    routes,
    now,
    newId,
    onStored: reader.wake,
  };
  const receiver: CallbackReceiver = {
    isToken: (path) => isCallbackToken(routes, path),
    store: (callback) => storeCallback(callbacks, callback),
  };
  const decide = { database: reads, routes, now, newId };
  const changes = new ChangeHub({ database: reads, feed, now, monotonicMs, logger });
  const sessions = composeSessions(runtime);
  let ports: Ports | undefined;
  const initiate: InitiateDeps = {
    groups,
    controls,
    matchName: (request) => matchName({ database: reads, names, wait }, request),
    routes,
    dispatch: dispatcher.submit,
    newId,
    now,
    monotonicMs,
  };
  const cancel = { database: reads, moves: commitQueues.moves, now, newId };
  const filePayer = createFilePayer({
    database: writes,
    initiate,
    cancel,
    leaseOwner: runtime.leaseOwner,
    now,
    logger,
  });
  const fileLife = { database: reads, routes, controls, now, newId, wake: filePayer.wake };
  const files = createFileSource(fileLife);
  const approvals = createApprovalKeeper({
    database: writes,
    moves: commitQueues.moves,
    otherSources: [files],
    now,
    logger,
  });
  const occurrences = createOccurrenceLoop({
    database: writes,
    newId,
    submit: submitOccurrenceFile(fileLife),
    logger,
  });
  const listeners = composeListeners(runtime, receiver, {
    initiate,
    cancel,
    fileLife,
    recipients: { database: reads, names, newId, now },
    webhooks: {
      database: reads,
      sealer: runtime.sealer,
      now,
      newId,
      randomBytes,
      toLoopback: config.webhooksToLoopback,
    },
    keys: { database: reads, now, newId, randomBytes },
    schedules: { database: reads, now, newId },
    controls: {
      database: reads,
      sealer: runtime.sealer,
      now,
      newId,
      randomBytes,
      toLoopback: config.webhooksToLoopback,
    },
    policy: { database: reads, now, newId, replays: createReplays({ database: reads, now }) },
    approvals: { ...decide, sources: [createTransferSource(decide), files] },
    changes,
    preflight: {
      database: reads,
      controls,
      routes,
      names,
      now,
      wait,
    },
    payoutFiles: {
      database: reads,
      routes,
      now,
      newId,
      wait,
      monotonicMs,
      checker: fileChecker,
      nameChecker,
    },
    overview: createOverviewReader({ database: reads, now, monotonicMs }),
    now,
    feed,
    ...composeSignIn(runtime),
    staff: {
      database: reads,
      databases: [reads],
      routes,
      now,
      monotonicMs,
      newId,
      randomBytes,
      leaseOwner: runtime.leaseOwner,
      ask: dispatcher.askOnce,
    },
    database: reads,
    sessions,
    people: composePeople(runtime, sessions, () => ports?.consolePort ?? config.port),
  });
  const stops = createRouteStopReader({
    database: reads,
    stoppedRoutes: runtime.stoppedRoutes,
    logger,
  });
  const stranded = createRemovedRouteFinder({ database: writes, routes, logger });
  const floats = createFloatReader({ database: reads, routes, monotonicMs, logger });
  const statistics = createStatisticsKeeper({ database: reads, tables: GROWING_TABLES, logger });
  connectMetrics(runtime, commitQueues);
  const dueWork = createDueWorkFinder({
    database: reads,
    loops: {
      transfers: scanner,
      deliveries: sender,
      recipients: resolver,
      scheduledTransfers: schedule,
      approvals,
      payoutFiles: filePayer,
      fileChecks: fileChecker,
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
    stops,
    statistics,
    scanner,
    schedule,
    approvals,
    filePayer,
    occurrences,
    floats,
    reader,
    cleaner,
    resolver,
    fileChecker,
    nameChecker,
    feed,
    sender,
    screening,
    dueWork,
  ];
  return {
    async reloadRoutes(configs) {
      const problems = runtime.live.reload(configs);
      if (problems.length === 0) await stranded.look();
      return problems;
    },
    async start() {
      if (runtime.alone) await expireAllLeases(writes);
      await stranded.look();
      // Before anything can be sent: a route may be held because the database was restored.
      await stops.read();
      runtime.live.start();
      for (const loop of loops) loop.start();
      ports = await listeners.listen();
      return ports;
    },
    async stop() {
      await listeners.drain();
      await Promise.all([changes.stop(), ...loops.map((loop) => loop.stop())]);
      await Promise.race([dispatcher.idle(), waitMs(DISPATCH_DRAIN_MS, undefined, { ref: false })]);
      await Promise.all(Object.values(commitQueues).map((queue) => queue.idle()));
      runtime.live.close();
      await Promise.all([writes.close(), runtime.groupWrites.close(), reads.close()]);
      logger.flush();
    },
  };
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
