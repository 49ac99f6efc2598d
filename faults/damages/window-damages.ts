import type { Exchange, Journals } from '../checker/read-journals.ts';
import type { JournalDamage } from './journal-damage.ts';

const UNAVAILABLE = 503;
const OTHER_WALLET = '01900000-0000-7000-8000-00000000000a';

function requestedAt({ request: { at } }: Exchange): string {
  return at;
}

function answeredAt({ answered }: Exchange): string {
  if (answered === undefined) throw new Error('there is no answer');
  return answered.at;
}

/** The same order once more, later, refused as unavailable. */
function refuseAsUnavailable(exchange: Exchange): Exchange {
  if (exchange.answered === undefined) throw new Error('there is no answer to change');
  const error = { code: 'UNAVAILABLE', retryable: true, requestId: 'damage' };
  const body = { status: false, message: 'damage', data: { error } };
  return { ...exchange, answered: { ...exchange.answered, status: UNAVAILABLE, body } };
}

/** Orders that were sent at once and had no answer while another wallet was locked. */
function leaveUnanswered(journals: Journals, exchange: Exchange): Journals {
  const from = requestedAt(exchange);
  const to = new Date(Date.parse(from) + 10_000).toISOString();
  const one: Exchange = {
    ...exchange,
    request: { ...exchange.request, undisturbed: true },
    answered: undefined,
  };
  return {
    ...journals,
    facts: { ...journals.facts, calm: true },
    exchanges: Array.from({ length: 8 }, (_, index) => ({ ...one, place: `damage #${index}` })),
    windows: [{ kind: 'wallet locked', from, to, walletId: OTHER_WALLET }],
  };
}

/** Damages within the recorded windows of faults. */
export const WINDOW_DAMAGES: readonly JournalDamage[] = [
  {
    name: 'an order is accepted while the standby that must confirm it is missing',
    caughtBy: 'I24',
    damage: (journals, { accepted }) => ({
      ...journals,
      windows: [
        {
          kind: 'standby missing',
          from: requestedAt(accepted),
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
      if (first === undefined) throw new Error('no operator got a payout');
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
    name: 'an order is refused as unavailable although nothing is broken',
    caughtBy: 'I25',
    damage: (journals, { accepted }) => ({
      ...journals,
      facts: { ...journals.facts, calm: true },
      exchanges: [...journals.exchanges, refuseAsUnavailable(accepted)],
    }),
  },
  {
    name: 'no order of another wallet is answered while one is locked',
    caughtBy: 'I25',
    damage: (journals, { accepted }) => leaveUnanswered(journals, accepted),
  },
  {
    name: 'an endpoint created during the run gets no deliveries',
    caughtBy: 'I17',
    damage: (journals) => {
      const { test } = journals.facts.endpoints;
      const late = { ...test, id: OTHER_WALLET, path: '/late/damage', afterNumber: '0' };
      return { ...journals, lateEndpoints: [late] };
    },
  },
];
