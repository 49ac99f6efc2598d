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
   * The longest a caller waits for one statement, COMMIT included. statement_timeout does not bound a
   * COMMIT that waits for a standby, and cancelling one may acknowledge what is not durable: past
   * this the socket is dropped without a cancel, and the outcome is unknown.
   */
  deadlineMs?: number;
  /**
   * Plan each prepared statement once and keep that plan. For the few statements that carry arrays:
   * planning one anew costs 1.5 ms and never finds anything better.
   */
  keepPlans?: boolean;
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
    ...(options.keepPlans === true ? { options: '-c plan_cache_mode=force_generic_plan' } : {}),
    types,
  });
  // A connection that dies while idle is replaced at the next use; without a listener it would end
  // the process.
  pool.on('error', options.onError);
  // The pool listens to a connection while it is idle, and a session while it is in use. A server that ends
  // it in the same packet in which it says that it is ready speaks in between.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const deadlineMs = options.deadlineMs ?? STATEMENT_TIMEOUT_MS + LOCK_TIMEOUT_MS;

  async function withSession<T>(work: (session: Session) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch((error: unknown) => {
      throw new DatabaseUnreachable(error);
    });
    const session: Session = { client, deadlineMs, broken: undefined };
    // A connection that dies during a query says so twice: once to the query, and once as an event
    // that would end the process if nobody listened.
    const onError = (error: Error) => {
      session.broken ??= error;
    };
    client.on('error', onError);
    try {
      return await work(session);
    } finally {
      client.off('error', onError);
      client.release(session.broken);
    }
  }

  return {
    query: (statement, values) => withSession((session) => run(session, statement, values)),
    transaction: (work) => withSession((session) => runTransaction(session, work)),
    waiting: () => pool.waitingCount,
    close: () => pool.end(),
  };
}

/** A connection in somebody's hands. A broken one is not given to the next. */
type Session = {
  readonly client: PoolClient;
  readonly deadlineMs: number;
  broken: Error | undefined;
};

async function run<R extends Row>(
  session: Session,
  statement: Statement,
  values: readonly unknown[] = [],
): Promise<R[]> {
  const { client, deadlineMs } = session;
  const watchdog = setTimeout(() => {
    dropSocket(client, new Error(`no answer within ${deadlineMs} ms`));
  }, deadlineMs);
  try {
    const result = await client.query<R>({ ...statement, values: [...values] });
    return result.rows;
  } catch (error) {
    if (isServerError(error) && !endsSession(error)) throw error;
    session.broken ??= error instanceof Error ? error : new Error(String(error));
    throw new OutcomeUnknown(error);
  } finally {
    clearTimeout(watchdog);
  }
}

async function runTransaction<T>(
  session: Session,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  await run(session, BEGIN);
  let result: T;
  try {
    result = await work({ query: (statement, values) => run(session, statement, values) });
  } catch (error) {
    // When even the rollback fails the connection is gone, and the server rolls back by itself.
    await run(session, ROLLBACK).catch(() => undefined);
    throw error;
  }
  await run(session, COMMIT);
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

/** What the server says when it ends the session, in English; other languages are known by the class alone. */
const LAST_WORDS = ['FATAL', 'PANIC'];
/** The server goes down, the connection broke, the disk failed. */
const LAST_CLASSES = ['57P', '08', '58'];

/** With an error that ends the session nobody knows whether the work was committed. */
function endsSession({ severity = '', code = '' }: DatabaseError): boolean {
  return LAST_WORDS.includes(severity) || LAST_CLASSES.some((start) => code.startsWith(start));
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
