import { parseUuid } from '../../domain/uuid.ts';

/** The longest `input_TransactionReference`. */
const TRANSACTION_REFERENCE_LENGTH_MAX = 20;

/**
 * Our reference as M-Pesa accepts it. The status query requires an id without dashes and with at most 32 characters,
 * exactly the digits of a UUID.
 */
export function toConversationId(operatorReference: string): string {
  return operatorReference.replaceAll('-', '');
}

/** The inverse; undefined if it is not a reference of ours. */
export function fromConversationId(conversationId: string): string | undefined {
  const parts = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(conversationId);
  return parts === null ? undefined : parseUuid(parts.slice(1).join('-'));
}

/**
 * What people see on a statement. Twenty characters cannot hold a UUID, so this is never parsed. The last twenty
 * contain all of its random bits; the first ones are the time.
 */
export function toTransactionReference(operatorReference: string): string {
  return toConversationId(operatorReference).slice(-TRANSACTION_REFERENCE_LENGTH_MAX);
}
