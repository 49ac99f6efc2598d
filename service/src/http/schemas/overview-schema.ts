import { Type } from 'typebox';
import { nullableText } from './plain-fields.ts';
import { CountryWord, CurrencyWord, OperatorWord, StateWord } from './transfer-schema.ts';
import { WalletObject } from './wallet-schema.ts';

const count = (description: string) => Type.Integer({ minimum: 0, description });
const sum = (description: string) =>
  Type.String({ description: `${description}, as a decimal string.` });
const nullableMs = (description: string) =>
  Type.Unsafe<number | null>({ type: ['integer', 'null'], description });

export const NEEDS = [
  'approvals',
  'file_approvals',
  'approval_impossible',
  'not_submitted',
  'in_doubt',
  'webhook_failing',
  'low_balance',
  'failed_today',
] as const;

export const OverviewObject = Type.Object({
  asOf: Type.String({ format: 'date-time', description: 'When it was read; up to 5 s ago.' }),
  wallets: Type.Array(
    Type.Object({
      ...WalletObject.properties,
      name: Type.String({ description: 'What people call it.', examples: ['Salaries'] }),
      lowBalance: nullableText({
        description: 'Below this mark you get an event; null: no mark is set.',
      }),
      heldFor: Type.Array(
        Type.Object({
          state: StateWord,
          count: count('How many; counting stops at 100,000.'),
          sum: sum('Amounts with fees'),
        }),
        { description: 'The transfers that money is held for, by state.' },
      ),
    }),
    { description: 'Every wallet, up to 100.' },
  ),
  today: Type.Array(
    Type.Object({
      state: StateWord,
      currency: CurrencyWord,
      count: count('How many.'),
      sum: sum('Amounts'),
    }),
    { description: 'Transfers created today, by state. Days are in UTC.' },
  ),
  days: Type.Array(
    Type.Object({
      day: Type.String({ format: 'date', description: 'The day, of UTC.' }),
      paid: count('Created that day and paid.'),
      failed: count('Created that day and failed.'),
      doubt: count('Created that day and in doubt.'),
      medianMs: nullableMs('Half were paid within this time; null: none was paid.'),
      p95Ms: nullableMs('95 of 100 were paid within this time, right within 5 %.'),
    }),
    {
      description:
        'Up to 14 days, oldest first, the last is today. A day that could not be read in time is missing: ask again.',
    },
  ),
  operators: Type.Array(
    Type.Object({
      operator: OperatorWord,
      country: CountryWord,
      currency: CurrencyWord,
      todaySum: sum('Paid amounts of transfers created today'),
      todayCount: count('How many of them.'),
      usualSum: sum('The same for a usual day: the average of the days before that have payouts'),
    }),
    { description: 'Operators with payouts in the days shown.' },
  ),
  needsYou: Type.Array(
    Type.Object({
      kind: Type.Unsafe<string>({ type: 'string', enum: [...NEEDS], description: 'What it is.' }),
      title: Type.String({ description: 'In a few words.' }),
      count: count('How many.'),
      sum: Type.Optional(sum('Their sum')),
      currency: Type.Optional(CurrencyWord),
      link: Type.String({ description: 'The page of the console, below /console.' }),
    }),
    { description: 'What a person should look at.' },
  ),
});
