import { type ClientBase, DatabaseError } from 'pg';

export type Row = Record<string, unknown>;
/** A prepared statement: its text is parsed once per connection. */
export type Statement = Readonly<{ name: string; text: string }>;

export interface Queryable {
  query<R extends Row>(statement: Statement, values?: readonly unknown[]): Promise<R[]>;
}

/** The database did not answer, so it is unknown whether the work was committed. */
export class OutcomeUnknown extends Error {
  constructor(cause: unknown) {
    super('the database did not confirm the work', { cause });
    this.name = 'OutcomeUnknown';
  }
}

/** A connection in use. A broken one is not used again. */
export type DatabaseSession = {
  readonly client: ClientBase;
  readonly deadlineMs: number;
  broken: Error | undefined;
  /** A commit that the server confirmed may be missing on the standby. */
  unreplicated: Error | undefined;
};

/** Records errors and notices of a connection until the returned function is called. */
export function listenToSession(session: DatabaseSession): () => void {
  const { client } = session;
  // A connection that dies during a query reports it twice: to the query, and as an event that would end the process
  // without a listener.
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
 * With a synchronous standby, a commit waits for it. Cancelling that wait does not undo the commit: the server confirms
 * it as usual, after a warning. The warning's text depends on the server's language, the name of the routine that sends
 * it does not.
 */
function saysNotReplicated({ routine, detail = '' }: Notice): boolean {
  return routine === 'SyncRepWaitForLSN' || detail.includes('already committed locally');
}

export async function run<R extends Row>(
  session: DatabaseSession,
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
  session: DatabaseSession,
  work: (tx: Queryable) => Promise<T>,
): Promise<T> {
  await run(session, BEGIN);
  let result: T;
  try {
    result = await work({ query: (statement, values) => run(session, statement, values) });
  } catch (error) {
    // If even the rollback fails, the connection is lost and the server rolls back by itself.
    await run(session, ROLLBACK).catch(() => undefined);
    throw error;
  }
  await run(session, COMMIT);
  return result;
}

const BEGIN: Statement = { name: '', text: 'begin' };
const COMMIT: Statement = { name: '', text: 'commit' };
const ROLLBACK: Statement = { name: '', text: 'rollback' };

/** Breaks the connection: the statement under way fails with the reason, and the pool drops the connection. */
export function dropSocket(client: ClientBase, reason: Error): void {
  const { connection } = client as unknown as {
    connection?: { stream?: { destroy(e: Error): void } };
  };
  connection?.stream?.destroy(reason);
}

export function isServerError(error: unknown): error is DatabaseError {
  return error instanceof DatabaseError;
}

/**
 * The severities with which the server ends a session, in English. In other languages only the class of the code shows
 * it.
 */
const FINAL_SEVERITIES = ['FATAL', 'PANIC'];
/** The server shuts down, the connection broke, or the disk failed. */
const FINAL_CLASSES = ['57P', '08', '58'];

/** After an error that ends the session it is unknown whether the work was committed. */
function endsSession({ severity = '', code = '' }: DatabaseError): boolean {
  return (
    FINAL_SEVERITIES.includes(severity) || FINAL_CLASSES.some((start) => code.startsWith(start))
  );
}
