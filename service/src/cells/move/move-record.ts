import { AdminRefused } from '../../domain/admin-refused.ts';
import { parseUuid } from '../../domain/uuid.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';

/** Where the directory says a merchant is. */
export type PlacedMerchant = Readonly<{ id: string; name: string; cell: string; epoch: number }>;

/**
 * How far a move is. `closing`: the merchant is being closed and copied; `copied`: the copy is whole and right;
 * `switched`: the directory names the new cell. Until then it can be undone.
 */
type Phase = 'closing' | 'copied' | 'switched';
type Ended = 'opened' | 'undone' | 'forgotten';

export type MoveRecord = Readonly<{
  merchantId: string;
  fromCell: string;
  toCell: string;
  /** The merchant's epoch once it has moved. */
  epoch: number;
  phase: Phase | Ended;
  beganAt: Date;
}>;

/** The merchant with this name (in any case) or id. */
export async function findPlacedMerchant(
  directory: Queryable,
  nameOrId: string,
): Promise<PlacedMerchant> {
  const name = nameOrId.normalize('NFC').trim();
  const values = [parseUuid(name) ?? null, name.replaceAll('\0', '')];
  const [merchant] = await directory.query<PlacedMerchant>(FIND_MERCHANT, values);
  if (merchant === undefined) throw new AdminRefused('MERCHANT_NOT_FOUND', {});
  return merchant;
}

export async function isCellClosed(directory: Queryable, name: string): Promise<boolean> {
  return (await directory.query(FIND_CLOSED, [name])).length > 0;
}

/** The move that is under way; undefined: none is. */
export async function findOpenMove(
  directory: Queryable,
  merchantId: string,
): Promise<MoveRecord | undefined> {
  const [move] = await directory.query<MoveRecord>(FIND_OPEN, [merchantId]);
  return move;
}

/** Moves that are over and whose old rows are still there. */
export async function listKeptMoves(
  directory: Queryable,
  merchantId: string,
): Promise<readonly MoveRecord[]> {
  return directory.query<MoveRecord>(LIST_KEPT, [merchantId]);
}

export async function storeMove(tx: Queryable, move: MoveRecord): Promise<void> {
  await tx.query(STORE, [
    move.merchantId,
    move.epoch,
    move.fromCell,
    move.toCell,
    move.phase,
    move.beganAt,
  ]);
}

/** Throws if the move is not in one of the phases that the caller expects: another process went on with it. */
export async function setPhase(
  tx: Queryable,
  { merchantId, beganAt }: Pick<MoveRecord, 'merchantId' | 'beganAt'>,
  {
    from,
    phase,
    at,
  }: Readonly<{ from: readonly Phase[] | ['opened']; phase: Phase | Ended; at: Date }>,
): Promise<void> {
  const set = await tx.query(SET_PHASE, [merchantId, beganAt, phase, at, from]);
  if (set.length === 0) {
    throw new Error(`the move is not in the phase ${from.join(' or ')} any more`);
  }
}

/** From here on the merchant is served by the other cell. False: the directory has another state by now. */
export async function placeMerchant(tx: Queryable, move: MoveRecord): Promise<boolean> {
  const values = [move.merchantId, move.fromCell, move.toCell, move.epoch];
  return (await tx.query(PLACE, values)).length === 1;
}

const FIND_MERCHANT: Statement = {
  name: '',
  text: `
    select id, name, cell, epoch from merchants
    where (id = $1::uuid or lower(name) = lower($2)) and placed_at is not null`,
};

const FIND_CLOSED: Statement = {
  name: '',
  text: 'select from cells where name = $1 and closed_at is not null',
};

const MOVE_COLUMNS = `
  merchant_id as "merchantId", from_cell as "fromCell", to_cell as "toCell", epoch, phase,
  began_at as "beganAt"`;

const FIND_OPEN: Statement = {
  name: '',
  text: `select ${MOVE_COLUMNS} from moves where merchant_id = $1 and ended_at is null`,
};

const LIST_KEPT: Statement = {
  name: '',
  text: `
    select ${MOVE_COLUMNS} from moves where merchant_id = $1 and phase = 'opened' order by began_at`,
};

const STORE: Statement = {
  name: '',
  text: `
    insert into moves (merchant_id, epoch, from_cell, to_cell, phase, began_at)
    values ($1, $2, $3, $4, $5, $6)`,
};

const SET_PHASE: Statement = {
  name: '',
  text: `
    update moves
    set phase = $3,
        switched_at = case when $3 = 'switched' then $4::timestamptz else switched_at end,
        ended_at = case when $3 in ('opened', 'undone') then $4::timestamptz else ended_at end
    where merchant_id = $1 and began_at = $2 and phase = any ($5::text[])
    returning phase`,
};

const PLACE: Statement = {
  name: '',
  text: `
    update merchants set cell = $3, epoch = $4
    where id = $1 and cell = $2 and epoch = $4 - 1
    returning id`,
};
