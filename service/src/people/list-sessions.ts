import type { Statement } from '../postgres/database.ts';
import { SESSION_IDLE_MS } from './find-session.ts';
import type { PeopleDeps } from './people-deps.ts';

/** The newest are listed; a person has hardly more than a few. */
const SESSIONS_LISTED_MAX = 100;

export type ListedSession = Readonly<{
  id: string;
  address: string;
  userAgent: string;
  createdAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
}>;

/** The open sessions of a person, the one that was used last first. */
export async function listSessions(
  { directory, now }: Pick<PeopleDeps, 'directory' | 'now'>,
  personId: string,
): Promise<readonly ListedSession[]> {
  const at = now();
  const idleSince = new Date(at.getTime() - SESSION_IDLE_MS);
  return directory.query<ListedSession>(LIST, [personId, at, idleSince, SESSIONS_LISTED_MAX]);
}

const LIST: Statement = {
  name: '',
  text: `
    select id, address, user_agent as "userAgent", created_at as "createdAt", last_used_at as "lastUsedAt",
           expires_at as "expiresAt"
    from sessions
    where person_id = $1 and ended_at is null and expires_at > $2 and last_used_at > $3
    order by last_used_at desc, id desc
    limit $4`,
};
