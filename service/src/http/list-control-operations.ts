import type { ListDeps } from '../lists/add-entry.ts';
import type { Queryable } from '../postgres/database.ts';
import type { CompanyScreenerDeps } from '../screening/add-company-screener.ts';
import { listLimitsOperation } from './limit-api/list-limits.ts';
import { addCompanyEntryOperation, addEntryOperation } from './list-api/add-entry.ts';
import { endCompanyEntryOperation, endEntryOperation } from './list-api/end-entry.ts';
import { listCompanyEntriesOperation, listEntriesOperation } from './list-api/list-entries.ts';
import {
  addCompanyScreenerOperation,
  addScreenerOperation,
  type ScreenerApiDeps,
} from './screener-api/add-screener.ts';
import {
  listCompanyScreenersOperation,
  listScreenersOperation,
} from './screener-api/list-screeners.ts';
import { listScreeningsOperation } from './screener-api/list-screenings.ts';
import {
  removeCompanyScreenerOperation,
  removeScreenerOperation,
} from './screener-api/remove-screener.ts';
import type { ApiOperation, PeopleOperation, StaffOperation } from './server/api-operation.ts';

/** What the operations on lists, screeners and limits need. */
export type ControlApiDeps = ListDeps & ScreenerApiDeps;

/** The same for those of the company. */
export type CompanyControlApiDeps = ControlApiDeps & CompanyScreenerDeps;

/** Lists, screeners and limits of a book: what keys may read too, and what people alone may change. */
export function listControlOperations(
  deps: ControlApiDeps,
  { database, now }: Readonly<{ database: Queryable; now: () => Date }>,
): Readonly<{
  book: readonly ApiOperation[];
  bookPeople: readonly PeopleOperation[];
}> {
  return {
    book: [
      listEntriesOperation({ database, now }),
      listScreenersOperation({ database }),
      listScreeningsOperation({ database }),
      listLimitsOperation({ database, now }),
    ],
    bookPeople: [
      addEntryOperation(deps),
      endEntryOperation(deps),
      addScreenerOperation(deps),
      removeScreenerOperation(deps),
    ],
  };
}

/** Lists and screeners of the company, which count in all books. */
export function listCompanyControlOperations(
  deps: CompanyControlApiDeps,
): readonly StaffOperation[] {
  return [
    listCompanyEntriesOperation(deps),
    addCompanyEntryOperation(deps),
    endCompanyEntryOperation(deps),
    listCompanyScreenersOperation(deps),
    addCompanyScreenerOperation(deps),
    removeCompanyScreenerOperation(deps),
  ];
}
