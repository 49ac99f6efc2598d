import { harmless } from '../domain/harmless-text.ts';
import { findMerchantPlace } from '../merchants/find-merchant-place.ts';
import { listTeam } from '../people/list-team.ts';
import { STAFF, type TeamRole } from '../people/team.ts';
import { type AdminDeps, type Answer, CALL } from './add-command.ts';
import { formatTable, formatTime } from './format-table.ts';

/** The staff, or the people of a merchant. */
export async function showPeople(deps: AdminDeps, merchant: string | undefined): Promise<Answer> {
  const found =
    merchant === undefined ? undefined : await findMerchantPlace(deps.directory, merchant);
  const team = found === undefined ? STAFF : { merchantId: found.id };
  const { people, invitations } = await listTeam(deps, team);
  const json = { people, invitations };
  if (people.length + invitations.length === 0) {
    return { json, text: `There are no people here yet. Invite one: ${CALL} people invite EMAIL` };
  }
  const modeOf = (bookId: string | null): string =>
    bookId === null ? '' : ` (${bookId === found?.books.live ? 'live' : 'test'})`;
  const describe = (roles: readonly TeamRole[]): string =>
    roles.map(({ role, bookId }) => role + modeOf(bookId)).join(', ');
  const table = formatTable(
    [
      { title: 'name' },
      { title: 'email' },
      { title: 'roles' },
      { title: 'second factor' },
      { title: 'last seen' },
    ],
    [
      ...people.map(({ name, email, roles, secondFactor, lastSeenAt }) => [
        harmless(name),
        email ?? '-',
        describe(roles),
        secondFactor,
        formatTime(lastSeenAt),
      ]),
      ...invitations.map(({ name, email, roles, expiresAt }) => [
        harmless(name),
        email,
        describe(roles),
        '-',
        `invited until ${formatTime(expiresAt)}`,
      ]),
    ],
  );
  return { json, text: table };
}
