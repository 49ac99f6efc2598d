import { isJsonObject } from '../kernel/read-json-object.ts';
import { Rejection } from './failure-codes.ts';
import { readMembers, readOptionalText, readText } from './json-object.ts';

/** A well-formed request for a payout. Whether it can be paid is checked later. */
export type PayoutRequest = Readonly<{
  payoutId: string;
  phoneNumber: string;
  provider: string;
  amount: string;
  currency: string;
  clientReferenceId: string | null;
  customerMessage: string | null;
  metadata: Readonly<Record<string, string>>;
}>;

const UUID_V4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;
const CUSTOMER_MESSAGE = /^[A-Za-z0-9 ]{4,22}$/;
const RECIPIENT_TYPE = /^MMO$/;
const ANY_TEXT = /^/;
const SOME_TEXT = /[^\s]/;
const METADATA_ITEMS_MAX = 10;
const PII_FLAG = 'isPII';

const ORDER_MEMBERS = {
  required: ['payoutId', 'recipient', 'amount', 'currency'],
  optional: ['clientReferenceId', 'customerMessage', 'metadata'],
};
const RECIPIENT_MEMBERS = { required: ['type', 'accountDetails'], optional: [] };
const ACCOUNT_MEMBERS = { required: ['phoneNumber', 'provider'], optional: [] };

export function readPayoutId(value: unknown): string {
  return readText(value, 'payoutId', UUID_V4).toLowerCase();
}

/** Reads one payout of a request; throws a `Rejection` with a code of status 400 when it is malformed. */
export function readPayoutRequest(value: unknown): PayoutRequest {
  const order = readMembers(value, '', ORDER_MEMBERS);
  const recipient = readMembers(order.recipient, 'recipient.', RECIPIENT_MEMBERS);
  const account = readMembers(
    recipient.accountDetails,
    'recipient.accountDetails.',
    ACCOUNT_MEMBERS,
  );
  readText(recipient.type, 'recipient.type', RECIPIENT_TYPE);
  return {
    payoutId: readPayoutId(order.payoutId),
    phoneNumber: readText(account.phoneNumber, 'recipient.accountDetails.phoneNumber', ANY_TEXT),
    provider: readText(account.provider, 'recipient.accountDetails.provider', ANY_TEXT),
    amount: readText(order.amount, 'amount', ANY_TEXT),
    currency: readText(order.currency, 'currency', ANY_TEXT),
    clientReferenceId: readOptionalText(order.clientReferenceId, 'clientReferenceId', SOME_TEXT),
    customerMessage: readOptionalText(order.customerMessage, 'customerMessage', CUSTOMER_MESSAGE),
    metadata: readMetadata(order.metadata ?? []),
  };
}

/** In requests metadata is a list of objects with one field each; answers have one object with all fields. */
function readMetadata(value: unknown): Readonly<Record<string, string>> {
  if (!Array.isArray(value) || value.length > METADATA_ITEMS_MAX) {
    throw new Rejection(
      'INVALID_PARAMETER',
      `The parameter 'metadata' is not a list of at most ${METADATA_ITEMS_MAX} items.`,
    );
  }
  const fields = new Map<string, string>();
  for (const item of value) {
    const [name, text] = readMetadataItem(item);
    if (fields.has(name)) {
      throw new Rejection(
        'DUPLICATE_METADATA_FIELD',
        `The metadata field '${name}' is there more than once.`,
      );
    }
    fields.set(name, text);
  }
  return Object.fromEntries(fields);
}

function readMetadataItem(item: unknown): readonly [name: string, text: string] {
  const entries = isJsonObject(item) ? Object.entries(item) : [];
  const [entry, ...others] = entries.filter(([name]) => name !== PII_FLAG);
  const flag = entries.find(([name]) => name === PII_FLAG)?.[1] ?? false;
  if (entry === undefined || others.length > 0 || typeof flag !== 'boolean') {
    throw new Rejection('INVALID_PARAMETER', "An item of 'metadata' is not one field.");
  }
  return [entry[0], readText(entry[1], `metadata.${entry[0]}`, ANY_TEXT)];
}
