import type { OperatorBook } from '../checker/read-books.ts';
import type { Journals } from '../checker/read-journals.ts';
import type { JournalDamage } from './journal-damage.ts';

const UNKNOWN_REFERENCE = '00000000000040008000000000000000';
const TOO_MUCH_BYTES = 4 * 1024 * 1024 * 1024;
const TOO_MANY_CONNECTIONS = 100;

/** Changes the first book that has paid anything; throws when none has. */
function changeBook(
  journals: Journals,
  change: (book: OperatorBook) => Partial<OperatorBook>,
): Journals {
  const at = journals.books.findIndex(({ executed }) => executed.length > 0);
  if (at === -1) throw new Error('no operator paid anything');
  const books = journals.books.map((book, index) =>
    index === at ? { ...book, ...change(book) } : book,
  );
  return { ...journals, books };
}

function changeFirst<Item>(items: readonly Item[], change: (item: Item) => Item): readonly Item[] {
  if (items.length === 0) throw new Error('there is nothing to change');
  return items.map((item, index) => (index === 0 ? change(item) : item));
}

/** Damages in the records of operators, receivers and samplers. */
export const OUTSIDE_DAMAGES: readonly JournalDamage[] = [
  {
    name: 'an operator paid one transfer three times',
    caughtBy: 'I5',
    damage: (journals) =>
      changeBook(journals, ({ executed }) => ({
        executed: [...executed, ...executed.slice(0, 1), ...executed.slice(0, 1)],
      })),
  },
  {
    name: 'an operator paid a payout that was never ordered',
    caughtBy: 'I6',
    damage: (journals) =>
      changeBook(journals, ({ executed }) => ({
        executed: [
          ...executed,
          ...executed.slice(0, 1).map((one) => ({ ...one, reference: UNKNOWN_REFERENCE })),
        ],
      })),
  },
  {
    name: 'an operator never paid a succeeded transfer',
    caughtBy: 'I7',
    damage: (journals) => changeBook(journals, () => ({ executed: [] })),
  },
  {
    name: 'an operator paid another amount',
    caughtBy: 'I9',
    damage: (journals) =>
      changeBook(journals, ({ executed }) => ({
        executed: changeFirst(executed, (one) => ({
          ...one,
          amountMinor: String(BigInt(one.amountMinor) + 1n),
        })),
      })),
  },
  {
    name: 'an operator was sent one order twice',
    caughtBy: 'I21',
    damage: (journals) =>
      changeBook(journals, ({ taken }) => ({
        taken: taken.flatMap((one) => (one.behaviour['execute'] === 'never' ? [one] : [one, one])),
      })),
  },
  {
    name: 'a process grows without bounds',
    caughtBy: 'I21',
    damage: (journals) => ({
      ...journals,
      samples: changeFirst(journals.samples, (sample) => ({
        ...sample,
        processes: [{ name: 'service-0', pid: 1, rssBytes: TOO_MUCH_BYTES, files: 1 }],
      })),
    }),
  },
  {
    name: 'a process opens more and more connections',
    caughtBy: 'I21',
    damage: (journals) => ({
      ...journals,
      samples: changeFirst(journals.samples, (sample) => ({
        ...sample,
        connections: { 'kafue writer 1': TOO_MANY_CONNECTIONS },
      })),
    }),
  },
  {
    name: 'an answer to another book’s key shows that an object exists',
    caughtBy: 'I15',
    damage: (journals) => ({
      ...journals,
      probes: changeFirst(journals.probes, (probe) => ({
        ...probe,
        existing: { ...probe.existing, status: 403 },
      })),
    }),
  },
  {
    name: 'one event is delivered with different bodies',
    caughtBy: 'I17',
    damage: (journals) => ({
      ...journals,
      received: journals.received.flatMap((one, index) =>
        index === 0 ? [one, { ...one, body: `${one.body} ` }] : [one],
      ),
    }),
  },
  {
    name: 'a webhook is signed with another secret',
    caughtBy: 'I17',
    damage: (journals) => ({
      ...journals,
      facts: {
        ...journals.facts,
        endpoints: {
          ...journals.facts.endpoints,
          test: { ...journals.facts.endpoints.test, secret: `whsec_${'A'.repeat(32)}` },
        },
      },
    }),
  },
  {
    name: 'an event counts as delivered, but the receiver never accepted it',
    caughtBy: 'I17',
    damage: (journals) => ({
      ...journals,
      received: journals.received.map((one) => ({ ...one, manner: 'http500' as const })),
    }),
  },
  {
    name: 'a callback with a wrong secret is accepted',
    caughtBy: 'I18',
    damage: (journals) => ({
      ...journals,
      attacks: [
        ...journals.attacks,
        { at: '', kind: 'forged, wrong token', target: 'mtn-zm', status: 200 },
      ],
    }),
  },
  {
    name: 'a number is in the log',
    caughtBy: 'I22',
    damage: (journals) => ({
      ...journals,
      leaks: [{ file: 'service-0.log', canary: '977433571', excerpt: '' }],
    }),
  },
  {
    name: 'a refusal repeats a name',
    caughtBy: 'I22',
    damage: (journals, { accepted }) => {
      if (accepted.answered === undefined) throw new Error('nothing was answered');
      const body = { status: false, message: journals.facts.canaries[0] ?? '' };
      const refused = { ...accepted, answered: { ...accepted.answered, status: 400, body } };
      return { ...journals, exchanges: [...journals.exchanges, refused] };
    },
  },
];
