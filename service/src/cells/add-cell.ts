import type { ActDeps } from '../acts/act.ts';
import { refuseRemoved } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { Actor } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import type { Database, Statement } from '../postgres/database.ts';
import { listGranted } from '../postgres/grant-rights.ts';
import { prepareSchema } from '../postgres/prepare-schema.ts';
import { cellSchema, MAIN_CELL } from '../schema/service-schema.ts';
import { copyDirectory } from './copy-directory.ts';
import type { KnownCell } from './list-cells.ts';
import { type Environment, openServer } from './open-server.ts';
import { prepareServer } from './prepare-server.ts';
import { refuseForeignCell, refuseTakenServer } from './refuse-foreign.ts';

const NAME_LENGTH_MAX = 40;
const NAME = /^[a-z][a-z0-9_]{0,39}$/;

export type CellDeps = ActDeps &
  Readonly<{
    /** The directory, as the owner of its tables. */
    directory: Database;
    env: Environment;
    say: (line: string) => void;
  }>;

type AddRequest = Readonly<{
  actor: Actor;
  name: string;
  /** The environment variable with the address of its server; null: the server of the directory. */
  urlVariable: string | null;
}>;

/**
 * Makes a cell and lists it in the directory. That comes last, so what was cut off can be repeated. Where something is
 * refused, nothing was changed.
 */
export async function addCell(deps: CellDeps, request: AddRequest): Promise<KnownCell> {
  const { name, urlVariable } = request;
  if (!NAME.test(name)) throw new AdminRefused('CELL_NAME_INVALID', { max: NAME_LENGTH_MAX });
  const taken = await deps.directory.query(FIND, [name]);
  if (taken.length > 0) throw new AdminRefused('CELL_EXISTS', { name });
  const cell = { name, schema: `cell_${name}`, urlVariable };
  if (urlVariable === null) await makeHere(deps, cell);
  else await makeThere(deps, { ...cell, urlVariable });
  await listCell(deps, request.actor, cell);
  return cell;
}

/** The roles that work with the main cell get their rights on this one too. */
async function makeHere({ directory: database, say }: CellDeps, cell: KnownCell): Promise<void> {
  const [here] = await database.query<{ place: string }>(DESCRIBE_HERE);
  await refuseForeignCell(database, { schema: cell.schema, place: here?.place ?? '' });
  const roles = await listGranted(database, `${MAIN_CELL.schema}.${cellSchema(cell).mainTable}`);
  for (const role of roles.length === 0 ? [undefined] : roles) {
    const owned = await prepareSchema(database, { schema: cellSchema(cell), role, say });
    if (!owned) throw new AdminRefused('OWNER_NEEDED', {});
  }
}

async function makeThere(
  { directory, env, say }: CellDeps,
  cell: KnownCell & Readonly<{ urlVariable: string }>,
): Promise<void> {
  const { schema, urlVariable } = cell;
  const server = await openServer(env, urlVariable);
  const { database: target, role, place } = server;
  try {
    const [found] = await directory.query<{ installation: string }>(READ_INSTALLATION);
    if (found === undefined) throw new Error('the directory has no name of its own');
    await refuseTakenServer(target, { place, installation: found.installation });
    await refuseForeignCell(target, { schema, place });
    const owned = await prepareServer(target, { cells: [cell], role, say });
    if (!owned) throw new AdminRefused('OWNER_NEEDED', {});
    while ((await copyDirectory({ directory, target, urlVariable })) === 'behind');
  } finally {
    await server.close();
  }
}

async function listCell(deps: CellDeps, actor: Actor, cell: KnownCell): Promise<void> {
  const { name, schema, urlVariable } = cell;
  await deps.directory.transaction(async (tx) => {
    await refuseRemoved(tx, actor);
    const listed = await tx.query(LIST, [name, schema, urlVariable, deps.now()]);
    if (listed.length === 0) throw new AdminRefused('CELL_EXISTS', { name });
    await recordAct(tx, deps, {
      actor,
      kind: 'CELL_ADDED',
      subject: name,
      merchantId: null,
      reason: null,
      before: null,
      after: { schema, server: urlVariable ?? 'DATABASE_URL' },
    });
  });
}

const FIND: Statement = { name: '', text: 'select name from directory.cells where name = $1' };
const DESCRIBE_HERE: Statement = { name: '', text: 'select current_database()::text as place' };
const READ_INSTALLATION: Statement = {
  name: '',
  text: 'select key as installation from directory.installation',
};
const LIST: Statement = {
  name: '',
  text: `
    insert into cells (name, schema, url_variable, created_at) values ($1, $2, $3, $4)
    on conflict do nothing
    returning name`,
};
