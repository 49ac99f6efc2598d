import { AdminRefused } from '../../domain/admin-refused.ts';
import { fieldProblem } from '../../domain/field-problem.ts';
import { refuse } from '../../domain/refusal.ts';

/** Says in the API's codes why something about a key was refused. */
export async function withKeyRefusals<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof AdminRefused ? (toRefusal(error) ?? error) : error;
  }
}

function toRefusal({ code }: AdminRefused): Error | undefined {
  if (code === 'KEY_NOT_FOUND') return refuse('KEY_NOT_FOUND');
  if (code === 'KEYS_TOO_MANY') return refuse('LIMIT_EXCEEDED', TOO_MANY);
  if (code === 'ADDRESS_INVALID' || code === 'ADDRESSES_TOO_MANY') {
    return refuse('VALIDATION_ERROR', { fields: [fieldProblem('addresses', 'INVALID_ADDRESSES')] });
  }
  if (code === 'NAME_INVALID') {
    return refuse('VALIDATION_ERROR', { fields: [fieldProblem('name', 'INVALID_TEXT')] });
  }
  return undefined;
}

const TOO_MANY = {
  message: 'The book has as many keys as it may have. Revoke one that is no longer used first.',
};
