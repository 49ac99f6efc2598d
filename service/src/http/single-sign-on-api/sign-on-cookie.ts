import type { Arrival } from '../server/caller.ts';
import { cookieValue } from '../server/session-cookie.ts';

/** As those of the session cookie. */
const SECURE_NAME = '__Host-kafue-sign-on';
const LOCAL_NAME = 'kafue-sign-on';
/** Longer than what it opens: single sign-on that has begun ends after 10 minutes. */
const LIFE_SECONDS = 600;

type Place = Pick<Arrival, 'isFromThisMachine'>;

/** The Set-Cookie header that binds single sign-on to this browser. Lax: the issuer sends the browser back here. */
export function signOnCookie(token: string, { isFromThisMachine }: Place): string {
  const pair = isFromThisMachine() ? `${LOCAL_NAME}=${token}` : `${SECURE_NAME}=${token}; Secure`;
  return `${pair}; Path=/; HttpOnly; SameSite=Lax; Max-Age=${LIFE_SECONDS}`;
}

export function readSignOnCookie(
  cookie: string | undefined,
  { isFromThisMachine }: Place,
): string | undefined {
  if (cookie === undefined) return undefined;
  return cookieValue(cookie, isFromThisMachine() ? LOCAL_NAME : SECURE_NAME);
}
