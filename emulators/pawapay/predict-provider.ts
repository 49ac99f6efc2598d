import { Rejection } from './failure-codes.ts';
import { readMembers, readText } from './json-object.ts';
import { COUNTRIES, isMobileNumber, type Provider } from './providers.ts';
import { findSandboxNumber } from './sandbox-numbers.ts';

type Prediction = Readonly<{ country: string; provider: string; phoneNumber: string }>;

const SPELLING = /^\+?[\d\s().-]+$/;

/** Reads a number in any international spelling, and returns the provider that probably serves it. */
export function predictProvider(
  rules: Readonly<{ providers: readonly Provider[]; usesSandboxNumbers: boolean }>,
  body: unknown,
): Prediction {
  const { phoneNumber: written } = readMembers(body, '', {
    required: ['phoneNumber'],
    optional: [],
  });
  const phoneNumber = readText(written, 'phoneNumber', SPELLING).replaceAll(/\D/g, '');
  const sandbox = rules.usesSandboxNumbers ? findSandboxNumber(phoneNumber)?.provider : undefined;
  const provider = rules.providers.find((candidate) =>
    sandbox === undefined ? serves(candidate, phoneNumber) : candidate.provider === sandbox,
  );
  if (provider === undefined) {
    throw new Rejection('INVALID_PARAMETER', 'No provider is known for this phone number.');
  }
  return { country: provider.country, provider: provider.provider, phoneNumber };
}

function serves({ country, numberPrefixes }: Provider, phoneNumber: string): boolean {
  const national = phoneNumber.slice(COUNTRIES[country].prefix.length);
  return (
    isMobileNumber(phoneNumber, country) &&
    numberPrefixes.some((prefix) => national.startsWith(prefix))
  );
}
