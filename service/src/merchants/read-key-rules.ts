import { isIP } from 'node:net';
import { AdminRefused } from '../domain/admin-refused.ts';
import { SCOPES, type Scope } from './authenticated-key.ts';

const ADDRESSES_MAX = 50;
const PREFIX_LENGTH = /^(?:0|[1-9][0-9]{0,2})$/;
const BITS_BY_VERSION: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

/** What a key may do. Empty means all scopes. */
export function readScopes(texts: readonly string[]): readonly Scope[] {
  if (texts.length === 0) return SCOPES;
  const asked = new Set(texts);
  const scopes = SCOPES.filter((scope) => asked.delete(scope));
  if (asked.size === 0) return scopes;
  throw new AdminRefused('SCOPE_UNKNOWN', { given: [...asked], known: SCOPES });
}

/** The addresses that a key may be used from. Empty means any. */
export function readAddresses(texts: readonly string[]): readonly string[] {
  if (texts.length > ADDRESSES_MAX) {
    throw new AdminRefused('ADDRESSES_TOO_MANY', { max: ADDRESSES_MAX });
  }
  for (const text of texts) if (!looksLikeRange(text)) throw refusedAddress(text);
  return texts;
}

export function refusedAddress(given: string): Error {
  return new AdminRefused('ADDRESS_INVALID', { given });
}

// Whether the address is the first of its range is left to PostgreSQL's cidr type.
function looksLikeRange(text: string): boolean {
  const [address = '', prefixLength, ...rest] = text.split('/');
  const bits = BITS_BY_VERSION[isIP(address)];
  if (bits === undefined || rest.length > 0) return false;
  if (prefixLength === undefined) return true;
  return PREFIX_LENGTH.test(prefixLength) && Number(prefixLength) <= bits;
}
