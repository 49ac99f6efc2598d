import type { HolidayDeps } from '../holidays/change-holidays.ts';
import { type ActivityApiDeps, listActivityOperation } from './activity-api/list-activity.ts';
import type { Operations } from './guard-operations.ts';
import type { BookOperations } from './list-book-operations.ts';
import {
  type CompanyControlApiDeps,
  listCompanyControlOperations,
} from './list-control-operations.ts';
import { listPasskeyOperations } from './passkey-api/list-passkey-operations.ts';
import type { PasskeyApiDeps } from './passkey-api/passkey-api-deps.ts';
import {
  listInvitationOperations,
  listStaffPeopleOperations,
  listTeamOperations,
  type PeopleApiDeps,
} from './people-api/list-people-operations.ts';
import { listHolidayOperations } from './schedule-api/change-holidays.ts';
import type { StaffOperation } from './server/api-operation.ts';
import {
  listAccountOperations,
  listSignInOperations,
  type SessionApiDeps,
} from './session-api/list-session-operations.ts';
import {
  listSingleSignOnOperations,
  type SingleSignOnApiDeps,
} from './single-sign-on-api/list-single-sign-on-operations.ts';
import { listStaffOperations } from './staff-api/list-staff-operations.ts';
import type { StaffDeps } from './staff-api/staff-deps.ts';
import { type CellChanges, streamOperationsOperation } from './stream-api/stream-changes.ts';

/** What all other operations work with. */
export type SharedApiDeps = Readonly<{
  passkeys: PasskeyApiDeps;
  /** Undefined: there is no single sign-on. */
  singleSignOn: SingleSignOnApiDeps | undefined;
  /** Of each cell. */
  changes: () => readonly CellChanges[];
  /** The holidays of all merchants. */
  holidays: HolidayDeps;
  staff: StaffDeps;
  sessions: SessionApiDeps;
  people: PeopleApiDeps;
  /** What was done. */
  activity: ActivityApiDeps;
  /** The company's own lists and screeners. */
  companyControls: CompanyControlApiDeps;
}>;

/** Every operation of the API, in the order of the documentation. */
export function listApiOperations(books: BookOperations, deps: SharedApiDeps): Operations {
  const passkeys = listPasskeyOperations(deps.passkeys);
  const singleSignOn =
    deps.singleSignOn === undefined ? [] : listSingleSignOnOperations(deps.singleSignOn);
  return {
    ...books,
    public: [
      ...listSignInOperations(deps.sessions),
      ...passkeys.public,
      ...singleSignOn,
      ...listInvitationOperations(deps.people),
    ],
    own: [...listAccountOperations(deps.sessions), ...passkeys.own],
    merchant: [...listTeamOperations(deps.people), listActivityOperation(deps.activity)],
    staff: [
      ...listStaffOperations(deps.staff),
      ...listStaffPeopleOperations(deps.people),
      ...listCompanyControlOperations(deps.companyControls).map((operation) =>
        operation.method === 'GET'
          ? operation
          : tellingCells(operation, deps.companyControls.tellCells),
      ),
      streamOperationsOperation(deps.changes),
      ...listHolidayOperations(deps.holidays),
    ],
  };
}

/** Its answer comes when all cells that can be reached have taken over what it changed. */
function tellingCells(operation: StaffOperation, tell: () => Promise<void>): StaffOperation {
  return {
    ...operation,
    async handle(request) {
      const answer = await operation.handle(request);
      await tell();
      return answer;
    },
  };
}
