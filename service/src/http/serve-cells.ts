import type { BookOperations } from './list-book-operations.ts';
import type { ApiAnswer, ApiRequest, Operation } from './server/api-operation.ts';
import type { BookCaller } from './server/caller.ts';

/**
 * The operations of a book as the router serves them: a call is handled by the cell of the caller's book. Every cell has
 * the operations of `described`, in the same order. `find` throws for a cell that cannot be reached.
 */
export function serveCells(
  described: BookOperations,
  find: (name: string) => Readonly<{ operations: BookOperations }>,
): BookOperations {
  return {
    book: described.book.map((operation, index) => ({
      ...operation,
      handle: (request) => handleBy(find(request.caller.book.cell).operations.book[index], request),
    })),
    bookPeople: described.bookPeople.map((operation, index) => ({
      ...operation,
      handle: (request) =>
        handleBy(find(request.caller.book.cell).operations.bookPeople[index], request),
    })),
  };
}

function handleBy<C extends BookCaller>(
  operation: Pick<Operation<C>, 'handle'> | undefined,
  request: ApiRequest<C>,
): Promise<ApiAnswer> {
  if (operation === undefined) throw new Error('cells have different operations');
  return operation.handle(request);
}
