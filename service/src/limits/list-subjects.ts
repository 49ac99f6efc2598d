import type { Book } from '../domain/book.ts';
import type { Currency } from '../domain/money.ts';
import { OPERATORS } from '../domain/operator.ts';
import type { CountedBy, RuleConditions } from '../domain/policy/policy.ts';
import { mayInBook } from '../domain/roles.ts';
import { standingOf } from '../merchants/find-key.ts';
import { listKeys } from '../merchants/list-keys.ts';
import { listMembers } from '../people/list-members.ts';
import type { Queryable } from '../postgres/database.ts';
import type { LimitedWallet } from './read-wallet-limits.ts';

/** What transfers are summed or counted by. */
export type CountedSubject = Readonly<{
  id: string;
  name: string;
  currencies: readonly Currency[];
}>;

export type Subjects = Readonly<Record<CountedBy, readonly CountedSubject[]>>;

/** All that a rule of the book may count by. Recipients are too many: only the one that is asked for. */
export async function listSubjects(
  database: Queryable,
  asked: Readonly<{
    book: Pick<Book, 'id' | 'merchantId' | 'mode'>;
    wallets: readonly LimitedWallet[];
    phone: string | null;
    now: Date;
  }>,
): Promise<Subjects> {
  const { book, wallets, phone, now } = asked;
  const currencies = [...new Set(wallets.map(({ currency }) => currency))];
  const { keys } = await listKeys(database, book.merchantId, book.id);
  const members = await listMembers(database, { merchantId: book.merchantId });
  const makers = members.filter(({ roles }) => mayInBook(roles, book, 'payouts:write'));
  return {
    wallet: wallets.map(({ id, name, currency }) => ({ id, name, currencies: [currency] })),
    key: keys
      .filter((key) => standingOf(key, now) === 'live')
      .map(({ id, name }) => ({ id, name, currencies })),
    person: makers.map(({ id, name }) => ({ id, name, currencies })),
    operator: OPERATORS.map((operator) => ({ id: operator, name: operator, currencies })),
    recipient: phone === null ? [] : [{ id: phone, name: phone, currencies }],
  };
}

/** What the rule counts for: a rule may name wallets, keys or operators. */
export function concernedBy(
  { wallets, keys, operators }: RuleConditions,
  by: CountedBy,
  subjects: readonly CountedSubject[],
): readonly CountedSubject[] {
  const named = { wallet: wallets, key: keys, operator: operators, person: null, recipient: null };
  const wanted: readonly string[] | null = named[by];
  return wanted === null ? subjects : subjects.filter(({ id }) => wanted.includes(id));
}
