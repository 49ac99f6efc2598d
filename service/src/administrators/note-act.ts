import type { Queryable, Statement } from '../postgres/database.ts';
import type { Administrator } from './authenticate-administrator.ts';

const DETAIL_LENGTH_MAX = 1_000;

/** What an administrator did. */
export type Act = Readonly<{
  /** Null: there was nobody yet. */
  administrator: Administrator | null;
  act: string;
  subject: string;
  detail: string | null;
}>;

export type NoteDeps = Readonly<{ now: () => Date; newId: () => string }>;

/** Notes an act in the transaction that does it: neither can be without the other. */
export async function noteAct(tx: Queryable, deps: NoteDeps, noted: Act): Promise<void> {
  const { administrator, act, subject, detail } = noted;
  await tx.query(NOTE, [
    deps.newId(),
    administrator?.id ?? null,
    act,
    subject,
    detail?.slice(0, DETAIL_LENGTH_MAX) ?? null,
    deps.now(),
  ]);
}

const NOTE: Statement = {
  name: '',
  text: `
    insert into administrator_acts (id, administrator_id, act, subject, detail, acted_at)
    values ($1, $2, $3, $4, $5, $6)`,
};
