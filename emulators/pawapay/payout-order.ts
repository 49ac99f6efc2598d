import { readAmount, writeLimit } from './amounts.ts';
import { Rejection } from './failure-codes.ts';
import type { PayoutRequest } from './payout-request.ts';
import { type AvailabilityStatus, COUNTRIES, isMobileNumber, type Provider } from './providers.ts';

/** A payout that is valid for the account, apart from its balance. */
export type PayoutOrder = Readonly<{
  request: PayoutRequest;
  provider: Provider;
  amountMinor: bigint;
}>;

type OrderRules = Readonly<{
  providers: readonly Provider[];
  statusOf: (provider: Provider) => AvailabilityStatus;
}>;

/** Its refusals are answered with HTTP 200 and the caller's payout id. */
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
