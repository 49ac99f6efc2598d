import type { StaffOperation } from '../server/api-operation.ts';
import { translateError } from './translate-refusal.ts';

type Described = Omit<StaffOperation, 'tag'>;

/** An operation of the staff: what its use case refuses is said in the words of the API. */
export function staffOperation(operation: Described): StaffOperation {
  return {
    ...operation,
    tag: 'Operations',
    async handle(request) {
      try {
        return await operation.handle(request);
      } catch (error) {
        throw translateError(error);
      }
    },
  };
}
