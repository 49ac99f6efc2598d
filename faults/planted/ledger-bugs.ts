import { about, type PlantedBug, payThrough } from './planted-bug.ts';

const MOVE = 'service/src/transfers/move/move-transfers.ts';
const STORE = 'service/src/transfers/accept/store-transfers.ts';
const STORE_ONE = 'service/src/transfers/accept/store-one-transfer.ts';
/** Where the checks of columns became those of their types. */
const DOMAINS = 'service/migrations/undivided/0053_checks-as-domains.sql';
const FOUNDATION = 'service/migrations/undivided/0001_foundation.sql';
const FEED = 'service/src/events/record-events.ts';
const LEGS = 'service/src/ledger/wallet-legs.ts';
const TEST_ONLY = { operators: ['mtn'], livePerMille: 0, mix: { ok: 1 } } as const;

/** Bugs in stored data, and in events and answers about it. */
export const LEDGER_BUGS: readonly PlantedBug[] = [
  {
    name: 'a move does not check the state it moves from',
    edits: [
      {
        file: MOVE,
        old: 'where t.book_id = i.book_id and t.id = i.id and t.state = i.from_state',
        new: 'where t.book_id = i.book_id and t.id = i.id',
      },
      { file: MOVE, old: '        and t.event_seq = i.event_seq\n', new: '' },
    ],
    breaks: ['I3', 'I8', 'I14'],
    size: about(
      {
        ...payThrough('airtel', { slow: 1 }),
        database: 'shared',
        services: 2,
        faults: ['pause service past its leases'],
      },
      { faultsMin: 5, faultsMax: 5, windowMs: 3_000 },
    ),
  },
  {
    name: 'the balance of the wallet is not checked',
    edits: [
      { file: STORE, old: '         or w.available_minor < i.total_minor\n', new: '' },
      {
        file: STORE_ONE,
        old: '        and w.available_minor >= $7::bigint + $8::bigint\n',
        new: '',
      },
      {
        file: DOMAINS,
        old: '  alter column available_minor type bigint_from_0,',
        new: '  alter column available_minor type bigint,',
      },
      {
        file: DOMAINS,
        old: '  alter column available_after_minor type bigint_from_0,',
        new: '  alter column available_after_minor type bigint,',
      },
    ],
    breaks: ['I4'],
    size: about({ ...TEST_ONLY, flawedPerMille: 400 }),
  },
  {
    name: 'a reference can be used twice',
    edits: [
      { file: FOUNDATION, old: '  unique (book_id, reference),\n', new: '' },
      {
        file: 'service/src/transfers/accept/decide-in-order.ts',
        old: '  if (known === undefined) return undefined;',
        new: '  if (known === undefined || key === null) return undefined;',
      },
    ],
    breaks: ['I5', 'I11'],
    size: about({ ...TEST_ONLY }),
  },
  {
    name: 'an Idempotency-Key is forgotten',
    edits: [
      {
        file: STORE,
        old: 'accepted.map(({ idempotencyKey }) => idempotencyKey)',
        new: 'accepted.map(() => null)',
      },
      {
        file: STORE_ONE,
        old: '    idempotencyKey,\n    transfer.state,',
        new: '    null,\n    transfer.state,',
      },
    ],
    breaks: ['I19'],
    size: about({ ...TEST_ONLY }, { ordersPerClient: 20 }),
  },
  {
    name: 'an amount is computed with a double',
    edits: [
      {
        file: 'service/src/domain/money.ts',
        old: `  const amountMinor = BigInt(digits + '0'.repeat(zerosToAppend));`,
        new: '  const amountMinor = BigInt(Math.trunc(Number(lexeme) * 100));',
      },
    ],
    breaks: ['I10'],
    size: about({ ...TEST_ONLY }),
  },
  {
    name: 'a commit is answered before it is on disk',
    edits: [
      {
        file: 'service/src/postgres/database.ts',
        old: `['plan_cache_mode=force_generic_plan']`,
        new: `['plan_cache_mode=force_generic_plan', 'synchronous_commit=off']`,
      },
      // Otherwise the service would refuse the setting.
      {
        file: 'service/src/postgres/prepare-session.ts',
        old: `synchronous_commit: ['on',`,
        new: `synchronous_commit: ['off', 'on',`,
      },
    ],
    breaks: ['I10', 'I6', 'I7', 'I14', 'I17'],
    size: about(
      { ...TEST_ONLY, livePerMille: 300, faults: ['kill postmaster'] },
      {
        clientsMin: 8,
        clientsMax: 8,
        ordersPerClient: 40,
        faultsMin: 4,
        faultsMax: 4,
        windowMs: 6_000,
      },
    ),
  },
  {
    name: 'a reversal keeps the money of the wallet',
    edits: [
      {
        file: LEGS,
        old: `r.has_fee * m.fee_minor as minor`,
        new: `r.has_fee * m.fee_minor - (r.kind = 'reverse')::integer as minor`,
      },
    ],
    breaks: ['I8'],
    size: about({ ...TEST_ONLY, specialPerMille: 900 }, { ordersPerClient: 20 }),
  },
  {
    name: 'an event is written outside its transaction',
    edits: [
      { file: FEED, old: 'where n.type is not null', new: `where n.type = 'transfer.created'` },
      {
        file: MOVE,
        old: '  const moved = new Set(rows.map(({ ord }) => Number(ord)));\n',
        new: `  const moved = new Set(rows.map(({ ord }) => Number(ord)));
  await database.query(
    {
      name: '',
      text: \`
        insert into feed_pending (book_ids, subject_ids, seqs)
        select array_agg(e.book_id), array_agg(e.subject_id), array_agg(e.seq)
        from unnest($1::uuid[], $2::integer[]) as m (id, seq)
        join events e on e.subject_id = m.id and e.seq = m.seq
        where e.type is not null
        having count(*) > 0\`,
    },
    [moves.map(({ transfer }) => transfer.id), moves.map(({ transfer }) => transfer.eventSeq + 1)],
  );
`,
      },
    ],
    breaks: ['I17'],
    size: about(
      { ...TEST_ONLY, faults: ['kill service'], failpoints: 'after-outcome-commit:kill:0.4;1' },
      { faultsMin: 2, faultsMax: 2, windowMs: 3_000 },
    ),
  },
  {
    name: 'a webhook has a new id at every attempt',
    edits: [
      {
        file: 'service/src/webhook-sender/deliver.ts',
        old: '    headers: signWebhook({ id: event.id, at, body, secrets }),',
        new: '    headers: signWebhook({ id: crypto.randomUUID(), at, body, secrets }),',
      },
    ],
    breaks: ['I17'],
    size: about({ ...TEST_ONLY, receiver: { http500: 300, slow: 0, hang: 0, reset: 0 } }),
  },
  {
    name: 'a delivery answered with an error counts as successful',
    edits: [
      {
        file: 'service/src/webhooks/record-attempts.ts',
        old: 'outcome.status >= 200 && outcome.status < 300',
        new: 'outcome.status >= 200',
      },
    ],
    breaks: ['I17'],
    size: about({ ...TEST_ONLY, receiver: { http500: 300, slow: 0, hang: 0, reset: 0 } }),
  },
  {
    name: 'a transfer is read without its book',
    edits: [
      {
        file: 'service/src/transfers/read/find-transfer.ts',
        old: 'from transfers t where t.book_id = $1 and t.id = $2',
        new: 'from transfers t where $1::uuid is not null and t.id = $2',
      },
    ],
    breaks: ['I15'],
    size: about({ ...TEST_ONLY }),
  },
  {
    name: 'a recipient is read without its book',
    edits: [
      {
        file: 'service/src/recipients/find-recipient.ts',
        old: 'from recipients r where r.book_id = $1 and r.id = $2',
        new: 'from recipients r where $1::uuid is not null and r.id = $2',
      },
    ],
    breaks: ['I15'],
    size: about({ ...TEST_ONLY }),
  },
  {
    name: 'a log line contains the phone number',
    edits: [
      {
        file: 'service/src/dispatcher/observe-outcome.ts',
        old: '{ transferId, from, to, doubt: kind, cause, operator, country, mode };',
        new: '{ transferId, host: transfer.phone, from, to, doubt: kind, cause, operator, country, mode };',
      },
    ],
    breaks: ['I22'],
    size: about({ ...TEST_ONLY }),
  },
];
