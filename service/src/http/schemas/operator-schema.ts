import { Type } from 'typebox';
import { nullableNumber } from './plain-fields.ts';
import { CountryWord, CurrencyWord, OperatorWord } from './transfer-schema.ts';

export const OperatorList = Type.Object({
  items: Type.Array(
    Type.Object({
      operator: OperatorWord,
      country: CountryWord,
      currency: CurrencyWord,
      available: Type.Boolean({ description: 'Whether the book can pay this operator out.' }),
      min: nullableNumber('The smallest amount it takes; null when not available.'),
      max: nullableNumber('The largest amount it takes; null when not available.'),
      decimals: Type.Integer({ description: 'How many decimals an amount may have.' }),
      fee: Type.Object(
        {
          fixed: Type.Number({ description: 'The same for each transfer.' }),
          basisPoints: Type.Integer({ description: 'Hundredths of a percent of the amount.' }),
        },
        {
          description:
            'What a transfer costs on top of its amount: `fixed`, and `basisPoints` of the amount, ' +
            'rounded to two decimals, half up.',
        },
      ),
      health: Type.Unsafe<string>({
        type: 'string',
        enum: ['up', 'down', 'unknown'],
        description: 'While it is down, transfers wait in the queue.',
      }),
    }),
    { description: 'Every pair of operator and country.' },
  ),
});
