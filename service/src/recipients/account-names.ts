import type { Mode } from '../domain/transfer.ts';
import type { Account, NameAnswer } from '../operators/contract/connector.ts';
import type { Route, Routes } from '../operators/routes/route.ts';
import type { Queryable } from '../postgres/database.ts';
import { askAccountName } from './ask-account-name.ts';
import { createKnownNames, type KnownNames, NOTHING_KNOWN } from './known-names.ts';
import { createLookupAllowance } from './lookup-allowance.ts';
import { createLookupNotes, type NameLookup } from './note-lookup.ts';

/** No further operator is asked after this long: whoever asked is waiting on the line. */
const FALL_THROUGH_MAX_MS = 10_000;

type NameQuestion = Readonly<{
  book: Readonly<{ id: string; mode: Mode }>;
  /** Who asks, which is noted. Null: the service asks again by itself for what was noted before. */
  actor: string | null;
  account: Account;
  /** How long the caller has already been waiting for an answer. */
  waitedMs: number;
}>;

type AccountNameAnswer =
  | Exclude<NameAnswer, { kind: 'unreachable' }>
  | Unreachable
  /** None of the routes gives names. */
  | Readonly<{ kind: 'unaskable' }>
  | Readonly<{ kind: 'noRoute' }>;

type Unreachable = Readonly<{
  kind: 'unreachable';
  cause: string;
  /** How fast the time of the route runs that should have answered. */
  timeScale: number;
  /** False: the routes' allowances were used up, so nobody was even asked. */
  wasAsked: boolean;
}>;

export type AccountNames = Readonly<{
  /**
   * Never inside a transaction: it goes over the network. Refuses with RATE_LIMITED when the key has had
   * all the names of its day.
   */
  ask(question: NameQuestion): Promise<AccountNameAnswer>;
}>;

type AccountNamesDeps = Readonly<{
  database: Queryable;
  routes: Routes;
  newId: () => string;
  now: () => Date;
  monotonicMs: () => number;
  /** Names that a key may ask for in a day; 0 is no limit. */
  namesPerDayMax: number;
}>;

/** An answer, and where it came from. */
type Told = Pick<NameLookup, 'route' | 'source'> & Readonly<{ answer: AccountNameAnswer }>;

/**
 * Whose account a number is, by its operator. What operators said lately is not asked again, the same
 * question is not asked twice at once, and every question of a merchant is noted before it is
 * answered.
 */
export function createAccountNames(deps: AccountNamesDeps): AccountNames {
  const { routes, newId, now, monotonicMs } = deps;
  const ofLiveRoutes = createKnownNames({ monotonicMs });
  const notes = createLookupNotes(deps);
  const allowance = createLookupAllowance(deps);

  function findOut(question: NameQuestion): Told | Promise<Told> {
    const { book, account } = question;
    const listed = routes.list({ mode: book.mode, ...account });
    if (listed.length === 0) return byNobody({ kind: 'noRoute' });
    const naming = listed.filter(({ connector }) => connector.abilities.resolvesNames);
    if (naming.length === 0) return byNobody({ kind: 'unaskable' });
    const known = book.mode === 'test' ? NOTHING_KNOWN : ofLiveRoutes;
    // All are looked through first: while the preferred operator is away, what another one said
    // spares the caller from waiting for it each time.
    return recall(known, naming, account) ?? askInTurn({ known, monotonicMs }, naming, question);
  }

  return {
    async ask(question) {
      const { book, actor, account } = question;
      const askedAt = now();
      if (actor !== null) await allowance.take({ bookId: book.id, actor });
      const { answer, route, source } = await findOut(question);
      if (actor === null) return answer;
      const { phone, operator, country } = account;
      const about = { phone, operator, country, route, source, result: answer.kind };
      await notes.submit({ bookId: book.id, id: newId(), askedAt, actor, ...about });
      return answer;
    },
  };
}

function recall(known: KnownNames, routes: readonly Route[], account: Account): Told | undefined {
  for (const route of routes) {
    const answer = known.find({ route, account });
    if (answer !== undefined) return { answer, route: route.name, source: 'cache' };
  }
  return undefined;
}

/** The first route that says something about the account; else what the last one asked said. */
async function askInTurn(
  { known, monotonicMs }: Readonly<{ known: KnownNames; monotonicMs: () => number }>,
  routes: readonly Route[],
  { account, waitedMs }: NameQuestion,
): Promise<Told> {
  const beganMs = monotonicMs();
  const timeScale = routes[0]?.timeScale ?? 1;
  let told: Told | undefined;
  for (const route of openFirst(routes)) {
    if (told !== undefined && monotonicMs() - beganMs >= FALL_THROUGH_MAX_MS) break;
    const asked = known.ask({ route, account }, () =>
      route.limiter.nameTurn()?.then(() => askAccountName(route, { account, waitedMs })),
    );
    if (asked === undefined) continue;
    const answer = await asked.answer;
    const by = { route: route.name, source: asked.isShared ? 'cache' : 'operator' } as const;
    if (answer.kind !== 'unreachable') return { answer, ...by };
    told = { answer: { ...answer, timeScale, wasAsked: true }, ...by };
  }
  const cause = 'as many names are being asked for as the operator allows';
  return told ?? byNobody({ kind: 'unreachable', cause, timeScale, wasAsked: false });
}

/** An operator that does not answer payouts will hardly answer this, but may. */
function openFirst(routes: readonly Route[]): readonly Route[] {
  const open = routes.filter(({ limiter }) => !limiter.isShut());
  return [...open, ...routes.filter((route) => !open.includes(route))];
}

function byNobody(answer: AccountNameAnswer): Told {
  return { answer, route: null, source: 'nobody' };
}
