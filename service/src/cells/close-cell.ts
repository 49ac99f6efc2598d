import { refuseRemoved } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { Actor } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import type { Queryable, Statement } from '../postgres/database.ts';
import type { CellDeps } from './add-cell.ts';

type Deps = Omit<CellDeps, 'env' | 'say'>;
type Request = Readonly<{ actor: Actor; name: string }>;

/** From now on no new merchants are placed in the cell. Its own merchants go on as before. */
export async function closeCell(deps: Deps, request: Request): Promise<void> {
  const since = deps.now();
  await change(deps, request, async (tx, closedAt) => {
    const { name } = request;
    if (closedAt !== null) throw new AdminRefused('CELL_IS_CLOSED', { name, since: closedAt });
    await tx.query(SET_CLOSED, [name, since]);
    return 'CELL_CLOSED';
  });
}

/** Lets new merchants be placed in the cell again. */
export async function openCell(deps: Deps, request: Request): Promise<void> {
  await change(deps, request, async (tx, closedAt) => {
    const { name } = request;
    if (closedAt === null) throw new AdminRefused('CELL_IS_OPEN', { name });
    await tx.query(SET_CLOSED, [name, null]);
    return 'CELL_OPENED';
  });
}

async function change(
  deps: Deps,
  { actor, name }: Request,
  work: (tx: Queryable, closedAt: Date | null) => Promise<'CELL_CLOSED' | 'CELL_OPENED'>,
): Promise<void> {
  await deps.directory.transaction(async (tx) => {
    await refuseRemoved(tx, actor);
    const cells = await tx.query<{ name: string; closed_at: Date | null }>(LOCK);
    const cell = cells.find((one) => one.name === name);
    if (cell === undefined) {
      throw new AdminRefused('CELL_NOT_FOUND', { known: cells.map((one) => one.name) });
    }
    const kind = await work(tx, cell.closed_at);
    await recordAct(tx, deps, {
      actor,
      kind,
      subject: name,
      merchantId: null,
      reason: null,
      before: { open: kind === 'CELL_CLOSED' },
      after: { open: kind === 'CELL_OPENED' },
    });
  });
}

const LOCK: Statement = {
  name: '',
  text: 'select name, closed_at from cells order by name for update',
};
const SET_CLOSED: Statement = { name: '', text: 'update cells set closed_at = $2 where name = $1' };
