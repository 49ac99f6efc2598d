import { COUNTRIES, OPERATORS } from '../../../../service/src/domain/operator.ts';
import { TRANSFER_STATES } from '../../../../service/src/domain/transfer-state.ts';
import type { Wallet } from '../../api/types.ts';
import { addDays, dayOf, startOfDay } from '../../format/day-start.ts';
import { formatAmount } from '../../format/format-amount.ts';
import { formatCountry, formatOperator } from '../../format/format-operator.ts';
import { readAmount } from '../../format/read-amount.ts';
import type { Filter, FilterValues } from '../../parts/filters.tsx';
import { states } from '../../texts/en/states.ts';
import { transfers as texts } from '../../texts/en/transfers.ts';
import { wallets as walletTexts } from '../../texts/en/wallets.ts';

export function nameOfWallet({ name, currency }: Wallet): string {
  return name ?? walletTexts.name(currency);
}

const AMOUNT: Pick<Filter, 'show' | 'problemOf'> = {
  show: (value) => formatAmount(readAmount(value).amount ?? value),
  problemOf: (value) => readAmount(value).problem,
};

/** The filters of the list. Their names are those of the API, but for the days, which are of the reader's zone. */
export function listFilters(wallets: readonly Wallet[]): readonly Filter[] {
  const words = texts.filters;
  return [
    {
      name: 'created',
      label: words.created,
      options: Object.entries(words.periods).map(([value, label]) => ({ value, label })),
    },
    {
      name: 'state',
      label: words.state,
      options: TRANSFER_STATES.map((state) => ({ value: state, label: states[state].word })),
    },
    {
      name: 'operator',
      label: words.operator,
      options: OPERATORS.map((operator) => ({ value: operator, label: formatOperator(operator) })),
    },
    {
      name: 'country',
      label: words.country,
      options: COUNTRIES.map((country) => ({ value: country, label: formatCountry(country) })),
    },
    {
      name: 'walletId',
      label: words.walletId,
      options: wallets.map((wallet) => ({ value: wallet.id, label: nameOfWallet(wallet) })),
    },
    { name: 'phone', label: words.phone, type: 'tel', help: words.phoneHelp },
    { name: 'amountFrom', label: words.amountFrom, ...AMOUNT },
    { name: 'amountTo', label: words.amountTo, ...AMOUNT },
    { name: 'from', label: words.from, type: 'date', isUnused: hasPeriod },
    { name: 'to', label: words.to, type: 'date', isUnused: hasPeriod },
  ];
}

/** A period stands for both days. */
function hasPeriod({ created }: FilterValues): boolean {
  return created !== undefined && Object.hasOwn(texts.filters.periods, created);
}

type Clock = Readonly<{ now: Date; timeZone: string }>;

/** What the API is asked for: days become instants, at the moment of asking. */
export function toQuery(
  { created, from, to, ...rest }: FilterValues,
  clock: Clock,
): Readonly<Record<string, string>> {
  const period = periodOf({ created, from, to }, clock);
  return Object.fromEntries(
    Object.entries({ ...rest, ...period }).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, readValue(name, value)]],
    ),
  );
}

/** Invalid text is sent unchanged, and the service refuses it. */
function readValue(name: string, value: string): string {
  const text = value.trim();
  return name.startsWith('amount') ? (readAmount(text).amount ?? text) : text;
}

type Days = Readonly<Record<'created' | 'from' | 'to', string | undefined>>;

function periodOf(
  { created, from, to }: Days,
  { now, timeZone }: Clock,
): Readonly<{ from: string | undefined; to: string | undefined }> {
  // The overview counts by days of UTC, and leads to what it counts.
  const zone = created === 'today-utc' ? 'UTC' : timeZone;
  const today = dayOf(now, zone);
  const relative: Readonly<Record<string, readonly [string, string]>> = {
    today: [today, today],
    'today-utc': [today, today],
    yesterday: [addDays(today, -1), addDays(today, -1)],
    '7d': [addDays(today, -6), today],
    '30d': [addDays(today, -29), today],
  };
  const [first, last] = relative[created ?? ''] ?? [from, to];
  const begin = first === undefined ? undefined : startOfDay(first, zone);
  const end = last === undefined ? undefined : startOfDay(addDays(last, 1), zone);
  return { from: begin?.toISOString(), to: end?.toISOString() };
}

/** Whether a row still fits the filters by what may change of it. Other facts of a transfer never change. */
export function fitsState(filters: FilterValues, state: string): boolean {
  return filters['state'] === undefined || filters['state'] === state;
}
