import type { Operations } from './guard-operations.ts';
import { listApiOperations, type SharedApiDeps } from './list-api-operations.ts';
import { type BookApiDeps, listBookOperations } from './list-book-operations.ts';

/** Every operation, for those who describe or test them and give all the same dependencies. */
export function listAllOperations(deps: object): Operations {
  return listApiOperations(listBookOperations(deps as BookApiDeps), deps as SharedApiDeps);
}
