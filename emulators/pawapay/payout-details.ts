import type { JsonValue, Payout } from '../kernel/behaviour.ts';
import { writeAmount } from './amounts.ts';
import type { FailureReason } from './failure-codes.ts';
import type { PayoutOrder } from './payout-order.ts';

export type PayoutStatusWord =
  | 'ACCEPTED'
  | 'ENQUEUED'
  | 'PROCESSING'
  | 'IN_RECONCILIATION'
  | 'COMPLETED'
  | 'FAILED';

/** The fields of a payout that only pawaPay has. */
export type PayoutDetails = Readonly<{
  provider: string;
  country: string;
  createdAtMs: number;
  clientReferenceId: string | null;
  customerMessage: string | null;
  metadata: Readonly<Record<string, string>>;
}>;

export function detailsOf({ request, provider }: PayoutOrder, nowMs: number): PayoutDetails {
  const { clientReferenceId, customerMessage, metadata } = request;
  return {
    provider: provider.provider,
    country: provider.country,
    createdAtMs: nowMs,
    clientReferenceId,
    customerMessage,
    metadata,
  };
}

/** With whole seconds, as documented. */
export function writeCreated({ createdAtMs }: PayoutDetails): string {
  return new Date(createdAtMs).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** Reads the details that were stored in the backend with the payout. */
export function readDetails({ extra }: Payout): PayoutDetails {
  const { provider, country, createdAtMs, clientReferenceId, customerMessage, metadata } = extra;
  return {
    provider: readText(provider) ?? '',
    country: readText(country) ?? '',
    createdAtMs: Number(createdAtMs),
    clientReferenceId: readText(clientReferenceId),
    customerMessage: readText(customerMessage),
    metadata: Object.fromEntries(
      Object.entries(metadata ?? {}).map(([name, text]) => [name, String(text)]),
    ),
  };
}

function readText(value: JsonValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

export type PayoutReport = Readonly<{
  payoutId: string;
  status: PayoutStatusWord;
  phoneNumber: string;
  amountMinor: bigint;
  currency: string;
  details: PayoutDetails;
  providerTransactionId: string | null;
  failureReason: FailureReason | null;
}>;

/** `data` of a status query, and the whole body of a callback. Unknown values are omitted. */
export function describePayout(report: PayoutReport) {
  const { payoutId, status, currency, details, providerTransactionId, failureReason } = report;
  const { provider, country, clientReferenceId, customerMessage, metadata } = details;
  const { phoneNumber } = report;
  return {
    payoutId,
    status,
    amount: writeAmount(report.amountMinor),
    currency,
    country,
    recipient: { type: 'MMO', accountDetails: { phoneNumber, provider } },
    ...(clientReferenceId === null ? {} : { clientReferenceId }),
    ...(customerMessage === null ? {} : { customerMessage }),
    created: writeCreated(details),
    ...(providerTransactionId === null ? {} : { providerTransactionId }),
    ...(failureReason === null ? {} : { failureReason }),
    ...(Object.keys(metadata).length === 0 ? {} : { metadata }),
  };
}
