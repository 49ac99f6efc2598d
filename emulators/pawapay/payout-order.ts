import { readAmount, writeLimit } from './amounts.ts';
import { Rejection } from './failure-codes.ts';
import type { PayoutRequest } from './payout-request.ts';
import { type AvailabilityStatus, COUNTRIES, isMobileNumber, type Provider } from './providers.ts';

/** A payout that the account may make, as far as can be said without looking at its money. */
export type PayoutOrder = Readonly<{
  request: PayoutRequest;
  provider: Provider;
  amountMinor: bigint;
}>;

type OrderRules = Readonly<{
  providers: readonly Provider[];
  statusOf: (provider: Provider) => AvailabilityStatus;
}>;

/** What is refused here is refused in HTTP 200, under the id that the caller gave. */
export function orderPayout(rules: OrderRules, request: PayoutRequest): PayoutOrder {
  const provider = rules.providers.find((known) => known.provider === request.provider);
  if (provider === undefined) {
    throw new Rejection('INVALID_PROVIDER', `The provider '${request.provider}' is not enabled.`);
  }
  if (request.currency !== COUNTRIES[provider.country].currency) {
    throw new Rejection(
      'INVALID_CURRENCY',
      `The currency '${request.currency}' is not supported with '${provider.provider}'.`,
    );
  }
  if (!isMobileNumber(request.phoneNumber, provider.country)) {
    throw new Rejection(
      'INVALID_PHONE_NUMBER',
      `'${request.phoneNumber}' seems to be no phone number for '${provider.provider}'.`,
    );
  }
  const amountMinor = readOrderedAmount(provider, request.amount);
  if (rules.statusOf(provider) === 'CLOSED') {
    throw new Rejection('PROVIDER_TEMPORARILY_UNAVAILABLE');
  }
  return { request, provider, amountMinor };
}

function readOrderedAmount(provider: Provider, written: string): bigint {
  const { minAmountMinor, maxAmountMinor, decimalsInAmount } = provider;
  const amountMinor = readAmount(written, decimalsInAmount);
  if (amountMinor === undefined) {
    throw new Rejection('INVALID_AMOUNT', `The amount '${written}' is not valid.`);
  }
  if (amountMinor < minAmountMinor || amountMinor > maxAmountMinor) {
    const bounds = `${writeLimit(minAmountMinor)} to ${writeLimit(maxAmountMinor)}`;
    throw new Rejection('AMOUNT_OUT_OF_BOUNDS', `The provider takes ${bounds}.`);
  }
  return amountMinor;
}
