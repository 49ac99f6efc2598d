import type { ApprovalRequirement } from '../domain/approval-requirement.ts';
import type { CompiledPolicy } from '../domain/policy/compile-policy.ts';
import { needsOf } from '../domain/policy/needs-of.ts';
import type { Answers, Need, NeedWindow, Order, WindowNeed } from '../domain/policy/order.ts';
import { windowNeed, windowNeedKey } from '../domain/policy/window-need.ts';
import { findInForce, findListed, type Numbers } from '../lists/read-numbers.ts';
import { type Counted, isCounter, readCounters } from '../policies/policy-counters.ts';
import type { Queryable } from '../postgres/database.ts';
import type { Controls } from './controls.ts';
import type { KnownFacts } from './judge.ts';
import { countToNumbers, findPaidNumbers, findSimilarToNumbers } from './recipient-past.ts';

/** An order of a book with controls, and how its recipient's name compares. */
export type ControlledOrder = Readonly<{
  bookId: string;
  controls: Controls;
  order: Order;
  nameMatch: ReturnType<Answers['nameMatch']>;
  preApproved: readonly ApprovalRequirement[];
}>;

/** The past that the orders of a group are judged by. */
export type PastAnswers = Readonly<{
  knowledgeOf(one: ControlledOrder): KnownFacts;
  /** An accepted order is the past of those after it. */
  remember(one: ControlledOrder): void;
}>;

type Asked<Kind extends Need['kind']> = Readonly<{
  bookId: string;
  order: Order;
  need: Extract<Need, Readonly<{ kind: Kind }>>;
}>;

/**
 * Reads what the policies must know to decide these orders, by one statement for each kind of question. Under the locks
 * of the books: what is read stays true until the commit.
 */
export async function readPastAnswers(
  tx: Queryable,
  orders: readonly ControlledOrder[],
  at: Date,
): Promise<PastAnswers> {
  const asked = listAsked(orders);
  const windows = await readWindows(tx, asked, at);
  const paid = await readPaid(tx, asked);
  const similar = await readSimilar(tx, asked, at);
  const listed = await readManyListed(tx, orders);
  return {
    knowledgeOf: ({ bookId, controls, order, nameMatch, preApproved }) => {
      const found = listed.get(bookId);
      const allowed = keptOr(controls.listed.allowed, found?.allowed);
      return {
        answers: {
          sumMinor: (of) => windowOf(windows, bookId, of).sumMinor,
          count: (of) => windowOf(windows, bookId, of).count,
          isFirstPayment: () => !paid.has(numberKey(bookId, order)),
          isSimilar: (withinMs) => similar.has(similarKey(bookId, order, withinMs)),
          nameMatch: () => nameMatch,
          isOnAllowList: () => findInForce(allowed, order.phone, order.at) !== undefined,
        },
        denied: keptOr(controls.listed.denied, found?.denied),
        preApproved,
      };
    },
    remember: ({ bookId, controls, order }) => {
      if (controls.policy === null) return;
      for (const key of similarKeys(bookId, controls.policy, order)) similar.add(key);
      for (const of of windowsOf(controls.policy, order)) {
        const known = windows.get(windowKey(bookId, of));
        if (known === undefined) continue;
        known.count += 1;
        known.sumMinor += order.amountMinor;
      }
    },
  };
}

type Total = { count: number; sumMinor: bigint };

function listAsked(orders: readonly ControlledOrder[]): readonly Asked<Need['kind']>[] {
  return orders.flatMap(({ bookId, controls: { policy }, order }) =>
    policy === null ? [] : needsOf(policy, order).map((need) => ({ bookId, order, need })),
  );
}

function isAsked<Kind extends Need['kind']>(...kinds: readonly Kind[]) {
  return (asked: Asked<Need['kind']>): asked is Asked<Kind> =>
    (kinds as readonly string[]).includes(asked.need.kind);
}

async function readWindows(
  tx: Queryable,
  asked: readonly Asked<Need['kind']>[],
  at: Date,
): Promise<Map<string, Total>> {
  const distinct = new Map<string, Readonly<{ bookId: string; of: WindowNeed }>>();
  for (const { bookId, need } of asked.filter(isAsked('sum', 'count'))) {
    distinct.set(windowKey(bookId, need.of), { bookId, of: need.of });
  }
  const counters = [...distinct].filter(([, { of }]) => isCounter(of));
  const numbers = [...distinct].filter(([, { of }]) => !isCounter(of));
  const counted = await readCounters(
    tx,
    counters.map(([, one]) => one),
    at,
  );
  const toNumbers = await countToNumbers(
    tx,
    numbers.map(([, { bookId, of }]) => ({
      bookId,
      phone: of.subject,
      currency: of.currency,
      since: beginOf(of.window, at),
    })),
  );
  return new Map([...pairUp(counters, counted), ...pairUp(numbers, toNumbers)]);
}

function pairUp(
  asked: readonly (readonly [string, unknown])[],
  answers: readonly Counted[],
): readonly (readonly [string, Total])[] {
  return asked.map(([key], index) => {
    const answer = answers[index];
    if (answer === undefined) throw new Error('a count was not answered');
    return [key, { ...answer }];
  });
}

function beginOf(window: NeedWindow, at: Date): Date {
  return window.kind === 'day' ? window.startsAt : new Date(at.getTime() - window.seconds * 1_000);
}

async function readPaid(
  tx: Queryable,
  asked: readonly Asked<Need['kind']>[],
): Promise<Set<string>> {
  const distinct = new Map(
    asked
      .filter(isAsked('firstPayment'))
      .map(({ bookId, order }) => [numberKey(bookId, order), { bookId, phone: order.phone }]),
  );
  const found = await findPaidNumbers(tx, [...distinct.values()]);
  return new Set([...distinct.keys()].filter((_, index) => found[index] === true));
}

async function readSimilar(
  tx: Queryable,
  asked: readonly Asked<Need['kind']>[],
  at: Date,
): Promise<Set<string>> {
  const distinct = new Map(
    asked.filter(isAsked('similar')).map(({ bookId, order, need: { withinMs } }) => [
      similarKey(bookId, order, withinMs),
      {
        bookId,
        phone: order.phone,
        amountMinor: order.amountMinor,
        since: new Date(at.getTime() - withinMs),
      },
    ]),
  );
  const found = await findSimilarToNumbers(tx, [...distinct.values()]);
  return new Set([...distinct.keys()].filter((_, index) => found[index] === true));
}

/** Lists that are too long to be kept are asked for the numbers of the group. */
async function readManyListed(
  tx: Queryable,
  orders: readonly ControlledOrder[],
): Promise<ReadonlyMap<string, Awaited<ReturnType<typeof findListed>>>> {
  const phones = new Map<string, string[]>();
  for (const { bookId, controls, order } of orders) {
    if (controls.listed.denied !== 'many' && controls.listed.allowed !== 'many') continue;
    const ofBook = phones.get(bookId) ?? [];
    ofBook.push(order.phone);
    phones.set(bookId, ofBook);
  }
  const found = new Map<string, Awaited<ReturnType<typeof findListed>>>();
  for (const [bookId, ofBook] of phones) {
    found.set(bookId, await findListed(tx, { bookId, phones: ofBook }));
  }
  return found;
}

function keptOr(kept: Numbers | 'many', found: Numbers | undefined): Numbers {
  if (kept !== 'many') return kept;
  if (found === undefined) throw new Error('a long list was not asked');
  return found;
}

function windowOf(windows: ReadonlyMap<string, Total>, bookId: string, of: WindowNeed): Total {
  const total = windows.get(windowKey(bookId, of));
  if (total === undefined) throw new Error('a window was not counted');
  return total;
}

function windowsOf(policy: CompiledPolicy, order: Order): readonly WindowNeed[] {
  return policy.counted.flatMap(({ by, window }) => windowNeed(order, by, window) ?? []);
}

function similarKeys(bookId: string, { policy }: CompiledPolicy, order: Order): readonly string[] {
  return policy.rules.flatMap(({ when: { similarWithinMs } }) =>
    similarWithinMs === null ? [] : similarKey(bookId, order, similarWithinMs),
  );
}

function windowKey(bookId: string, of: WindowNeed): string {
  return `${bookId} ${windowNeedKey(of)}`;
}

function numberKey(bookId: string, { phone }: Order): string {
  return `${bookId} ${phone}`;
}

function similarKey(bookId: string, { phone, amountMinor }: Order, withinMs: number): string {
  return `${bookId} ${phone} ${amountMinor} ${withinMs}`;
}
