import { DatabaseError, Pool, type PoolClient, types as pgTypes } from 'pg';

/** int8 as bigint: an amount must never pass through a double. */
const INT8_OID = 20;
const DATE_OID = 1082;
const CONNECT_TIMEOUT_MS = 5_000;
/** A statement that waits longer for a row lock gives up; its caller answers 503. */
const LOCK_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 15_000;
/** A paused process must not pin a row lock for ever. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

export type Row = Record<string, unknown>;
/** A prepared statement: its text is parsed once per connection. */
export type Statement = Readonly<{ name: string; text: string }>;

export interface Queryable {
  query<R extends Row>(statement: Statement, values?: readonly unknown[]): Promise<R[]>;
}

export interface Database extends Queryable {
  /** Runs the callback inside one transaction. Nothing in it may touch the network. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** The number of callers that wait for a connection. */
  waiting(): number;
  close(): Promise<void>;
}

export type DatabaseOptions = Readonly<{
  connectionString: string;
  applicationName: string;
  connectionsMax: number;
  /**
   * The longest a caller waits for one statement or commit. statement_timeout does not bound a
   * COMMIT that waits for a standby, and cancelling one may acknowledge what is not durable: past
   * this the socket is dropped without a cancel, and the outcome is unknown.
   */
  deadlineMs?: number;
  onError: (error: Error) => void;
}>;

/** The database did not answer, so nobody knows whether the work was committed. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('the database did not confirm the work', { cause });
    this.name = 'OutcomeUnknown';
  }
}

/** No connection could be had: the work provably never began. */
export class DatabaseUnreachable extends Error {
  constructor(cause: unknown) {
    super('the database cannot be reached', { cause });
    this.name = 'DatabaseUnreachable';
  }
}

const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    if (oid === INT8_OID) return BigInt;
    if (oid === DATE_OID) return String;
    return pgTypes.getTypeParser(oid, format);
  },
};

export function openDatabase(options: DatabaseOptions): Database {
  const pool = new Pool({
    connectionString: options.connectionString,
    application_name: options.applicationName,
    max: options.connectionsMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    idleTimeoutMillis: 0,
    keepAlive: true,
    lock_timeout: LOCK_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    types,
  });
  // A connection that dies while idle is replaced at the next use; without a listener it would end
  // the process.
  pool.on('error', options.onError);
  const deadlineMs = options.deadlineMs ?? STATEMENT_TIMEOUT_MS + LOCK_TIMEOUT_MS;

  async function withClient<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch((error: unknown) => {
      throw new DatabaseUnreachable(error);
    });
    let broken: Error | undefined;
    const watchdog = setTimeout(() => {
      broken = new Error(`no answer within ${deadlineMs} ms`);
      dropSocket(client, broken);
    }, deadlineMs);
    try {
      return await work(client);
    } catch (error) {
      if (!isServerError(error) || endsSession(error)) {
        broken = error instanceof Error ? error : new Error(String(error));
      }
      throw error;
    } finally {
      clearTimeout(watchdog);
      client.release(broken);
    }
  }

  return {
    query: (statement, values) => withClient((client) => run(client, statement, values)),
    transaction: (work) => withClient((client) => runTransaction(client, work)),
    waiting: () => pool.waitingCount,
    close: () => pool.end(),
  };
}

async function run<R extends Row>(
  client: PoolClient,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<R[]> {
  try {
    const result = await client.query<R>({ ...statement, values: [...values] });
    return result.rows;
  } catch (error) {
    throw isServerError(error) && !endsSession(error) ? error : new OutcomeUnknown(error);
  }
}

async function runTransaction<T>(
  client: PoolClient,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  await run(client, BEGIN);
  let result: T;
  try {
    result = await work({ query: (statement, values) => run(client, statement, values) });
  } catch (error) {
    // When even the rollback fails the connection is gone, and the server rolls back by itself.
    await run(client, ROLLBACK).catch(() => undefined);
    throw error;
  }
  await run(client, COMMIT);
  return result;
}

const BEGIN: Statement = { name: '', text: 'begin' };
const COMMIT: Statement = { name: '', text: 'commit' };
const ROLLBACK: Statement = { name: '', text: 'rollback' };

function dropSocket(client: PoolClient, reason: Error): void {
  const { connection } = client as unknown as {
    connection?: { stream?: { destroy(e: Error): void } };
  };
  connection?.stream?.destroy(reason);
}

function isServerError(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError;
}

/** Classes 57P0x (the server goes down) and 08 (connection): the work may have been committed. */
function endsSession(error: unknown): boolean {
  const code = sqlState(error) ?? '';
  return code.startsWith('57P') || code.startsWith('08');
}

export function sqlState(error: unknown): string | undefined {
  return isServerError(error) ? error.code : undefined;
}

export function violatedConstraint(error: unknown): string | undefined {
  return isServerError(error) && error.code === '23505' ? error.constraint : undefined;
}

/** Classes 22 and 23: a value does not fit, so the transaction was rolled back because of it. */
export function isDataFault(error: unknown): boolean {
  const code = sqlState(error) ?? '';
  return code.startsWith('22') || code.startsWith('23');
}

export async function answers(database: Queryable): Promise<boolean> {
  const rows = await database.query<{ alive: number }>(PING);
  return rows.length === 1;
}

const PING: Statement = { name: 'ping', text: 'select 1 as alive' };
