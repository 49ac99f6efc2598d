import { refuse } from './vodacom-answers.ts';
import type { VodacomState } from './vodacom-state.ts';

type Rule = Readonly<{ pattern: RegExp; code: string }>;

/** The documented patterns, each with the code for a value that does not match. None allows a dash. */
const RULES = {
  input_Amount: { pattern: /^\d*\.?\d+$/, code: 'INS-15' },
  input_ReversalAmount: { pattern: /^\d*\.?\d+$/, code: 'INS-15' },
  input_CustomerMSISDN: { pattern: /^[0-9]{12,14}$/, code: 'INS-2051' },
  input_Currency: { pattern: /^[a-zA-Z]{1,3}$/, code: 'INS-26' },
  input_ServiceProviderCode: { pattern: /^([0-9A-Za-z]{4,12})$/, code: 'INS-13' },
  input_TransactionReference: { pattern: /^[0-9a-zA-Z \w+]{1,20}$/, code: 'INS-17' },
  input_ThirdPartyConversationID: { pattern: /^[0-9a-zA-Z \w+]{1,40}$/, code: 'INS-28' },
  input_PaymentItemsDesc: { pattern: /^[0-9a-zA-Z \w+]{1,256}$/, code: 'INS-31' },
  input_Country: { pattern: /^[A-Z]{3}$/, code: 'INS-21' },
  input_TransactionID: { pattern: /^[0-9a-zA-Z \w+]{1,20}$/, code: 'INS-18' },
  input_KycQueryType: { pattern: /^Name$/, code: 'INS-21' },
  input_QueryReference: {
    pattern: /^(?:[A-Za-z0-9]{10,20}|[A-Za-z0-9]{1,9}|[A-Za-z0-9]{21,32})$/,
    code: 'INS-21',
  },
} as const satisfies Record<string, Rule>;

export type InputField = keyof typeof RULES;
/** Returns the validated value of a field. */
export type Fields<Field extends InputField> = (field: Field) => string;

/** Checks that all fields are present before it checks their values: `INS-20` precedes every other code. */
export function readFields<Field extends InputField>(
  given: (field: Field) => unknown,
  fields: readonly Field[],
): Fields<Field> {
  const values = fields.map((field) => [field, given(field)] as const);
  if (values.some(([, value]) => value === undefined || value === null || value === '')) {
    throw refuse('INS-20');
  }
  const read = new Map<Field, string>();
  for (const [field, value] of values) {
    if (typeof value !== 'string') throw refuse('INS-21');
    const { pattern, code } = RULES[field];
    if (!pattern.test(value)) throw refuse(code);
    read.set(field, value);
  }
  return (field) => read.get(field) ?? '';
}

/** Checks that the request names this application's market and organisation. */
export function checkOurs(
  { settings, credentials }: VodacomState,
  field: Fields<'input_Country' | 'input_ServiceProviderCode'>,
): void {
  if (field('input_Country') !== settings.market.country) throw refuse('INS-21');
  const { serviceProviderCode } = credentials;
  if (field('input_ServiceProviderCode') !== serviceProviderCode) throw refuse('INS-13');
}

/** Exact minor units of an amount that matches the pattern, also `.5` and `007`; zero is refused. */
export function readAmount(text: string): bigint {
  const [major = '', minor = ''] = text.split('.');
  const amountMinor = BigInt(`${major}${minor.padEnd(2, '0')}`);
  if (minor.length > 2 || amountMinor === 0n) throw refuse('INS-15');
  return amountMinor;
}
