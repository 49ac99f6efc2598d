import type { Mode } from '../domain/transfer.ts';
import type { Account, NameAnswer } from '../operators/contract/connector.ts';
import type { Route, Routes } from '../operators/routes/route.ts';
import type { Queryable } from '../postgres/database.ts';
import { fetchAccountName } from './fetch-account-name.ts';
import { createKnownNames, type KnownNames, NOTHING_KNOWN } from './known-names.ts';
import { createLookupAllowance } from './lookup-allowance.ts';
import { createLookupRecorder, type NameLookup } from './record-lookups.ts';

/** No further operator is asked after this long, because a client is waiting for the response. */
const FALL_THROUGH_MAX_MS = 10_000;

type NameRequest = Readonly<{
  book: Readonly<{ id: string; mode: Mode }>;
  /** The key that requests the name; it is recorded. Null: the service repeats a lookup that was recorded before. */
  actor: string | null;
  account: Account;
  /** How long the caller has already been waiting for an answer. */
  waitedMs: number;
}>;

type AccountNameAnswer =
  | Exclude<NameAnswer, { kind: 'unreachable' }>
  | Unreachable
  /** None of the routes gives names. */
  | Readonly<{ kind: 'unsupported' }>
  | Readonly<{ kind: 'noRoute' }>;

type Unreachable = Readonly<{
  kind: 'unreachable';
  cause: string;
  /** The time scale of the route that should have answered. */
  timeScale: number;
  /** False: the routes' allowances were used up, so no operator was asked. */
  wasAsked: boolean;
}>;

export type AccountNames = Readonly<{
  /**
   * Never call it inside a transaction: it uses the network. Refuses with RATE_LIMITED when the key has used all its
   * lookups of the day.
   */
  ask(request: NameRequest): Promise<AccountNameAnswer>;
}>;

type AccountNamesDeps = Readonly<{
  database: Queryable;
  routes: Routes;
  newId: () => string;
  now: () => Date;
  monotonicMs: () => number;
  /** Name lookups of a key per day; 0: no limit. */
  namesPerDayMax: number;
}>;

/** An answer, and where it came from. */
type Finding = Pick<NameLookup, 'route' | 'source'> & Readonly<{ answer: AccountNameAnswer }>;

/**
 * Looks up whose account a number is at its operator. Recent answers are reused, concurrent lookups of the same account
 * share one request, and every lookup of a merchant is recorded before it is answered.
 */
export function createAccountNames(deps: AccountNamesDeps): AccountNames {
  const { routes, newId, now, monotonicMs } = deps;
  const ofLiveRoutes = createKnownNames({ monotonicMs });
  const lookups = createLookupRecorder(deps);
  const allowance = createLookupAllowance(deps);

  function findOut(request: NameRequest): Finding | Promise<Finding> {
    const { book, account } = request;
    const listed = routes.list({ mode: book.mode, ...account });
    if (listed.length === 0) return withoutOperator({ kind: 'noRoute' });
    const naming = listed.filter(({ connector }) => connector.abilities.resolvesNames);
    if (naming.length === 0) return withoutOperator({ kind: 'unsupported' });
    const known = book.mode === 'test' ? NOTHING_KNOWN : ofLiveRoutes;
    // The known answers of all routes are checked first: while the preferred operator is down, an answer of another one
    // saves the caller from waiting for it each time.
    return recall(known, naming, account) ?? askInTurn({ known, monotonicMs }, naming, request);
  }

  return {
    async ask(request) {
      const { book, actor, account } = request;
      const lookedUpAt = now();
      if (actor !== null) await allowance.take({ bookId: book.id, actor });
      const { answer, route, source } = await findOut(request);
      if (actor === null) return answer;
      const { phone, operator, country } = account;
      const about = { phone, operator, country, route, source, result: answer.kind };
      await lookups.submit({ bookId: book.id, id: newId(), lookedUpAt, actor, ...about });
      return answer;
    },
  };
}

function recall(
  known: KnownNames,
  routes: readonly Route[],
  account: Account,
): Finding | undefined {
  for (const route of routes) {
    const answer = known.find({ route, account });
    if (answer !== undefined) return { answer, route: route.name, source: 'cache' };
  }
  return undefined;
}

/** The answer of the first route that says something about the account; otherwise that of the last one asked. */
async function askInTurn(
  { known, monotonicMs }: Readonly<{ known: KnownNames; monotonicMs: () => number }>,
  routes: readonly Route[],
  { account, waitedMs }: NameRequest,
): Promise<Finding> {
  const beganMs = monotonicMs();
  const timeScale = routes[0]?.timeScale ?? 1;
  let found: Finding | undefined;
  for (const route of openFirst(routes)) {
    if (found !== undefined && monotonicMs() - beganMs >= FALL_THROUGH_MAX_MS) break;
    const sent = known.ask({ route, account }, () =>
      route.limiter.nameTurn()?.then(() => fetchAccountName(route, { account, waitedMs })),
    );
    if (sent === undefined) continue;
    const answer = await sent.answer;
    const by = { route: route.name, source: sent.isShared ? 'cache' : 'operator' } as const;
    if (answer.kind !== 'unreachable') return { answer, ...by };
    found = { answer: { ...answer, timeScale, wasAsked: true }, ...by };
  }
  const cause = 'the operator allows no more name lookups now';
  return found ?? withoutOperator({ kind: 'unreachable', cause, timeScale, wasAsked: false });
}

/** An operator that does not answer payouts rarely answers lookups, but may. */
function openFirst(routes: readonly Route[]): readonly Route[] {
  const open = routes.filter(({ limiter }) => !limiter.isShut());
  return [...open, ...routes.filter((route) => !open.includes(route))];
}

function withoutOperator(answer: AccountNameAnswer): Finding {
  return { answer, route: null, source: 'none' };
}
