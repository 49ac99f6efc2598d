import { findPeopleOfActors } from '../../approvals/can-be-given.ts';
import { readApprovers } from '../../approvals/read-approvers.ts';
import { type Judgement, judge, judgeAlone } from '../../controls/judge.ts';
import { type ControlledOrder, readPastAnswers } from '../../controls/past-answers.ts';
import { canFillAll, type RoleHolder } from '../../domain/policy/assign-approvals.ts';
import { needsOf } from '../../domain/policy/needs-of.ts';
import type { Order } from '../../domain/policy/order.ts';
import { type Refusal, refuse } from '../../domain/refusal.ts';
import type { TransferCommand } from '../../domain/transfer.ts';
import { addToCounters } from '../../policies/policy-counters.ts';
import type { Queryable, Statement } from '../../postgres/database.ts';
import { JUDGED_ALONE, type Judge } from './decide-in-order.ts';
import { acceptTransfer, type PreparedTransfer } from './prepared-transfer.ts';

const KEY_ACTOR = 'key:';

/** The order that the policy judges. */
export function orderOf({ command, actor, origin }: OrderSource, at: Date): Order {
  return {
    amountMinor: command.amountMinor,
    currency: command.currency,
    phone: command.phone,
    operator: command.operator,
    country: command.country,
    walletId: command.walletId,
    keyId: keyOf(actor),
    personId: origin.madeBy,
    source: origin.source,
    metadata: command.metadata,
    recipientName: command.recipientName,
    at,
    sendAt: command.sendAt,
  };
}

type OrderSource = Pick<PreparedTransfer, 'actor' | 'origin'> &
  Readonly<{
    command: Pick<
      TransferCommand,
      | 'amountMinor'
      | 'currency'
      | 'phone'
      | 'operator'
      | 'country'
      | 'walletId'
      | 'metadata'
      | 'recipientName'
      | 'sendAt'
    >;
  }>;

function keyOf(actor: string): string | null {
  return actor.startsWith(KEY_ACTOR) ? actor.slice(KEY_ACTOR.length) : null;
}

/** Judges by the order alone, where that is enough. */
export function judgePrepared(
  source: OrderSource & Pick<PreparedTransfer, 'controls'>,
  at: Date,
): Judgement | null {
  const { controls, origin } = source;
  return controls === null ? null : judgeAlone(controls, orderOf(source, at), origin.preApproved);
}

/** Reads what the controls must know of the past, and of the people who could approve. Under the locks of the group. */
export async function readJudge(
  tx: Queryable,
  group: readonly PreparedTransfer[],
  at: Date,
): Promise<Judge> {
  const orders = new Map<PreparedTransfer, ControlledOrder>();
  for (const prepared of group) {
    const controlled = controlledOrder(prepared, at);
    if (controlled !== null) orders.set(prepared, controlled);
  }
  if (orders.size === 0) return JUDGED_ALONE;
  const judgedHere = [...orders].filter(([{ judged }]) => judged === null);
  const past = await readPastAnswers(
    tx,
    judgedHere.map(([, order]) => order),
    at,
  );
  const approvers = await readPossibleApprovers(tx, [...orders.keys()]);
  return {
    judge: ({ prepared, accepted }) => {
      const order = orders.get(prepared);
      if (order === undefined) return { refusal: null, accepted };
      if (lacksName(prepared, order)) return { refusal: NAME_WANTED, accepted };
      const judgement =
        prepared.judged ?? judge(order.controls, order.order, past.knowledgeOf(order));
      return {
        refusal: judgement.refusal ?? refuseImpossible(approvers.get(prepared), judgement),
        accepted: acceptTransfer(prepared, at, judgement),
      };
    },
    remember: (prepared) => {
      const order = orders.get(prepared);
      if (order !== undefined) past.remember(order);
    },
  };
}

function controlledOrder(prepared: PreparedTransfer, at: Date): ControlledOrder | null {
  const { book, controls, nameMatch, origin } = prepared;
  if (controls === null) return null;
  const { preApproved } = origin;
  const order = orderOf(prepared, at);
  return { bookId: book.id, controls, order, nameMatch: nameMatch ?? null, preApproved };
}

/** The rules that ask for the name are younger than what the process that took the order knew. */
function lacksName({ judged, nameMatch }: PreparedTransfer, { controls, order }: ControlledOrder) {
  if (judged !== null || nameMatch !== undefined || controls.policy === null) return false;
  return needsOf(controls.policy, order).some(({ kind }) => kind === 'nameMatch');
}

/** Refuses an order until its name was asked for. Nothing was stored: it is to be ordered again with the name. */
export const NAME_WANTED = refuse('UNAVAILABLE', { retryAfterSeconds: 1 });

/** The people who could approve each order: those of its book without its makers. Read only where a rule asks for some. */
async function readPossibleApprovers(
  tx: Queryable,
  group: readonly PreparedTransfer[],
): Promise<ReadonlyMap<PreparedTransfer, readonly RoleHolder[]>> {
  const ofBooks = new Map<string, readonly RoleHolder[]>();
  const makers = new Map<string, readonly string[]>();
  const possible = new Map<PreparedTransfer, readonly RoleHolder[]>();
  for (const prepared of group.filter(mayAskForApprovals)) {
    const { book, actor, origin } = prepared;
    const people = ofBooks.get(book.id) ?? (await readApprovers(tx, book));
    ofBooks.set(book.id, people);
    const maker = `${book.id} ${actor} ${origin.madeBy} ${origin.fileId}`;
    const makerIds = makers.get(maker) ?? (await readMakers(tx, prepared));
    makers.set(maker, makerIds);
    possible.set(
      prepared,
      people.filter(({ id }) => !makerIds.includes(id)),
    );
  }
  return possible;
}

function mayAskForApprovals({ judged, controls }: PreparedTransfer): boolean {
  if (judged !== null) return judged.approvalsNeeded !== null && judged.approvalsNeeded.length > 0;
  return controls?.policy?.rules.some(({ require }) => require.approvals !== null) === true;
}

async function readMakers(
  tx: Queryable,
  { book, actor, origin }: PreparedTransfer,
): Promise<readonly string[]> {
  const { madeBy, fileId } = origin;
  const ordered = madeBy === null ? [actor] : [actor, `person:${madeBy}`];
  const wrote = fileId === null ? [] : await readFileMakers(tx, { bookId: book.id, fileId });
  return findPeopleOfActors(tx, { bookId: book.id, codes: [...ordered, ...wrote] });
}

async function readFileMakers(
  tx: Queryable,
  { bookId, fileId }: Readonly<{ bookId: string; fileId: string }>,
): Promise<readonly string[]> {
  const [file] = await tx.query<{ makers: readonly string[] }>(FILE_MAKERS, [bookId, fileId]);
  return file?.makers ?? [];
}

const FILE_MAKERS: Statement = {
  name: 'makers-of-file',
  text: 'select makers from payout_files where book_id = $1 and id = $2',
};

function refuseImpossible(
  people: readonly RoleHolder[] | undefined,
  { approvalsNeeded }: Judgement,
): Refusal | null {
  if (approvalsNeeded === null || approvalsNeeded.length === 0) return null;
  if (canFillAll(approvalsNeeded, people ?? [])) return null;
  const [first] = approvalsNeeded;
  return refuse('APPROVAL_IMPOSSIBLE', first === undefined ? {} : { rule: first.rule });
}

/** Counts what was accepted, for the decisions to come. */
export async function countAccepted(
  tx: Queryable,
  accepted: readonly PreparedTransfer[],
  at: Date,
): Promise<void> {
  await addToCounters(
    tx,
    accepted.flatMap((prepared) => {
      const counted = prepared.controls?.policy?.counted ?? [];
      if (counted.length === 0) return [];
      return [{ bookId: prepared.book.id, order: orderOf(prepared, at), counted }];
    }),
  );
}
