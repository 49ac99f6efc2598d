import { actAs } from '../acts/act-as.ts';
import { recordAct } from '../acts/record-act.ts';
import type { PersonActor } from '../domain/actor.ts';
import { AdminRefused } from '../domain/admin-refused.ts';
import type { Transfer } from '../domain/transfer.ts';
import type { ConnectorReply } from '../operators/contract/connector.ts';
import type { Routes } from '../operators/routes/route.ts';
import { claimOne } from '../transfers/move/claim-one.ts';
import { type FoundTransfer, findAnyTransfer } from '../transfers/read/find-any-transfer.ts';
import type { PeopleDeps } from './resolve-by-people.ts';

/** The operator of one transfer is asked at most once in this time, by the schedule or by people. */
const ASK_PAUSE_MS = 10_000;

export type InquireNowDeps = PeopleDeps &
  Readonly<{
    leaseOwner: string;
    routes: Pick<Routes, 'named'>;
    /** Inquires under the lease that was taken, and records the answer. Never submits. */
    ask: (transfer: Transfer) => Promise<ConnectorReply>;
  }>;

export type InquiredTransfer = Readonly<{ found: FoundTransfer; reply: ConnectorReply }>;

/** Asks the operator about a transfer now, as the schedule would later. What it answers counts the same. */
export async function inquireNow(
  deps: InquireNowDeps,
  request: Readonly<{ actor: PersonActor; id: string }>,
): Promise<InquiredTransfer> {
  const { actor } = request;
  const transfer = await actAs(deps, actor, async (tx) => {
    const { transfer: seen, merchantId } = await findAnyTransfer(tx, request.id);
    refuseUnaskable(deps, seen);
    const { leaseOwner } = deps;
    const claimed = await claimOne(tx, { ...seen, leaseOwner, pauseMs: ASK_PAUSE_MS });
    if (claimed === undefined) throw new AdminRefused('ASKED_JUST_NOW', { pauseMs: ASK_PAUSE_MS });
    const { state, route, bookId } = claimed;
    await recordAct(tx, deps, {
      actor,
      kind: 'TRANSFER_INQUIRED',
      subject: seen.id,
      merchantId,
      bookId,
      reason: null,
      before: { state, route },
      after: { state, route },
    });
    return claimed;
  });
  const reply = await deps.ask(transfer);
  return { found: await findAnyTransfer(deps.database, transfer.id), reply };
}

function refuseUnaskable({ routes }: InquireNowDeps, { state, route }: Transfer): void {
  if (state !== 'submitted' && state !== 'in_doubt') {
    throw new AdminRefused('ASK_STATE', { state });
  }
  const inquires = routes.named(route)?.connector.abilities.inquires;
  if (inquires !== true) {
    throw new AdminRefused('ASK_IMPOSSIBLE', { route, isKnown: inquires !== undefined });
  }
}
