import { COMPANY_BOOK_ID } from '../../domain/company-book.ts';
import type { Queryable } from '../../postgres/database.ts';
import { listScreeners } from '../../screening/list-screeners.ts';
import { ScreenerList } from '../schemas/screener-schema.ts';
import type { ApiAnswer, ApiOperation, StaffOperation } from '../server/api-operation.ts';
import { renderScreener } from './render-screener.ts';

type ReadDeps = Readonly<{ database: Queryable }>;

export function listScreenersOperation(deps: ReadDeps): ApiOperation {
  return {
    ...DESCRIBED,
    operationId: 'listScreeners',
    tag: 'Controls',
    scope: 'read',
    permission: 'policy:read',
    summary: 'List screeners',
    description:
      "The merchant's own. Rules may also ask for one of the company that runs the service, which comes first.",
    handle: ({ caller: { book } }) => answer(deps, book.id),
  };
}

export function listCompanyScreenersOperation(deps: ReadDeps): StaffOperation {
  return {
    ...DESCRIBED,
    operationId: 'listCompanyScreeners',
    tag: 'Operations',
    permission: 'operations:read',
    summary: "List the company's screeners",
    description:
      'Rules of every book may ask for them by name, and they come before a screener of the book.',
    handle: () => answer(deps, COMPANY_BOOK_ID),
  };
}

const DESCRIBED = {
  method: 'GET',
  path: '/screeners',
  schema: { data: { 200: ScreenerList } },
} as const;

async function answer({ database }: ReadDeps, bookId: string): Promise<ApiAnswer> {
  const screeners = await listScreeners(database, bookId);
  return {
    status: 200,
    message: 'Screeners listed',
    data: { items: screeners.map(renderScreener) },
  };
}
