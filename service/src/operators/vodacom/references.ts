import { parseUuid } from '../../domain/uuid.ts';

/** As long as `input_TransactionReference` may be. */
const TRANSACTION_REFERENCE_LENGTH_MAX = 20;

/**
 * Our reference as M-Pesa takes it. It may be queried by it only when it has no dashes and at most 32
 * characters, and those 32 are all that a UUID has.
 */
export function toConversationId(operatorReference: string): string {
  return operatorReference.replaceAll('-', '');
}

/** The way back; undefined for what is no reference of ours. */
export function fromConversationId(conversationId: string): string | undefined {
  const parts = /^(.{8})(.{4})(.{4})(.{4})(.{12})$/.exec(conversationId);
  return parts === null ? undefined : parseUuid(parts.slice(1).join('-'));
}

/**
 * What people see on a statement. Twenty characters cannot hold a UUID, so this one is never read
 * back. The last twenty hold all of its random bits; the first ones are the time.
 */
export function toTransactionReference(operatorReference: string): string {
  return toConversationId(operatorReference).slice(-TRANSACTION_REFERENCE_LENGTH_MAX);
}
