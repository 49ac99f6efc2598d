import type { Database, Queryable, Statement } from '../postgres/database.ts';
import { ROWS_MAX, statementsFor, type TableStatements } from './copy-statements.ts';
import { COPY_LAYOUT, DIRECTORY_TABLES } from './directory-tables.ts';

/** Changes that one transaction takes over. */
const CHANGES_MAX = 500;
const STATEMENTS: ReadonlyMap<string, TableStatements> = new Map(
  DIRECTORY_TABLES.map((table) => [table.name, statementsFor(table)]),
);

export type CopyDeps = Readonly<{
  /** The server of the directory. */
  directory: Database;
  /** The server of the copy. */
  target: Database;
  /** The environment variable with the address of the copy's server: its name in the directory. */
  urlVariable: string;
}>;

/** The copy on this server is of another installation, which pays from it too. */
export class CopyOfAnother extends Error {
  constructor() {
    super('the server has a copy of the directory of another installation');
    this.name = 'CopyOfAnother';
  }
}

/**
 * `current`: the copy has all that the directory had when it was asked. `behind`: there may be more to take over now.
 * `left`: it is behind, and kept by processes of a newer release.
 */
type CopyState = 'current' | 'behind' | 'left';

/** `number` is null when the copy must be filled anew. */
type Position = { number: bigint | null; token: string | null; layout: number };
type Change = {
  number: bigint;
  token: string;
  table_name: string | null;
  key: string | null;
  new_row: string | null;
};

/**
 * Takes over what changed in the directory since the copy's position, in one transaction with the new position. A copy
 * that is new, too old, or ahead of a directory that comes from a backup is filled anew. Several processes may do this
 * at once: a change counts only from the position at which it was read.
 */
export async function copyDirectory(deps: CopyDeps): Promise<CopyState> {
  const [position] = await deps.target.query<Position>(READ_POSITION);
  if (position === undefined) throw new Error('the copy of the directory has no position');
  if (position.layout > COPY_LAYOUT) return look(deps, position);
  if (position.number === null || position.layout < COPY_LAYOUT) return fill(deps, position);
  const [last, ...changes] = await readLog(deps.directory, position.number);
  if (last?.number !== position.number || last.token !== position.token) {
    return fill(deps, position);
  }
  const newest = changes.at(-1);
  if (newest === undefined) return 'current';
  const done = await writeCopy(deps.target, position, async (tx) => {
    for (const change of changes) await apply(tx, change);
    await tx.query(MOVE_POSITION, [newest.number, newest.token]);
  });
  if (done) await reportPosition(deps, newest.number);
  return done && changes.length < CHANGES_MAX ? 'current' : 'behind';
}

/** This process does not know the tables of the copy. */
async function look({ directory }: CopyDeps, { number, token }: Position): Promise<CopyState> {
  if (number === null) return 'left';
  const [last, ...changes] = await readLog(directory, number);
  return last?.token === token && changes.length === 0 ? 'current' : 'left';
}

/** The change at the position, then those after it. */
function readLog(directory: Database, number: bigint): Promise<Change[]> {
  return directory.query<Change>(READ_LOG, [number, CHANGES_MAX + 1]);
}

async function apply(
  tx: Queryable,
  { table_name: name, key, new_row: row }: Change,
): Promise<void> {
  if (name === null) return;
  const statements = STATEMENTS.get(name);
  if (statements === undefined) throw new Error(`no copy is known of the table ${name}`);
  if (row === null) await tx.query(statements.deleteRow, [key]);
  else await tx.query(statements.putRows, [`[${row}]`]);
}

/** What the log of the directory says of one snapshot. */
type Head = Readonly<{ installation: string; number: bigint; token: string }>;

/** Reads one snapshot of the directory and stores it in one transaction, part by part: no table is held in memory. */
async function fill(deps: CopyDeps, position: Position): Promise<CopyState> {
  await registerCopy(deps);
  const { done, number } = await readSnapshot(deps.directory, async (snapshot, head) => ({
    done: await writeCopy(deps.target, position, (tx) => storeSnapshot(tx, snapshot, head)),
    number: head.number,
  }));
  if (done) await reportPosition(deps, number);
  return done ? 'current' : 'behind';
}

async function storeSnapshot(
  tx: Queryable,
  snapshot: Queryable,
  { installation, number, token }: Head,
): Promise<void> {
  const taken = await tx.query(TAKE_COPY, [installation, number, token, COPY_LAYOUT]);
  if (taken.length === 0) throw new CopyOfAnother();
  for (const { openRows, readRows, closeRows, deleteAll, putRows } of STATEMENTS.values()) {
    await tx.query(deleteAll);
    await snapshot.query(openRows);
    for (;;) {
      const part = await snapshot.query<{ row: string }>(readRows);
      if (part.length > 0) await tx.query(putRows, [`[${part.map(({ row }) => row).join(',')}]`]);
      if (part.length < ROWS_MAX) break;
    }
    await snapshot.query(closeRows);
  }
}

/** From now on changes are logged; what was committed before is in each later snapshot. */
async function registerCopy({ directory, urlVariable }: CopyDeps): Promise<void> {
  await directory.transaction(async (tx) => {
    await tx.query(LOCK_REGISTRATION);
    await tx.query(LOCK_LOG);
    await tx.query(REGISTER, [urlVariable]);
    await tx.query(BEGIN_LOG);
  });
}

function readSnapshot<T>(
  directory: Database,
  work: (snapshot: Queryable, head: Head) => Promise<T>,
): Promise<T> {
  return directory.transaction(async (tx) => {
    await tx.query(ONE_SNAPSHOT);
    const [head] = await tx.query<Head>(READ_HEAD);
    if (head === undefined) throw new Error('the log of the directory is empty');
    return work(tx, head);
  });
}

/** Resolves to false, and changes nothing, when another process has moved the copy on. */
function writeCopy(
  target: Database,
  expected: Position,
  write: (tx: Queryable) => Promise<void>,
): Promise<boolean> {
  return target.transaction(async (tx) => {
    await tx.query(ALLOW_WRITES);
    const [now] = await tx.query<Position>(LOCK_POSITION);
    if (now?.number !== expected.number || now.token !== expected.token) return false;
    await write(tx);
    return true;
  });
}

/** What all copies have is deleted from the log, except the row by which they find their place. */
async function reportPosition({ directory, urlVariable }: CopyDeps, number: bigint): Promise<void> {
  await directory.query(REPORT, [urlVariable, number]);
  await directory.query(CLEAN_LOG);
}

const READ_POSITION: Statement = {
  name: 'read-copy-position',
  text: 'select number, token, layout from directory.copy_position',
};
const LOCK_POSITION: Statement = {
  name: '',
  text: 'select number, token, layout from directory.copy_position for update',
};
const ALLOW_WRITES: Statement = {
  name: '',
  text: `select set_config('kafue.copies_directory', 'on', true)`,
};
const MOVE_POSITION: Statement = {
  name: '',
  text: 'update directory.copy_position set number = $1, token = $2',
};
const TAKE_COPY: Statement = {
  name: '',
  text: `
    update directory.copy_position set installation = $1, number = $2, token = $3, layout = $4
    where installation is null or installation = $1
    returning id`,
};

const READ_LOG: Statement = {
  name: 'read-directory-changes',
  text: `
    select number, token, table_name, key::text as key, new_row::text as new_row
    from directory.changes
    where number >= $1
    order by number
    limit $2`,
};
// The locks are those of directory.enter_log().
const LOCK_REGISTRATION: Statement = {
  name: '',
  text: 'select pg_advisory_xact_lock(7246310601)',
};
const LOCK_LOG: Statement = { name: '', text: 'select pg_advisory_xact_lock(7246310602)' };
const REGISTER: Statement = {
  name: '',
  text: 'insert into directory.copies (url_variable) values ($1) on conflict do nothing',
};
const BEGIN_LOG: Statement = {
  name: '',
  text: 'insert into directory.changes (table_name) values (null)',
};
const ONE_SNAPSHOT: Statement = {
  name: '',
  text: 'set transaction isolation level repeatable read, read only',
};
const READ_HEAD: Statement = {
  name: '',
  text: `
    select i.key as installation, c.number, c.token
    from directory.installation i
    cross join directory.changes c
    order by c.number desc
    limit 1`,
};
const REPORT: Statement = {
  name: 'report-copy-position',
  text: `
    update directory.copies set number = $2
    where url_variable = $1 and number is distinct from $2::bigint`,
};
// A copy that was out of reach for a day is filled anew.
const CLEAN_LOG: Statement = {
  name: 'clean-directory-changes',
  text: `
    delete from directory.changes
    where number < (select max(number) from directory.changes)
      and (
        number < (select case when bool_and(number is not null) then min(number) end from directory.copies)
        or changed_at < now() - interval '1 day'
      )`,
};
