import type { Exchange, Journals } from '../checker/read-journals.ts';
import type { JournalDamage } from './journal-damage.ts';

const UNAVAILABLE = 503;
const OTHER_WALLET = '01900000-0000-7000-8000-00000000000a';

function asked({ asked: { at } }: Exchange): string {
  return at;
}

function answeredAt({ answered }: Exchange): string {
  if (answered === undefined) throw new Error('there is no answer');
  return answered.at;
}

/** The same order once more, so much later, put off. */
function putOff(exchange: Exchange): Exchange {
  if (exchange.answered === undefined) throw new Error('there is no answer to change');
  const error = { code: 'UNAVAILABLE', retryable: true, requestId: 'damage' };
  const body = { status: false, message: 'damage', data: { error } };
  return { ...exchange, answered: { ...exchange.answered, status: UNAVAILABLE, body } };
}

/** Orders that were asked at once and had no answer while another wallet was locked for long. */
function leaveUnanswered(journals: Journals, exchange: Exchange): Journals {
  const from = asked(exchange);
  const to = new Date(Date.parse(from) + 10_000).toISOString();
  const one: Exchange = {
    ...exchange,
    asked: { ...exchange.asked, undisturbed: true },
    answered: undefined,
  };
  return {
    ...journals,
    facts: { ...journals.facts, calm: true },
    exchanges: Array.from({ length: 8 }, (_, index) => ({ ...one, place: `damage #${index}` })),
    windows: [{ kind: 'wallet locked', from, to, walletId: OTHER_WALLET }],
  };
}

/** What could have been seen in a time that the harness knows more about. */
export const WINDOW_DAMAGES: readonly JournalDamage[] = [
  {
    name: 'an order is accepted while the standby that must confirm it is missing',
    caughtBy: 'I24',
    damage: (journals, { accepted }) => ({
      ...journals,
      windows: [
        {
          kind: 'standby missing',
          from: asked(accepted),
          to: answeredAt(accepted),
          walletId: null,
        },
      ],
    }),
  },
  {
    name: 'a payout is sent before its acceptance could be confirmed',
    caughtBy: 'I24',
    damage: (journals) => {
      const times = journals.books.flatMap(({ taken }) => taken.map((one) => one.receivedAt));
      const first = times.sort()[0];
      if (first === undefined) throw new Error('no operator got anything');
      const from = new Date(Date.parse(first) - 60_000).toISOString();
      const facts = { ...journals.facts, clockMoved: false };
      return {
        ...journals,
        facts,
        windows: [{ kind: 'standby missing', from, to: first, walletId: null }],
      };
    },
  },
  {
    name: 'an order is put off although nothing is broken',
    caughtBy: 'I25',
    damage: (journals, { accepted }) => ({
      ...journals,
      facts: { ...journals.facts, calm: true },
      exchanges: [...journals.exchanges, putOff(accepted)],
    }),
  },
  {
    name: 'no order of another wallet is answered while one is locked',
    caughtBy: 'I25',
    damage: (journals, { accepted }) => leaveUnanswered(journals, accepted),
  },
  {
    name: 'an endpoint that was made during the run is told of nothing',
    caughtBy: 'I17',
    damage: (journals) => {
      const { test } = journals.facts.endpoints;
      const late = { ...test, id: OTHER_WALLET, path: '/late/damage', afterNumber: '0' };
      return { ...journals, lateEndpoints: [late] };
    },
  },
];
