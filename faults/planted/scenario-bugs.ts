import { SHORT_MEMORY_HOURS } from '../plan/make-system.ts';
import { about, type PlantedBug, payThrough } from './planted-bug.ts';

const COMMIT_QUEUES = 'service/src/compose/commit-queues.ts';
const STORE = 'service/src/transfers/accept/store-transfers.ts';
const LEGS = 'service/src/ledger/wallet-legs.ts';
const PLACE = 'service/src/events/place-events.ts';
const TEST_ONLY = { operators: ['mtn'], livePerMille: 0, mix: { ok: 1 } } as const;
const MANY_ORDERS = { ordersPerClient: 30, windowMs: 4_000 };
const LIMITED = { ...TEST_ONLY, limitedPerMille: 1_000, amountMaxMinor: 50_000 } as const;

/** Bugs that the service once had, or nearly had, and that need a scenario of their own. */
export const SCENARIO_BUGS: readonly PlantedBug[] = [
  {
    name: 'a warning that a commit is not replicated is ignored',
    edits: [
      {
        file: 'service/src/postgres/session.ts',
        old: '    if (session.unreplicated !== undefined) throw session.unreplicated;\n',
        new: '',
      },
    ],
    breaks: ['I24'],
    size: about(
      { ...TEST_ONLY, livePerMille: 300, database: 'shared', faults: ['lose standby'] },
      { ...MANY_ORDERS, faultsMin: 2, faultsMax: 2 },
    ),
  },
  {
    name: 'a locked wallet fails the group that it is in',
    edits: [
      {
        file: COMMIT_QUEUES,
        old: `        keysOf: keysOfInitiation,
        isBlocked: isLockTimeout,`,
        new: `        keysOf: keysOfInitiation,
        isBlocked: () => false,`,
      },
    ],
    breaks: ['I25'],
    size: about({ ...TEST_ONLY, calm: 'locked wallet' }, MANY_ORDERS),
  },
  {
    name: 'references are stored in the order of the request, and deadlocks are not retried',
    edits: [
      {
        file: STORE,
        old: '      order by i.book_id, i.reference collate "C"\n',
        new: '',
      },
      {
        file: COMMIT_QUEUES,
        old: '    retryConflicts({ wait, random: Math.random }, commit);',
        new: '    commit();',
      },
      // Otherwise the groups would time out before the server detects the deadlock.
      {
        file: 'service/src/compose/databases.ts',
        old: '      lockTimeoutMs: GROUP_LOCK_TIMEOUT_MS,',
        new: '      lockTimeoutMs: 10 * GROUP_LOCK_TIMEOUT_MS,',
      },
    ],
    breaks: ['I25', 'envelope'],
    size: about({ ...TEST_ONLY, calm: 'opposite orders' }),
  },
  {
    name: 'an exchange gets a new id at every try to record it',
    edits: [
      {
        file: 'service/src/transfers/move/record-outcome.ts',
        old: '  return { id: attemptId, route: route.name,',
        new: '  return { id: attemptId && crypto.randomUUID(), route: route.name,',
      },
    ],
    breaks: ['I26'],
    size: about(
      { ...payThrough('mtn', { ok: 1 }), database: 'shared', faults: ['database link'] },
      { ...MANY_ORDERS, faultsMin: 10, faultsMax: 10 },
    ),
  },
  {
    name: 'a wallet’s day is set back by a late statement of the day before',
    edits: [
      {
        file: LEGS,
        old: `greatest(w.day, (now() at time zone 'utc')::date) as day`,
        new: `(now() at time zone 'utc')::date as day`,
      },
      { file: LEGS, old: 'case when w.day >= (now()', new: 'case when w.day = (now()' },
    ],
    breaks: ['I23'],
    size: about(
      { ...LIMITED, faults: ['turn day'] },
      { ...MANY_ORDERS, faultsMin: 4, faultsMax: 4 },
    ),
  },
  {
    name: 'a payment is not added to the wallet’s daily total',
    edits: [
      {
        file: LEGS,
        old: `coalesce(sum(l.amount_minor) filter (where l.kind = 'hold'), 0))::bigint`,
        new: '0)::bigint',
      },
    ],
    breaks: ['I23'],
    size: about(LIMITED, MANY_ORDERS),
  },
  {
    name: 'an event is placed by the time it was written, not by the time it became visible',
    edits: [
      {
        file: PLACE,
        old: `greatest(
            c.last_number + 1, (1000000 * extract(epoch from clock_timestamp()))::bigint
          )`,
        new: `(
            select (1000000 * extract(epoch from min(t.written_at)))::bigint from taken t
          )`,
      },
    ],
    breaks: ['I20'],
    size: about(
      {
        ...payThrough('mtn', { ok: 1 }),
        database: 'shared',
        services: 2,
        faults: ['lose standby'],
      },
      { ...MANY_ORDERS, faultsMin: 2, faultsMax: 2 },
    ),
  },
  {
    name: 'a new endpoint misses events of earlier transactions',
    edits: [
      {
        file: PLACE,
        old: `where e.type <> 'webhook.test' and (cardinality`,
        new: `where e.type <> 'webhook.test' and e.created_at >= w.created_at and (cardinality`,
      },
    ],
    breaks: ['I17'],
    size: about(
      { ...TEST_ONLY, faults: ['create endpoint', 'hold wallets'] },
      { ...MANY_ORDERS, clientsMin: 6, clientsMax: 6, faultsMin: 10, faultsMax: 10 },
    ),
  },
  {
    name: 'nothing bounds how late a payout is sent',
    edits: [
      {
        file: 'service/src/dispatcher/dispatcher.ts',
        old: 'const mayStillSend = () => isInSendWindow(deps, leaseStart);',
        new: 'const mayStillSend = () => leaseStart.wallMs > 0 || isInSendWindow(deps, leaseStart);',
      },
    ],
    breaks: ['I7'],
    size: about(
      {
        ...payThrough('mtn', { ok: 1 }),
        database: 'shared',
        services: 2,
        faults: ['kill receiver'],
        failpoints: 'before-submit:pause:0.15;1',
        // With a longer memory the order is submitted again, and the late payout is recognised as the same.
        referenceMemoryHours: SHORT_MEMORY_HOURS,
      },
      { ...MANY_ORDERS, faultsMin: 1, faultsMax: 1 },
    ),
  },
  {
    name: 'a bulk call is answered from its last transfer to its first',
    edits: [
      {
        file: 'service/src/http/merchant-api/initiate-bulk.ts',
        old: 'const results = await initiateReadable(deps, commands, request);',
        new: 'const results = (await initiateReadable(deps, commands, request)).toReversed();',
      },
    ],
    breaks: ['I10', 'I11'],
    size: about({ ...TEST_ONLY }),
  },
  {
    name: 'a repeated key shows the transfer as it is now',
    edits: [
      {
        file: 'service/src/transfers/accept/decide-in-order.ts',
        old: `{ kind: 'replayed', transfer: replay.original }`,
        new: `{ kind: 'replayed', transfer: replay.current }`,
      },
    ],
    breaks: ['I19'],
    size: about({ ...TEST_ONLY }, { ordersPerClient: 20 }),
  },
];
