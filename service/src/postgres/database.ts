import { Client, type ClientBase, Pool, types as pgTypes } from 'pg';
import { type ConnectionAdmission, createAdmission } from './admit-connections.ts';
import { splitTls } from './connection-tls.ts';
import { limitPool } from './limit-pool.ts';
import {
  type DatabaseSession,
  isServerError,
  listenToSession,
  type Queryable,
  run,
  runTransaction,
  type Statement,
} from './session.ts';

export { OutcomeUnknown, type Queryable, type Row, type Statement } from './session.ts';

/** int8 is read as bigint, because an amount must never pass through a double. */
const INT8_OID = 20;
const DATE_OID = 1082;
const CONNECT_TIMEOUT_MS = 5_000;
/** A statement that waits longer for a row lock gives up; its caller answers 503. */
const LOCK_TIMEOUT_MS = 5_000;
const STATEMENT_TIMEOUT_MS = 15_000;
/** The server ends an idle transaction after this, so that a paused process does not keep its row locks. */
const IDLE_IN_TRANSACTION_TIMEOUT_MS = 10_000;

/** Of a statement of a long transaction: the largest books take hours to copy. */
const LONG_DEADLINE_MS = 24 * 3_600_000;

export interface Database extends Queryable {
  /** Runs the callback inside one transaction. Nothing in it may touch the network. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /**
   * One transaction for work that takes long, such as a copy of many rows: without the limits on time of `transaction`.
   * Its connection is for copyRows.
   */
  longTransaction<T>(work: (tx: LongTransaction) => Promise<T>): Promise<T>;
  /** The number of callers that wait for a connection. */
  waiting(): number;
  /** Whether the database answers, and new connections would be durable. */
  isReady(): Promise<boolean>;
  close(): Promise<void>;
}

/** A handle whose number of connections can be changed while it is in use. */
export interface ResizableDatabase extends Database {
  connectionsMax(): number;
  /**
   * Resolves once no more than these are open. With none, callers wait until there may be some, and no longer than for
   * any connection.
   */
  resize(connectionsMax: number): Promise<void>;
}

export type LongTransaction = Queryable & Readonly<{ client: ClientBase }>;

export type DatabaseOptions = Readonly<{
  /** A function is called for each new connection: the embedded server may come back on another port after a crash. */
  connectionString: string | (() => string);
  applicationName: string;
  connectionsMax: number;
  /**
   * The longest time that a caller waits for one statement, COMMIT included. statement_timeout does not limit a COMMIT
   * that waits for a standby, and cancelling one may acknowledge what is not durable. So past this deadline the socket
   * is dropped without a cancel, and the outcome is unknown.
   */
  deadlineMs?: number;
  /** How long a statement waits for a lock. */
  lockTimeoutMs?: number;
  /**
   * Plan each prepared statement once and keep the plan. For the few statements with array parameters: planning one
   * again costs 1.5 ms and never finds a better plan.
   */
  keepPlans?: boolean;
  /** The schemas in which names without one are looked for, in this order. Left out: as the database or role is set. */
  searchPath?: readonly string[];
  /** Decides about new connections. Left out: connections that are not durable are refused. */
  admission?: ConnectionAdmission;
  onError: (error: Error) => void;
}>;

/** No connection was available: the work provably never began. */
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

/** Throws BadConnectionString when the connection string cannot be used. */
export function openDatabase(options: DatabaseOptions): ResizableDatabase {
  // Fails now if the connection string cannot be used, and not at the first query.
  describePlace(options);
  const config = {
    application_name: options.applicationName,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    keepAlive: true,
    lock_timeout: options.lockTimeoutMs ?? LOCK_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_TIMEOUT_MS,
    types,
  };
  const { admission = createAdmission({}) } = options;
  class PlacedClient extends Client {
    constructor() {
      super({ ...config, ...describePlace(options) });
    }
  }
  const pool = new Pool({
    ...config,
    Client: PlacedClient,
    idleTimeoutMillis: 0,
    verify: (client, done) => void verify(admission, client, done),
  });
  const limit = limitPool(pool, options.connectionsMax);
  // A connection that dies while idle is replaced at the next use. Without a listener its error would end the process.
  pool.on('error', options.onError);
  // The pool listens to idle connections, and a session to one in use. If the server ends a connection in the same
  // packet in which it reports ready, the error arrives between the two.
  pool.on('connect', (client) => client.on('error', () => undefined));
  const deadlineMs = options.deadlineMs ?? STATEMENT_TIMEOUT_MS + LOCK_TIMEOUT_MS;

  async function withSession<T>(
    work: (session: DatabaseSession) => Promise<T>,
    sessionDeadlineMs = deadlineMs,
  ): Promise<T> {
    const client = await limit.connect().catch((error: unknown) => {
      throw new DatabaseUnreachable(error);
    });
    const session: DatabaseSession = {
      client,
      deadlineMs: sessionDeadlineMs,
      broken: undefined,
      unreplicated: undefined,
    };
    const stopListening = listenToSession(session);
    try {
      return await work(session);
    } finally {
      stopListening();
      client.release(session.broken ?? limit.isPassed());
    }
  }

  const query: Database['query'] = (statement, values) =>
    withSession((session) => run(session, statement, values));
  return {
    query,
    transaction: (work) => withSession((session) => runTransaction(session, work)),
    longTransaction: (work) =>
      withSession(
        (session) =>
          runTransaction(session, async (tx) => {
            for (const setting of WITHOUT_TIMEOUTS) await tx.query(setting);
            return work({ ...tx, client: session.client });
          }),
        LONG_DEADLINE_MS,
      ),
    waiting: () => pool.waitingCount,
    isReady: () => admission.isReady({ query }, () => new PlacedClient()),
    connectionsMax: () => pool.options.max,
    resize: limit.set,
    close: () => pool.end(),
  };
}

// By SET and not by `select set_config`: after a select, the isolation level of a transaction can no longer be set.
const WITHOUT_TIMEOUTS: readonly Statement[] = [
  { name: '', text: 'set local statement_timeout = 0' },
  { name: '', text: 'set local idle_in_transaction_session_timeout = 0' },
];

function sessionOptions({ keepPlans, searchPath }: DatabaseOptions): string {
  const settings = [
    ...(keepPlans === true ? ['plan_cache_mode=force_generic_plan'] : []),
    ...(searchPath === undefined ? [] : [`search_path=${searchPath.join(',')}`]),
  ];
  return settings.map((setting) => `-c ${setting}`).join(' ');
}

/** Our options override those in the URL. */
function describePlace(options: DatabaseOptions) {
  const { connectionString: from } = options;
  const { connectionString, ssl } = splitTls(typeof from === 'string' ? from : from());
  const url = new URL(connectionString);
  const given = url.searchParams.get('options') ?? '';
  url.searchParams.delete('options');
  return {
    connectionString: url.href,
    options: `${given} ${sessionOptions(options)}`.trim(),
    ...(ssl === undefined ? {} : { ssl }),
  };
}

/** The pool hands out a new connection only after it was admitted. */
async function verify(
  { admit }: ConnectionAdmission,
  client: ClientBase,
  done: (error?: Error) => void,
): Promise<void> {
  try {
    await admit(client);
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)));
    return;
  }
  done();
}

export function sqlState(error: unknown): string | undefined {
  return isServerError(error) ? error.code : undefined;
}

export function violatedConstraint(error: unknown): string | undefined {
  return isServerError(error) && error.code === '23505' ? error.constraint : undefined;
}

/** Classes 22 and 23: a value is not valid, and the transaction was rolled back because of it. */
export function isDataFault(error: unknown): boolean {
  const code = sqlState(error) ?? '';
  return code.startsWith('22') || code.startsWith('23');
}
