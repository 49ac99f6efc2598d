import type { Currency } from './money.ts';

export const OPERATORS = ['airtel', 'mtn', 'zamtel', 'vodacom'] as const;
export type Operator = (typeof OPERATORS)[number];

export const COUNTRIES = ['zm', 'ng'] as const;
export type Country = (typeof COUNTRIES)[number];

type OperatorPair = Readonly<{ operator: Operator; country: Country }>;

/** Every pair is valid input; the configuration decides which pairs have a route in live books. */
export const OPERATOR_PAIRS: readonly OperatorPair[] = COUNTRIES.flatMap((country) =>
  OPERATORS.map((operator) => ({ operator, country })),
);

const CURRENCY_BY_COUNTRY: Readonly<Record<Country, Currency>> = { zm: 'ZMW', ng: 'NGN' };

export function currencyOf(country: Country): Currency {
  return CURRENCY_BY_COUNTRY[country];
}

export function isOperator(text: string): text is Operator {
  const words: readonly string[] = OPERATORS;
  return words.includes(text);
}

export function isCountry(text: string): text is Country {
  const words: readonly string[] = COUNTRIES;
  return words.includes(text);
}
