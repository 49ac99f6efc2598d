import type { ControlSnapshots } from '../controls/control-snapshots.ts';
import { type Actor, actorCode } from '../domain/actor.ts';
import type { Book } from '../domain/book.ts';
import { feeOf } from '../domain/fee.ts';
import type { FieldProblem } from '../domain/field-problem.ts';
import type { Metadata } from '../domain/metadata.ts';
import { predictOperator } from '../domain/number-prefix.ts';
import { type Country, currencyOf, type Operator } from '../domain/operator.ts';
import type { Refusal } from '../domain/refusal.ts';
import { REFUSALS, type RefusalCode } from '../domain/refusal-codes.ts';
import type { Transfer } from '../domain/transfer.ts';
import { readSpendable, type Spendable } from '../ledger/read-spendable.ts';
import { preferOpen } from '../operators/routes/choose-route.ts';
import type { Route, Routes } from '../operators/routes/route.ts';
import type { Queryable } from '../postgres/database.ts';
import { reasonsAgainst } from '../transfers/accept/decide-in-order.ts';
import { SUSPENDED } from '../transfers/accept/decide-suspended.ts';
import { findRoute } from '../transfers/accept/initiate-transfer.ts';
import { orderOf } from '../transfers/accept/judge-in-order.ts';
import { originOf } from '../transfers/accept/prepared-transfer.ts';
import { findMayBePaid } from '../transfers/read/find-may-be-paid.ts';
import { findSimilar } from '../transfers/read/find-similar.ts';
import { findTransferByReference } from '../transfers/read/find-transfer.ts';
import { type FoundName, findName, type NameDeps } from './find-name.ts';
import { type ControlsPreview, NO_CONTROLS, previewControls } from './preview-controls.ts';

export type PreflightDeps = NameDeps &
  Readonly<{
    database: Queryable;
    routes: Routes;
    controls: ControlSnapshots;
    now: () => Date;
  }>;

/** A transfer order as far as it is known; what is missing or broken is undefined. */
export type PreflightOrder = Readonly<{
  amountMinor: bigint | undefined;
  /** Null: none was given, and none is needed. */
  reference: string | null | undefined;
  phone: string | undefined;
  operator: Operator | undefined;
  country: Country | undefined;
  walletId: string | undefined;
  narration: string | null | undefined;
  recipientName: string | null | undefined;
  metadata: Metadata | null | undefined;
  sendAt: Date | null | undefined;
}>;

type Request = Readonly<{
  book: Book;
  actor: Actor;
  order: PreflightOrder;
  /** What is broken in the order. */
  problems: readonly FieldProblem[];
}>;

export type Problem = Readonly<{
  code: string;
  field?: string;
  message: string;
  /** Of EARLIER_MAY_BE_PAID: what the operator may have paid. */
  transferId?: string;
}>;

export type Preflight = Readonly<{
  /** Empty: the same order would be accepted now. Else the first is what it would be answered. */
  problems: readonly Problem[];
  feeMinor: bigint | null;
  totalMinor: bigint | null;
  wallet: Spendable | undefined;
  operator: Readonly<{
    given: Operator | null;
    predicted: Operator | null;
    /** Whether payouts leave now; else they wait in the queue. */
    open: boolean;
    minMinor: bigint | null;
    maxMinor: bigint | null;
  }>;
  name: FoundName;
  controls: ControlsPreview;
  similar: readonly Transfer[];
}>;

/** Says what would become of an order. Nothing is stored but the record of a name lookup, and no money moves. */
export async function preflightTransfer(deps: PreflightDeps, request: Request): Promise<Preflight> {
  const { book, actor, order } = request;
  const { amountMinor, walletId, phone, operator, country } = order;
  const routes = listRoutes(deps.routes, book, order);
  const feeMinor = amountMinor === undefined ? null : feeOf(book.feeTerms, amountMinor);
  const wallet =
    walletId === undefined
      ? undefined
      : await readSpendable(deps.database, { bookId: book.id, id: walletId });
  const suppliedName = order.recipientName ?? null;
  const name =
    phone === undefined || operator === undefined || country === undefined
      ? NOT_ASKED
      : await findName(deps, {
          book,
          actor: actorCode(actor),
          account: { phone, operator, country },
          suppliedName,
        });
  const controls = await preview(deps, request, name);
  const problems = await findProblems(deps, request, { routes, wallet, controls });
  return {
    problems,
    feeMinor,
    totalMinor: amountMinor === undefined || feeMinor === null ? null : amountMinor + feeMinor,
    wallet,
    operator: describeOperator(deps, routes, order),
    name,
    controls,
    similar: await listSimilar(deps, book, order),
  };
}

const NOT_ASKED: FoundName = { kind: 'unknown' };

/** Of an order that is whole; of another one the broken fields are told first. */
async function preview(
  deps: PreflightDeps,
  { book, actor, order }: Request,
  name: FoundName,
): Promise<ControlsPreview> {
  const { amountMinor, phone, operator, country, walletId } = order;
  if (amountMinor === undefined || phone === undefined || walletId === undefined) {
    return NO_CONTROLS;
  }
  if (operator === undefined || country === undefined) return NO_CONTROLS;
  const command = {
    amountMinor,
    currency: currencyOf(country),
    phone,
    operator,
    country,
    walletId,
    metadata: order.metadata ?? null,
    recipientName: order.recipientName ?? null,
    sendAt: order.sendAt ?? null,
  };
  const source = { command, actor: actorCode(actor), origin: originOf(actor) };
  return previewControls(deps, {
    book,
    actor,
    order: orderOf(source, deps.now()),
    nameMatch: name.kind === 'found' ? name.nameMatch : null,
  });
}

function listRoutes(
  routes: Routes,
  { mode }: Book,
  { operator, country }: PreflightOrder,
): readonly Route[] {
  if (operator === undefined || country === undefined) return [];
  return routes.list({ mode, operator, country });
}

type Found = Readonly<{
  routes: readonly Route[];
  wallet: Spendable | undefined;
  controls: ControlsPreview;
}>;

/** In the order of the call itself: broken fields, a used reference, a suspended merchant, then the wallet. */
async function findProblems(
  { database }: PreflightDeps,
  { book, order, problems }: Request,
  { routes, wallet, controls }: Found,
): Promise<readonly Problem[]> {
  if (problems.length > 0) return problems;
  const { amountMinor, country, reference } = order;
  if (amountMinor === undefined || country === undefined) {
    throw new Error('a broken field was not recorded');
  }
  const { id: bookId, mode } = book;
  const isUsed =
    typeof reference === 'string' &&
    (await findTransferByReference(database, { bookId, mode, reference })) !== undefined;
  if (book.isSuspended && !isUsed) return [{ code: 'FORBIDDEN', message: SUSPENDED }];
  const earlierId = await findPaidEarlier(database, bookId, reference);
  const reasons = reasonsAgainst(
    {
      currency: currencyOf(country),
      totalMinor: amountMinor + feeOf(book.feeTerms, amountMinor),
      unroutable: findRoute(routes, amountMinor).unroutable,
      refusedAs: earlierId === undefined ? (controls.refusal?.code ?? null) : 'EARLIER_MAY_BE_PAID',
    },
    wallet,
  );
  const codes = [...(isUsed ? (['DUPLICATE_REFERENCE'] as const) : []), ...reasons];
  return codes.map((code) => ({
    ...toProblem(code, controls.refusal),
    ...(code === 'EARLIER_MAY_BE_PAID' && earlierId !== undefined ? { transferId: earlierId } : {}),
  }));
}

/** The id of what it would pay again and the operator may have paid. */
async function findPaidEarlier(
  database: Queryable,
  bookId: string,
  reference: PreflightOrder['reference'],
): Promise<string | undefined> {
  if (typeof reference !== 'string') return undefined;
  const found = await findMayBePaid(database, [{ bookId, reference, replaces: null }]);
  return found.values().next().value;
}

/** The field that a person would change. */
const FIELD_OF: Readonly<Partial<Record<RefusalCode, string>>> = {
  DUPLICATE_REFERENCE: 'reference',
  EARLIER_MAY_BE_PAID: 'reference',
  WALLET_NOT_FOUND: 'walletId',
  CURRENCY_MISMATCH: 'walletId',
  WALLET_INACTIVE: 'walletId',
  OPERATOR_NOT_AVAILABLE: 'operator',
  AMOUNT_OUT_OF_BOUNDS: 'amount',
  INSUFFICIENT_BALANCE: 'amount',
  LIMIT_EXCEEDED: 'amount',
  RECIPIENT_DENIED: 'phone',
};

function toProblem(code: RefusalCode, refusal: Refusal | null): Problem {
  const field = FIELD_OF[code];
  const { message } = refusal?.code === code ? refusal : REFUSALS[code];
  return { code, ...(field === undefined ? {} : { field }), message };
}

function describeOperator(
  { now }: PreflightDeps,
  routes: readonly Route[],
  { phone, country, operator, amountMinor }: PreflightOrder,
): Preflight['operator'] {
  const route =
    amountMinor === undefined
      ? preferOpen(routes)
      : (findRoute(routes, amountMinor).route ?? preferOpen(routes));
  const closedForMs =
    phone === undefined ? 0 : (route?.closedForMs({ phone, createdAt: now() }) ?? 0);
  const bounds = route?.bounds();
  return {
    given: operator ?? null,
    predicted:
      phone === undefined || country === undefined ? null : predictOperator(phone, country),
    open: route !== undefined && !route.limiter.isShut() && closedForMs === 0,
    minMinor: bounds?.minMinor ?? null,
    maxMinor: bounds?.maxMinor ?? null,
  };
}

async function listSimilar(
  { database, now }: PreflightDeps,
  book: Book,
  { phone, amountMinor, reference = null }: PreflightOrder,
): Promise<readonly Transfer[]> {
  if (phone === undefined || amountMinor === undefined) return [];
  const sought = { phone, amountMinor, reference, now: now() };
  return findSimilar(database, { book, sought });
}
