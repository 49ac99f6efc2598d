import { listTeam, type TeamList } from '../../people/list-team.ts';
import { STAFF } from '../../people/team.ts';
import type { Queryable } from '../../postgres/database.ts';
import { PeopleList } from '../schemas/person-schema.ts';
import type { MerchantOperation, StaffOperation } from '../server/api-operation.ts';

type ListDeps = Readonly<{ directory: Queryable; now: () => Date }>;

export function listMerchantPeopleOperation(deps: ListDeps): MerchantOperation {
  return {
    ...LIST,
    operationId: 'listPeople',
    permission: 'people:read',
    summary: 'List the people of a merchant',
    description: 'Who belongs to the merchant, with which roles, and who is invited.',
    async handle({ caller: { merchantId } }) {
      return answer(await listTeam(deps, { merchantId }));
    },
  };
}

export function listStaffOperation(deps: ListDeps): StaffOperation {
  return {
    ...LIST,
    operationId: 'listStaff',
    permission: 'operations:read',
    summary: 'List the staff',
    description: 'Who belongs to the staff, with which roles, and who is invited.',
    async handle() {
      return answer(await listTeam(deps, STAFF));
    },
  };
}

const LIST = {
  method: 'GET',
  path: '/people',
  tag: 'People',
  schema: { data: { 200: PeopleList } },
} as const;

function answer({ people, invitations }: TeamList) {
  return {
    status: 200,
    message: 'People listed',
    data: {
      items: people.map(({ lastSeenAt, ...person }) => ({
        ...person,
        lastSeenAt: lastSeenAt?.toISOString() ?? null,
        invitation: null,
      })),
      invitations: invitations.map(({ expiresAt, ...invitation }) => ({
        ...invitation,
        expiresAt: expiresAt.toISOString(),
      })),
    },
  } as const;
}
