import { countToNumbers } from '../controls/recipient-past.ts';
import type { Book } from '../domain/book.ts';
import { businessDayOf } from '../domain/business-day.ts';
import type { Currency } from '../domain/money.ts';
import { COUNTRIES, currencyOf } from '../domain/operator.ts';
import type { NeedWindow, WindowNeed } from '../domain/policy/order.ts';
import { parsePolicy } from '../domain/policy/parse-policy.ts';
import type { CountedBy, Rule, Window } from '../domain/policy/policy.ts';
import { findPolicy } from '../policies/find-policy.ts';
import { type Counted, isCounter, readCounters } from '../policies/policy-counters.ts';
import type { Queryable } from '../postgres/database.ts';
import { concernedBy, listSubjects, type Subjects } from './list-subjects.ts';
import { type LimitedWallet, readWalletLimits } from './read-wallet-limits.ts';

/** More would be no list to look at. Limits of wallets come first, then those of the rules in their order. */
const LIMITS_MAX = 1_000;

/** How much of one limit is used. Amounts are in minor units; counts are counts. */
export type Limit = Readonly<{
  /** Null: the wallet's own limit. */
  rule: string | null;
  kind: 'sum' | 'count';
  by: CountedBy;
  subject: string;
  name: string;
  window: Window;
  currency: Currency;
  /** What happens above it. */
  refuses: boolean;
  limit: bigint;
  used: bigint;
  left: bigint;
  /** Null: the window slides, so it becomes less bit by bit. */
  resetsAt: Date | null;
}>;

export type Limits = Readonly<{ limits: readonly Limit[]; isComplete: boolean }>;

/** The rest of every limit of a book now. Nothing is locked, so payouts that are being accepted may be missing. */
export async function readLimits(
  database: Queryable,
  asked: Readonly<{
    book: Pick<Book, 'id' | 'merchantId' | 'mode'>;
    /** Limits by recipient are shown for this one. */
    phone: string | null;
    now: Date;
  }>,
): Promise<Limits> {
  const { book, now } = asked;
  const wallets = await readWalletLimits(database, { bookId: book.id });
  const own = wallets.flatMap(ownLimit);
  const rules = await readRules(database, book.id);
  if (rules.length === 0) return cut(own, []);
  const subjects = await listSubjects(database, { ...asked, wallets });
  const wanted = rules.flatMap((rule) => listWanted(rule, subjects, now)).slice(0, LIMITS_MAX + 1);
  const counted = await countAll(database, { bookId: book.id, wanted, now });
  return cut(
    own,
    wanted.map((one, index) => toLimit(one, counted[index])),
  );
}

function cut(own: readonly Limit[], ofRules: readonly Limit[]): Limits {
  const all = [...own, ...ofRules];
  return { limits: all.slice(0, LIMITS_MAX), isComplete: all.length <= LIMITS_MAX };
}

function ownLimit(wallet: LimitedWallet): readonly Limit[] {
  const { dailyLimitMinor: limit, usedTodayMinor: used, id, name, currency, dayEndsAt } = wallet;
  if (limit === null) return [];
  return [
    {
      rule: null,
      kind: 'sum',
      by: 'wallet',
      subject: id,
      name,
      window: { kind: 'day' },
      currency,
      refuses: true,
      limit,
      used,
      left: notNegative(limit - used),
      resetsAt: dayEndsAt,
    },
  ];
}

async function readRules(database: Queryable, bookId: string): Promise<readonly Rule[]> {
  const found = await findPolicy(database, bookId);
  if (found === undefined) return [];
  const parsed = parsePolicy(found.document);
  if (!parsed.isValid) throw new Error(`version ${found.version} of a policy cannot be read`);
  return parsed.policy.rules.filter(({ when }) => when.sum !== null || when.count !== null);
}

type Wanted = Readonly<{
  rule: string;
  kind: Limit['kind'];
  name: string;
  window: Window;
  refuses: boolean;
  limit: bigint;
  of: WindowNeed;
  resetsAt: Date | null;
}>;

function listWanted(rule: Rule, subjects: Subjects, now: Date): readonly Wanted[] {
  const { sum, count } = rule.when;
  return [
    ...(sum === null
      ? []
      : wantedOf(rule, subjects, { ...sum, kind: 'sum', limit: sum.aboveMinor, now })),
    ...(count === null
      ? []
      : wantedOf(rule, subjects, { ...count, kind: 'count', limit: BigInt(count.above), now })),
  ];
}

function wantedOf(
  { name: rule, when, require }: Rule,
  subjects: Subjects,
  asked: Readonly<{
    by: CountedBy;
    window: Window;
    kind: Limit['kind'];
    limit: bigint;
    now: Date;
  }>,
): readonly Wanted[] {
  const { by, window, kind, limit, now } = asked;
  const countries = COUNTRIES.filter((one) => when.countries?.includes(one) ?? true);
  return concernedBy(when, by, subjects[by]).flatMap(({ id, name, currencies }) =>
    countries
      .filter((country) => currencies.includes(currencyOf(country)))
      .map((country) => {
        const day = window.kind === 'day' ? businessDayOf(now, country) : null;
        const needed: NeedWindow =
          window.kind === 'day'
            ? { kind: 'day', ...businessDayOf(now, country) }
            : { kind: 'sliding', seconds: window.seconds };
        const of = { by, subject: id, currency: currencyOf(country), window: needed };
        const resetsAt = day?.endsAt ?? null;
        return { rule, kind, name, window, refuses: require.refuse, limit, of, resetsAt };
      }),
  );
}

/** The n-th answer belongs to the n-th that is wanted. */
async function countAll(
  database: Queryable,
  { bookId, wanted, now }: Readonly<{ bookId: string; wanted: readonly Wanted[]; now: Date }>,
): Promise<readonly (Counted | undefined)[]> {
  const counters = wanted.filter(({ of }) => isCounter(of));
  const numbers = wanted.filter(({ of }) => !isCounter(of));
  const needs = counters.map(({ of }) => ({ bookId, of }));
  const counted = await readCounters(database, needs, now);
  const toNumbers = await countToNumbers(
    database,
    numbers.map(({ of: { subject, currency, window } }) => ({
      bookId,
      phone: subject,
      currency,
      since: beginOf(window, now),
    })),
  );
  const answers = new Map<Wanted, Counted | undefined>([
    ...counters.map((one, index) => [one, counted[index]] as const),
    ...numbers.map((one, index) => [one, toNumbers[index]] as const),
  ]);
  return wanted.map((one) => answers.get(one));
}

function beginOf(window: NeedWindow, now: Date): Date {
  return window.kind === 'day' ? window.startsAt : new Date(now.getTime() - window.seconds * 1_000);
}

function toLimit(wanted: Wanted, counted: Counted | undefined): Limit {
  if (counted === undefined) throw new Error('a limit was not counted');
  const { rule, kind, name, window, refuses, limit, of, resetsAt } = wanted;
  const used = kind === 'sum' ? counted.sumMinor : BigInt(counted.count);
  return {
    rule,
    kind,
    by: of.by,
    subject: of.subject,
    name,
    window,
    currency: of.currency,
    refuses,
    limit,
    used,
    left: notNegative(limit - used),
    resetsAt,
  };
}

function notNegative(value: bigint): bigint {
  return value < 0n ? 0n : value;
}
