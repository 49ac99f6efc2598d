import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { PersonActor } from '../domain/actor.ts';
import { findAnyTransfer } from '../transfers/read/find-any-transfer.ts';
import type { PeopleDeps } from './resolve-by-people.ts';

/** The whole number of a transfer's recipient. Who saw it is on record, and the number is not. */
export async function revealPhone(
  deps: PeopleDeps,
  { actor, id }: Readonly<{ actor: PersonActor; id: string }>,
): Promise<string> {
  return actAs(deps, actor, async (tx) => {
    const { transfer, merchantId } = await findAnyTransfer(tx, id);
    await recordAct(tx, deps, {
      actor,
      kind: 'PHONE_REVEALED',
      subject: transfer.id,
      merchantId,
      bookId: transfer.bookId,
      reason: null,
      before: null,
      after: null,
    });
    return transfer.phone;
  });
}
