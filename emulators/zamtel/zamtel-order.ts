import { readDecimalAmount } from '../kernel/decimal-amount.ts';
import type { ZamtelCredentials, ZamtelSettings } from './zamtel-settings.ts';

export type ZamtelOrder = Readonly<{ conversationId: string; msisdn: string; amountMinor: bigint }>;

/** `code`: refused with a code of the operator. `malformed`: refused by the HTTP facade, without a code. */
export type ReadOrder =
  | Readonly<{ kind: 'order'; order: ZamtelOrder }>
  | Readonly<{ kind: 'code'; code: string }>
  | Readonly<{ kind: 'malformed' }>;

const NAMES = [
  'ThirdPartyID',
  'Password',
  'Amount',
  'Msisdn',
  'Shortcode',
  'identifier',
  'credential',
  'ConversationId',
] as const;
const MSISDN = /^260[0-9]{9}$/;

/** Requires every parameter exactly once, in this spelling; other parameters are ignored. */
export function readZamtelOrder(settings: ZamtelSettings, query: URLSearchParams): ReadOrder {
  for (const name of NAMES) {
    const [value, ...more] = query.getAll(name);
    if (value === undefined || value === '' || more.length > 0) return { kind: 'malformed' };
  }
  if (!isCaller(settings.credentials, query)) return { kind: 'code', code: '2001' };
  const msisdn = query.get('Msisdn') ?? '';
  if (!MSISDN.test(msisdn)) return { kind: 'code', code: '2051' };
  const amountMinor = readDecimalAmount(query.get('Amount') ?? '');
  const { amountMinorMin, amountMinorMax } = settings;
  if (amountMinor === null || amountMinor < amountMinorMin || amountMinor > amountMinorMax) {
    return { kind: 'code', code: '2005' };
  }
  const conversationId = query.get('ConversationId') ?? '';
  return { kind: 'order', order: { conversationId, msisdn, amountMinor } };
}

function isCaller(credentials: ZamtelCredentials, query: URLSearchParams): boolean {
  return (
    query.get('ThirdPartyID') === credentials.thirdPartyId &&
    query.get('Password') === credentials.password &&
    query.get('Shortcode') === credentials.shortcode &&
    query.get('identifier') === credentials.identifier &&
    query.get('credential') === credentials.credential
  );
}
