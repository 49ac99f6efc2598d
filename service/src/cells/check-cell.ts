import { AdminRefused } from '../domain/admin-refused.ts';
import type { Database, Queryable, Statement } from '../postgres/database.ts';
import { findUnsafe } from '../postgres/prepare-session.ts';
import { searchPathOf } from '../schema/service-schema.ts';
import { BEHIND_MAX_MS } from './directory-copier.ts';
import { inSchemas } from './in-schemas.ts';
import type { ListedCell } from './list-cells.ts';
import { describePlace, type Environment, openServer, readServerUrl } from './open-server.ts';

/** What a cell says about itself. */
type CellFigures = Readonly<{
  /** How long it takes to answer. */
  answerMs: number;
  /** The last migration that it has. */
  version: number;
  merchants: number;
  books: number;
  bytes: bigint;
  /** When the oldest transfer was made that waits to be sent; null: none does. */
  oldestQueuedAt: Date | null;
  /** What its server could lose that it confirmed, and how to mend that; null: nothing. */
  unsafe: string | null;
  /** How far its copy of the directory is behind; null: its server has the directory itself. */
  behindMs: number | null;
}>;

export type CellCheck = Readonly<{
  cell: ListedCell;
  /** The database and its host; null: the address is not known. */
  place: string | null;
  /** Why it did not answer; an AdminRefused says what to do. */
  failure: unknown;
  figures: CellFigures | null;
}>;

export type CheckCellDeps = Readonly<{
  directory: Database;
  /** The database of the directory and its host. */
  place: string;
  env: Environment;
  monotonicMs: () => number;
}>;

/** Asks a cell how it is. One that does not answer is no error. */
export async function checkCell(deps: CheckCellDeps, cell: ListedCell): Promise<CellCheck> {
  const { urlVariable } = cell;
  if (urlVariable === null) {
    return ask(cell, deps.place, () => readFigures(deps, cell, deps.directory));
  }
  const place = findPlace(deps.env, urlVariable);
  return ask(cell, place, async () => {
    const server = await openServer(deps.env, urlVariable);
    try {
      const figures = await readFigures(deps, cell, server.database);
      return { ...figures, behindMs: await readBehind(deps.directory, server.database) };
    } finally {
      await server.close();
    }
  });
}

/** Whether nothing about it needs a person. */
export function isHealthy({ figures }: CellCheck): boolean {
  if (figures === null || figures.unsafe !== null) return false;
  return figures.behindMs === null || figures.behindMs <= BEHIND_MAX_MS;
}

async function ask(
  cell: ListedCell,
  place: string | null,
  read: () => Promise<CellFigures>,
): Promise<CellCheck> {
  try {
    return { cell, place, failure: undefined, figures: await read() };
  } catch (failure) {
    return { cell, place, failure, figures: null };
  }
}

function findPlace(env: Environment, urlVariable: string): string | null {
  try {
    return describePlace(readServerUrl(env, urlVariable));
  } catch (error) {
    if (error instanceof AdminRefused) return null;
    throw error;
  }
}

async function readFigures(
  { monotonicMs }: CheckCellDeps,
  cell: ListedCell,
  database: Database,
): Promise<CellFigures> {
  await database.query(NOTHING);
  const startedMs = monotonicMs();
  await database.query(NOTHING);
  const answerMs = monotonicMs() - startedMs;
  return inSchemas(database, searchPathOf(cell), async (tx) => {
    const unsafe = (await findUnsafe(tx))?.message ?? null;
    const [counted] = await tx.query<Counted>(COUNT, [cell.schema]);
    if (counted === undefined) throw new Error('the cell does not count its rows');
    return { ...counted, answerMs, unsafe, behindMs: null };
  });
}

type Counted = Pick<CellFigures, 'version' | 'merchants' | 'books' | 'bytes' | 'oldestQueuedAt'>;

/** By the clock of the directory's server alone: how long ago the first change was that the copy does not have. */
async function readBehind(directory: Queryable, copy: Queryable): Promise<number> {
  const [position] = await copy.query<{ number: bigint | null; token: string | null }>(POSITION);
  const [found] = await directory.query<{ is_known: boolean; behind_ms: number }>(BEHIND, [
    position?.number ?? null,
    position?.token ?? null,
  ]);
  return found?.is_known === true ? found.behind_ms : Number.POSITIVE_INFINITY;
}

const NOTHING: Statement = { name: '', text: 'select 1' };
const COUNT: Statement = {
  name: '',
  text: `
    select (select max(version) from migrations) as version,
           (select count(*)::integer from merchants) as merchants,
           (select count(*)::integer from books) as books,
           (
             select coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint from pg_class c
             where c.relnamespace = to_regnamespace(quote_ident($1)) and c.relkind = 'r'
           ) as bytes,
           (
             select min(created_at) from transfers where state = 'queued' and next_action_at is not null
           ) as "oldestQueuedAt"`,
};
const POSITION: Statement = { name: '', text: 'select number, token from directory.copy_position' };
const BEHIND: Statement = {
  name: '',
  text: `
    select exists (select from directory.changes where number = $1 and token = $2) as is_known,
           coalesce(
             extract(epoch from clock_timestamp() - min(changed_at) filter (where number > $1)) * 1000, 0
           )::double precision as behind_ms
    from directory.changes`,
};
