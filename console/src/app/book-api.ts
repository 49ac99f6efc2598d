import { type Call, call } from '../api/call.ts';
import { useOptionalBook } from './session.ts';

type BookCall = Omit<Call, 'bookId'>;

/**
 * Calls below /payments in the book of the address, with its `x-book`. Elsewhere calls without a book are made with
 * `call` itself.
 */
export function useBookApi(): <T>(given: BookCall) => Promise<T> {
  const book = useOptionalBook();
  return (given) => call({ ...given, path: `/payments${given.path}`, bookId: book?.id });
}
