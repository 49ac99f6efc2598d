import { causeOf } from '../domain/cause.ts';
import type { Account } from '../operators/contract/connector.ts';
import type { Queryable } from '../postgres/database.ts';
import type { AccountNames } from './account-names.ts';
import { claimPending, type PendingClaim } from './claim-pending.ts';
import { nameResolved } from './recipient.ts';
import { recordName, recordNoAnswer, recordNoName } from './record-name.ts';
import { resolveBackoffMs } from './resolve-backoff.ts';

/** Small, so that a batch is looked up at once and other processes get their turn. */
export const RESOLVE_BATCH_MAX = 25;

/** A recipient whose route was removed is retried as slowly as with a real operator. */
const NO_ROUTE = { timeScale: 1, wasAsked: true };

export type ResolvePendingDeps = Readonly<{
  database: Queryable;
  names: AccountNames;
  now: () => Date;
  /** Called for a recipient whose answer could not be recorded; its lease ends by itself. */
  onError: (error: unknown, recipientId: string) => void;
}>;

/**
 * Looks up the names of one batch of pending recipients, with no transaction open. Returns how many recipients were
 * due, so that a loop can continue at once after a full batch.
 *
 * For an operator that cannot be reached the lookup is repeated for ever, at most hourly. When the operator has no such
 * account, or never gives names, no further lookup is made: the recipient stays pending, since one that was answered
 * with 201 is not deleted, and the event records the reason.
 */
export async function resolvePending(deps: ResolvePendingDeps): Promise<number> {
  const claims = await claimPending(deps.database, { now: deps.now(), max: RESOLVE_BATCH_MAX });
  await Promise.all(
    claims.map((claim) =>
      resolveOne(deps, claim).catch((error: unknown) => deps.onError(error, claim.recipient.id)),
    ),
  );
  return claims.length;
}

async function resolveOne(deps: ResolvePendingDeps, claim: PendingClaim): Promise<void> {
  const { recipient, attempts } = claim;
  const answer = await deps.names.ask({
    book: { id: recipient.bookId, mode: recipient.mode },
    actor: null,
    account: accountOf(recipient),
    waitedMs: deps.now().getTime() - recipient.createdAt.getTime(),
  });
  const now = deps.now();
  switch (answer.kind) {
    case 'resolved': {
      const { accountName } = answer;
      const { suppliedAccountName } = recipient;
      const naming = nameResolved({ suppliedAccountName, accountName });
      return recordName(deps.database, { claim, naming, now });
    }
    case 'noAccount':
      return recordNoName(deps.database, { claim, now, cause: causeOf('ACCOUNT_UNKNOWN') });
    case 'unsupported':
      return recordNoName(deps.database, { claim, now, cause: causeOf('NAMES_NOT_GIVEN') });
    case 'unreachable':
    case 'noRoute': {
      const { timeScale, wasAsked } = answer.kind === 'noRoute' ? NO_ROUTE : answer;
      const askAgainAt = new Date(
        now.getTime() + resolveBackoffMs({ attempts, timeScale, wasAsked }),
      );
      return recordNoAnswer(deps.database, { claim, askAgainAt });
    }
    default: {
      const unhandled: never = answer;
      throw new Error(`unhandled ${JSON.stringify(unhandled)}`);
    }
  }
}

function accountOf({ phone, operator, country }: Account): Account {
  return { phone, operator, country };
}
