import { Client } from 'pg';
import { AMOUNT_MINOR } from '../load/transfer-request.ts';
import { copyRows } from './copy-rows.ts';
import {
  ATTEMPT_COLUMNS,
  attemptRows,
  DELIVERY_COLUMNS,
  deliveryRows,
  EVENT_COLUMNS,
  eventRows,
  FEED_COLUMNS,
  type FreshWallet,
  feedRows,
  type History,
  POSTING_COLUMNS,
  postingRows,
  TRANSFER_COLUMNS,
  transferRows,
} from './history-rows.ts';

const TABLES = {
  transfers: { columns: TRANSFER_COLUMNS, rows: transferRows },
  postings: { columns: POSTING_COLUMNS, rows: postingRows },
  events: { columns: EVENT_COLUMNS, rows: eventRows },
  attempts: { columns: ATTEMPT_COLUMNS, rows: attemptRows },
  feed_batches: { columns: FEED_COLUMNS, rows: feedRows },
  deliveries: { columns: DELIVERY_COLUMNS, rows: deliveryRows },
} as const;
type TableName = keyof typeof TABLES;

/** What accepting and reading transfers meets. */
const BOOKKEEPING: readonly TableName[] = ['transfers', 'postings', 'events'];
/** Also what telling about them meets. */
const EVERYTHING: readonly TableName[] = [...BOOKKEEPING, 'attempts', 'feed_batches', 'deliveries'];

type HistoryToLoad = Pick<History, 'transfersPerWallet' | 'endsAt'> &
  Readonly<{
    /** Ends the load, which may take an hour. */
    signal: AbortSignal;
    /** Whether exchanges with the operator, places in the feed and deliveries are loaded too. */
    isWhole: boolean;
  }>;

/**
 * Gives every wallet a number of transfers that succeeded, with their holds, settlements and events, as the service
 * would have left them: the ledger verifies. It uses COPY, and builds the indexes once all rows are loaded; one by one
 * through the API it would take an hour. The database must not be in use yet.
 */
export async function loadHistory(
  databaseUrl: string,
  { transfersPerWallet, isWhole, endsAt, signal }: HistoryToLoad,
): Promise<void> {
  const tables = isWhole ? EVERYTHING : BOOKKEEPING;
  // Its own connections: those of the service abort a statement after some seconds.
  const clients = await Promise.all(tables.map(() => connect(databaseUrl)));
  // A statement under way fails with its connection.
  const endAll = () => Promise.allSettled(clients.map((client) => client.end()));
  const onAbort = () => void endAll();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    signal.throwIfAborted();
    const [first] = clients;
    if (first === undefined) return;
    const history = { wallets: await listWallets(first), transfersPerWallet, endsAt };
    const indexes = await takeDownIndexes(first, tables);
    await Promise.all(
      tables.map(async (table, index) => {
        const client = clients[index] ?? first;
        await fill(client, table, history);
        for (const text of indexes.get(table) ?? []) await client.query(text);
        await client.query(`analyze ${table}`);
      }),
    );
    await first.query(PAY_OUT, [transfersPerWallet, AMOUNT_MINOR]);
    await first.query('vacuum (analyze) wallets');
  } finally {
    signal.removeEventListener('abort', onAbort);
    await endAll();
  }
}

async function connect(connectionString: string): Promise<Client> {
  const client = new Client({ connectionString, options: '-c maintenance_work_mem=256MB' });
  await client.connect();
  return client;
}

async function listWallets(client: Client): Promise<readonly FreshWallet[]> {
  const { rows } = await client.query<{ book_id: string; id: string; available_minor: string }>(
    'select book_id, id, available_minor from wallets where posting_seq = 1 order by book_id, id',
  );
  return rows.map((row) => ({
    bookId: row.book_id,
    id: row.id,
    availableMinor: BigInt(row.available_minor),
  }));
}

/**
 * Frozen rows need a table that was emptied in the same transaction; then no vacuum has to touch them during a
 * measurement. The few existing rows are saved and restored.
 */
async function fill(client: Client, table: TableName, history: History): Promise<void> {
  const { columns, rows } = TABLES[table];
  await client.query('begin');
  await client.query(`create temp table kept on commit drop as select * from ${table}`);
  // The ledger's triggers refuse to empty a table.
  await client.query(`alter table ${table} disable trigger user`);
  await client.query(`truncate ${table}`);
  await client.query(`insert into ${table} select * from kept`);
  await copyRows(client, `copy ${table} (${columns}) from stdin (freeze)`, rows(history));
  await client.query(`alter table ${table} enable trigger user`);
  await client.query('commit');
}

/** Drops what makes loading slow; returns, by table, how to create it again. */
async function takeDownIndexes(
  client: Client,
  tables: readonly TableName[],
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await client.query<{ table: string; make: string; drop: string }>(LIST_INDEXES, [
    tables,
  ]);
  const rebuild = new Map<string, string[]>(tables.map((table) => [table, []]));
  for (const { table, make, drop } of rows) {
    await client.query(drop);
    rebuild.get(table)?.push(make);
  }
  return rebuild;
}

// Primary keys and unique constraints are dropped and created as constraints, other indexes as indexes.
const LIST_INDEXES = `
  select t.relname as table,
         case when c.oid is null then pg_get_indexdef(i.oid)
              else format('alter table %I add constraint %I %s', t.relname, c.conname,
                          pg_get_constraintdef(c.oid))
         end as make,
         case when c.oid is null then format('drop index %I', i.relname)
              else format('alter table %I drop constraint %I', t.relname, c.conname)
         end as drop
  from pg_index x
  join pg_class i on i.oid = x.indexrelid
  join pg_class t on t.oid = x.indrelid
  left join pg_constraint c on c.conindid = i.oid and c.contype in ('p', 'u')
  where t.relname = any ($1) and t.relnamespace = 'public'::regnamespace
  order by t.relname, i.relname`;

const PAY_OUT = `
  update wallets
  set available_minor = available_minor - $1::bigint * $2::bigint,
      posting_seq = posting_seq + 2 * $1::bigint
  where posting_seq = 1`;
