import { type ClientBase, DatabaseError } from 'pg';

export type Row = Record<string, unknown>;
/** A prepared statement: its text is parsed once per connection. */
export type Statement = Readonly<{ name: string; text: string }>;

export interface Queryable {
  query<R extends Row>(statement: Statement, values?: readonly unknown[]): Promise<R[]>;
}

/** The database did not answer, so nobody knows whether the work was committed. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('the database did not confirm the work', { cause });
    this.name = 'OutcomeUnknown';
  }
}

/** A connection in use. A broken one is not given to the next. */
export type Session = {
  readonly client: ClientBase;
  readonly deadlineMs: number;
  broken: Error | undefined;
  /** A commit that the server confirmed may be missing on the standby. */
  unreplicated: Error | undefined;
};

/** Notes what a connection says beside its answers, until the returned function is called. */
export function listenToSession(session: Session): () => void {
  const { client } = session;
  // A connection that dies during a query says so twice: once to the query, and once as an event
  // that would end the process if nobody listened.
  const onError = (error: Error) => {
    session.broken ??= error;
  };
  const onNotice = (notice: Notice) => {
    if (saysNotReplicated(notice)) session.unreplicated ??= new Error(notice.message);
  };
  client.on('error', onError);
  client.on('notice', onNotice);
  return () => {
    client.off('error', onError);
    client.off('notice', onNotice);
  };
}

type Notice = Readonly<Partial<Record<'message' | 'detail' | 'routine', string | undefined>>>;

/**
 * With a synchronous standby a commit waits for it. Cancelling that wait does not undo the commit: the server
 * says "done" as always, and before it a warning. Its text depends on the server's language, the
 * name of the routine that sends it does not.
 */
function saysNotReplicated({ routine, detail = '' }: Notice): boolean {
  return routine === 'SyncRepWaitForLSN' || detail.includes('already committed locally');
}

export async function run<R extends Row>(
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
    if (session.unreplicated !== undefined) throw session.unreplicated;
    return result.rows;
  } catch (error) {
    if (isServerError(error) && !endsSession(error)) throw error;
    session.broken ??= error instanceof Error ? error : new Error(String(error));
    throw new OutcomeUnknown(error);
  } finally {
    clearTimeout(watchdog);
  }
}

export async function runTransaction<T>(
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

function dropSocket(client: ClientBase, reason: Error): void {
  const { connection } = client as unknown as {
    connection?: { stream?: { destroy(e: Error): void } };
  };
  connection?.stream?.destroy(reason);
}

export function isServerError(error: unknown): error is DatabaseError {
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
