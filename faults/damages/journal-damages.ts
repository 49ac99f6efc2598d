import type { Exchange, Journals } from '../checker/read-journals.ts';
import { findShownTransfers, isList, type ShownTransfer } from '../checker/shown-transfers.ts';
import type { AnsweredRecord } from '../journal/exchange-record.ts';
import type { JournalDamage, Kept } from './journal-damage.ts';
import { OUTSIDE_DAMAGES } from './outside-damages.ts';
import { WINDOW_DAMAGES } from './window-damages.ts';

const OTHER_ID = '01900000-0000-7000-8000-000000000000';

/** Finds the exchanges that damages need; throws when the run has none. */
export function findKept(journals: Journals, succeeded: ReadonlySet<string>): Kept {
  const fresh = findShownTransfers(journals.exchanges).filter(
    ({ how, exchange }) => how === 'accepted' && exchange.answered?.replayed === false,
  );
  const idOf = ({ transfer }: ShownTransfer) => String(transfer['id']);
  const accepted = fresh.find(
    (seen) => succeeded.has(idOf(seen)) && seen.transfer['mode'] === 'test',
  );
  const keyed = fresh.find(
    ({ exchange }) => exchange.request.idempotencyKey !== null && exchange !== accepted?.exchange,
  );
  if (accepted === undefined || keyed === undefined) throw new Error('the run has no such answers');
  return { accepted: accepted.exchange, keyed: keyed.exchange };
}

export function acceptedId({ accepted }: Kept): string {
  return idIn(accepted);
}

function idIn(exchange: Exchange): string {
  return String(shownIn(exchange)['id']);
}

function shownIn({ answered }: Exchange): Readonly<Record<string, unknown>> {
  const body = answered?.body as { data: Readonly<Record<string, unknown>> };
  return body.data;
}

function withAnswer(exchange: Exchange, change: Partial<AnsweredRecord>): Exchange {
  if (exchange.answered === undefined) throw new Error('there is no answer to change');
  return { ...exchange, answered: { ...exchange.answered, ...change } };
}

function showing(exchange: Exchange, change: Readonly<Record<string, unknown>>): Exchange {
  const shown = { ...shownIn(exchange), ...change };
  return withAnswer(exchange, { body: { status: true, message: 'damage', data: shown } });
}

function refusal(exchange: Exchange, status: number, code: string): Exchange {
  const error = { code, retryable: false, requestId: 'damage' };
  const body = { status: false, message: 'damage', data: { error } };
  return withAnswer(exchange, { status, body });
}

function add(journals: Journals, exchange: Exchange): Journals {
  return { ...journals, exchanges: [...journals.exchanges, exchange] };
}

/** Replaces all exchanges about an order by this one. */
function only(journals: Journals, exchange: Exchange): Journals {
  const others = journals.exchanges.filter(
    ({ request }) => request.reference !== exchange.request.reference,
  );
  return { ...journals, exchanges: [...others, exchange] };
}

function about(exchange: Exchange, path: string, method: 'GET' | 'POST'): Exchange {
  const request = { ...exchange.request, path, method, body: null, idempotencyKey: null };
  return withAnswer({ ...exchange, request }, { status: 200 });
}

function changeSums(
  journals: Journals,
  change: (sum: Journals['bankReads'][number]['sums'][number]) => Readonly<Record<string, string>>,
): Journals {
  const bankReads = journals.bankReads.map((read, index) =>
    index === journals.bankReads.length - 1
      ? { ...read, sums: read.sums.map((sum) => ({ ...sum, ...change(sum) })) }
      : read,
  );
  return { ...journals, bankReads };
}

function withoutFirstItem(list: Exchange): Exchange {
  const items = shownIn(list)['items'];
  return showing(list, { items: Array.isArray(items) ? items.slice(1) : [] });
}

const PATH = '/api/v1/payments/transfers';
const oneMore = (minor: string) => String(BigInt(minor) + 1n);

export const JOURNAL_DAMAGES: readonly JournalDamage[] = [
  {
    name: 'a transfer is acknowledged and was never stored',
    caughtBy: 'I10',
    damage: (journals, { accepted }) => add(journals, showing(accepted, { id: OTHER_ID })),
  },
  {
    name: 'another amount is acknowledged than stored',
    caughtBy: 'I10',
    damage: (journals, { accepted }) => add(journals, showing(accepted, { amount: 0.07 })),
  },
  {
    name: 'an order is accepted as new twice',
    caughtBy: 'I5',
    damage: (journals, { accepted }) => add(journals, accepted),
  },
  {
    name: 'one reference shows two ids',
    caughtBy: 'I11',
    damage: (journals, { accepted, keyed }) =>
      add(journals, showing(accepted, { id: shownIn(keyed)['id'] })),
  },
  {
    name: 'one Idempotency-Key shows two ids',
    caughtBy: 'I19',
    damage: (journals, { accepted, keyed }) => {
      const request = { ...accepted.request, idempotencyKey: keyed.request.idempotencyKey };
      return add(journals, { ...accepted, request });
    },
  },
  {
    name: 'a refused order is stored',
    caughtBy: 'I12',
    damage: (journals, { accepted }) =>
      only(journals, refusal(accepted, 422, 'INSUFFICIENT_BALANCE')),
  },
  {
    name: 'an order with a flaw is accepted',
    caughtBy: 'I12',
    damage: (journals, { accepted }) =>
      add(journals, { ...accepted, request: { ...accepted.request, flaw: 'zero' } }),
  },
  {
    name: 'a good key is refused',
    caughtBy: 'refusal',
    damage: (journals, { accepted }) => add(journals, refusal(accepted, 401, 'UNAUTHORIZED')),
  },
  {
    name: 'a cancellation is acknowledged, and the transfer is paid',
    caughtBy: 'I10',
    damage: (journals, { accepted }) =>
      add(journals, about(accepted, `${PATH}/${idIn(accepted)}/cancel`, 'POST')),
  },
  {
    name: 'a transfer is shown as failed, and later succeeds',
    caughtBy: 'I14',
    damage: (journals, { accepted }) => {
      const failed = showing(accepted, { state: 'failed', status: 'failed' });
      return add(journals, about(failed, `${PATH}/${idIn(accepted)}`, 'GET'));
    },
  },
  {
    name: 'money is missing for a moment',
    caughtBy: 'I2',
    damage: (journals) =>
      changeSums(journals, ({ walletsMinor }) => ({ walletsMinor: oneMore(walletsMinor) })),
  },
  {
    name: 'money appears from nowhere',
    caughtBy: 'I2',
    damage: (journals) =>
      changeSums(journals, ({ fundedMinor, walletsMinor }) => ({
        fundedMinor: oneMore(fundedMinor),
        walletsMinor: oneMore(walletsMinor),
      })),
  },
  {
    name: 'a wallet is below zero for a moment',
    caughtBy: 'I4',
    damage: (journals) => changeSums(journals, () => ({ leastMinor: '-1' })),
  },
  {
    name: 'an answer is not an envelope',
    caughtBy: 'envelope',
    damage: (journals, { accepted }) =>
      add(journals, withAnswer(accepted, { status: 502, body: '<html>Bad gateway</html>' })),
  },
  {
    name: 'an answer is an internal error',
    caughtBy: 'envelope',
    damage: (journals, { accepted }) =>
      add(
        journals,
        withAnswer(accepted, { status: 500, body: { status: false, message: 'Oh.', data: {} } }),
      ),
  },
  {
    name: 'the list leaves a transfer out',
    caughtBy: 'I13',
    damage: (journals) => ({
      ...journals,
      exchanges: journals.exchanges.map((one) => (isList(one) ? withoutFirstItem(one) : one)),
    }),
  },
  {
    name: 'no requests were recorded',
    caughtBy: 'evidence',
    damage: (journals) => ({ ...journals, exchanges: [], bankReads: [] }),
  },
  ...OUTSIDE_DAMAGES,
  ...WINDOW_DAMAGES,
];
