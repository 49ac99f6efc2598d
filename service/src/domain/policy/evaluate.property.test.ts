import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import { compile, KEY, ORDER, PERSON, QUIET } from '../../../test/test-policy.ts';
import { COUNTRIES, currencyOf, OPERATORS } from '../operator.ts';
import { SOURCES } from '../source.ts';
import { evaluate, NO_ANSWERS } from './evaluate.ts';
import { needsOf } from './needs-of.ts';
import type { Answers, Order, WindowNeed } from './order.ts';
import { COUNTED_BY, NAME_WORDS } from './policy.ts';
import { windowNeedKey } from './window-need.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** The rules once more, from the document and a list of past orders, without a word of the code above. */
type Past = readonly Order[];
type When = Readonly<Record<string, unknown>>;
type Asked = Readonly<{ by: string; day?: true; window?: string; above: string | number }>;

const subjectOf: Readonly<Record<string, (order: Order) => string | null>> = {
  wallet: ({ walletId }) => walletId,
  key: ({ keyId }) => keyId,
  person: ({ personId }) => personId,
  recipient: ({ phone }) => phone,
  operator: ({ operator }) => operator,
};
const localDay = ({ at, country }: Order) =>
  new Intl.DateTimeFormat('en', {
    timeZone: country === 'zm' ? 'Africa/Lusaka' : 'Africa/Lagos',
    dateStyle: 'short',
  }).format(at);

function counted(order: Order, past: Past, { by, day, window }: Omit<Asked, 'above'>): Past {
  const subject = subjectOf[by]?.(order) ?? null;
  const windowMs = Number(/^PT(\d+)M$/.exec(window ?? '')?.[1]) * MINUTE_MS;
  return past.filter(
    (one) =>
      one.currency === order.currency &&
      subjectOf[by]?.(one) === subject &&
      (day === true
        ? localDay(one) === localDay(order)
        : order.at.getTime() - one.at.getTime() <= windowMs),
  );
}

function holdsPlainly(when: When, order: Order, past: Past): boolean {
  const minor = (text: unknown) => BigInt(String(text).replace('.', ''));
  return Object.entries(when).every(([name, wanted]) => {
    const asked = wanted as Asked;
    const words = wanted as readonly string[];
    switch (name) {
      case 'amountAtLeast':
        return order.amountMinor >= minor(wanted);
      case 'amountBelow':
        return order.amountMinor < minor(wanted);
      case 'source':
        return words.includes(order.source);
      case 'operator':
        return words.includes(order.operator);
      case 'country':
        return words.includes(order.country);
      case 'firstPayment':
        return !past.some(({ phone }) => phone === order.phone) === wanted;
      case 'nameMatch':
        return words.includes(order.recipientName ?? 'unknown');
      case 'sum':
        return (
          subjectOf[asked.by]?.(order) !== null &&
          counted(order, past, asked).reduce((sum, { amountMinor }) => sum + amountMinor, 0n) +
            order.amountMinor >
            minor(asked.above)
        );
      case 'count':
        return (
          subjectOf[asked.by]?.(order) !== null &&
          counted(order, past, asked).length + 1 > Number(asked.above)
        );
      default:
        throw new Error(name);
    }
  });
}

/** Answers from the past, and only to what was listed as a need. */
function answersTo(order: Order, past: Past, needs: ReturnType<typeof needsOf>): Answers {
  const listed = new Set(
    needs.map((need) => ('of' in need ? `${need.kind} ${windowNeedKey(need.of)}` : need.kind)),
  );
  const ask = (key: string) => assert.ok(listed.has(key), key);
  const within = ({ by, window }: WindowNeed) =>
    counted(
      order,
      past,
      window.kind === 'day' ? { by, day: true } : { by, window: `PT${window.seconds / 60}M` },
    );
  return {
    ...NO_ANSWERS,
    sumMinor(need) {
      ask(`sum ${windowNeedKey(need)}`);
      return within(need).reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
    },
    count(need) {
      ask(`count ${windowNeedKey(need)}`);
      return within(need).length;
    },
    isFirstPayment() {
      ask('firstPayment');
      return !past.some(({ phone }) => phone === order.phone);
    },
    nameMatch() {
      ask('nameMatch');
      return order.recipientName as ReturnType<Answers['nameMatch']>;
    },
  };
}

const anyOrder: fc.Arbitrary<Order> = fc
  .record({
    amountMinor: fc.bigInt({ min: 1n, max: 400n }),
    phone: fc.constantFrom('+260977433571', '+260977433572'),
    operator: fc.constantFrom(...OPERATORS),
    country: fc.constantFrom(...COUNTRIES),
    isByKey: fc.boolean(),
    source: fc.constantFrom(...SOURCES),
    recipientName: fc.constantFrom(...NAME_WORDS),
    at: fc.integer({ min: 0, max: 3 * DAY_MS }).map((ms) => new Date(ORDER.at.getTime() + ms)),
  })
  .map(({ isByKey, recipientName, ...order }) => ({
    ...ORDER,
    ...order,
    currency: currencyOf(order.country),
    keyId: isByKey ? KEY : null,
    personId: isByKey ? null : PERSON,
    recipientName: recipientName === 'unknown' ? null : recipientName,
  }));

const anyAmount = fc
  .integer({ min: 1, max: 999 })
  .map((minor) => `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`);
const someOf = (words: readonly string[]) =>
  fc.uniqueArray(fc.constantFrom(...words), { minLength: 1 });
const anyWindow = fc.oneof(
  fc.constant({ day: true }),
  fc.integer({ min: 1, max: 3_000 }).map((minutes) => ({ window: `PT${minutes}M` })),
);
const askedAbove = (above: fc.Arbitrary<string | number>) =>
  fc
    .tuple(fc.constantFrom(...COUNTED_BY), anyWindow, above)
    .map(([by, window, limit]) => ({ by, ...window, above: limit }));

const anyRule = fc.record({
  when: fc.record(
    {
      amountAtLeast: anyAmount,
      sum: askedAbove(anyAmount),
      count: askedAbove(fc.integer({ min: 0, max: 5 })),
      firstPayment: fc.boolean(),
      nameMatch: someOf(NAME_WORDS),
      source: someOf(SOURCES),
      operator: someOf(OPERATORS),
      country: someOf(COUNTRIES),
    },
    { requiredKeys: [] },
  ),
  require: fc.oneof(
    fc.constant({ refuse: true }),
    fc.record({ approvals: fc.integer({ min: 1, max: 3 }), of: someOf(['owner', 'approver']) }),
    fc.constant({ warn: true, screen: 'payouts' }),
  ),
});

it('decides as the document says, of any rules, past and order, asking only for its needs', () => {
  const anyCase = fc.tuple(
    fc.array(anyRule, { maxLength: 6 }),
    fc.array(anyOrder, { minLength: 1, maxLength: 12 }),
  );
  fc.assert(
    fc.property(anyCase, ([made, orders]) => {
      const rules = made.map((rule, index) => ({ name: `rule ${index}`, ...rule }));
      const past = orders.toSorted((a, b) => a.at.getTime() - b.at.getTime());
      const order = past.pop() ?? ORDER;
      const policy = compile({ rules });
      const result = evaluate(policy, order, answersTo(order, past, needsOf(policy, order)));
      const matching = rules.filter(({ when }) => holdsPlainly(when, order, past));
      assert.deepEqual(
        result.matched,
        matching.map(({ name }) => name),
      );
      const requiring = (test: (require: object) => boolean) =>
        matching.filter(({ require }) => test(require)).map(({ name }) => name);
      assert.equal(result.refusedBy, requiring((asked) => 'refuse' in asked)[0] ?? null);
      assert.deepEqual(
        result.approvals.map(({ rule }) => rule),
        requiring((asked) => 'approvals' in asked),
      );
      assert.deepEqual(
        result.warnings,
        requiring((asked) => 'warn' in asked),
      );
    }),
    { numRuns: 500 },
  );
});

it('means the same in any order of rules', () => {
  const anyCase = fc
    .tuple(fc.array(anyRule, { maxLength: 6 }), anyOrder)
    .chain(([rules, order]) => {
      const named = rules.map((rule, index) => ({ name: `rule ${index}`, ...rule }));
      return fc.tuple(
        fc.constant(named),
        fc.shuffledSubarray(named, { minLength: named.length }),
        fc.constant(order),
      );
    });
  fc.assert(
    fc.property(anyCase, ([rules, shuffled, order]) => {
      const answers = { ...QUIET, sumMinor: () => 100n, count: () => 2 };
      const decide = (of: readonly object[]) => {
        const { refusedBy, matched, approvals, warnings } = evaluate(
          compile({ rules: of }),
          order,
          answers,
        );
        return {
          isRefused: refusedBy !== null,
          matched: matched.toSorted(),
          approvals: approvals.map(({ rule, count }) => `${rule} ${count}`).toSorted(),
          warnings: warnings.toSorted(),
        };
      };
      assert.deepEqual(decide(shuffled), decide(rules));
    }),
  );
});
