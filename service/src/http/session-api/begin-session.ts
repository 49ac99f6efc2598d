import type { SessionFinder } from '../../people/session.ts';
import type { ApiAnswer, ApiRequest } from '../server/api-operation.ts';
import type { Caller } from '../server/caller.ts';
import { readSessionCookie, sessionCookie } from '../server/session-cookie.ts';
import { renderSession } from './render-session.ts';

type BegunDeps = Readonly<{ findSession: SessionFinder; now: () => Date }>;

/** The answer to every kind of sign-in: the session and its cookie. */
export async function answerWithSession<C extends Caller>(
  { findSession, now }: BegunDeps,
  request: ApiRequest<C>,
  token: string,
): Promise<ApiAnswer> {
  const session = await findSession(token);
  if (session === undefined) throw new Error('a session that was just begun is not found');
  return {
    status: 200,
    message: 'Signed in',
    data: renderSession(session, now()),
    headers: { 'set-cookie': sessionCookie(token, request) },
  };
}

/** From where the person signs in, and the cookie that the browser has from before. */
export function originOf<C extends Caller>(request: ApiRequest<C>) {
  const { address, isFromThisMachine } = request;
  const headers = { cookie: request.header('cookie') };
  return {
    address,
    userAgent: request.header('user-agent') ?? '',
    replacedToken: readSessionCookie({ headers, isFromThisMachine }),
  };
}
