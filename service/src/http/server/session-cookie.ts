import type { Arrival } from './caller.ts';

/** Browsers accept this name only over https, for the whole host and from this host alone. */
const SECURE_NAME = '__Host-kafue';
/** On plain http to this machine itself, where no browser takes the other. */
const LOCAL_NAME = 'kafue';

/** The token in the session cookie; undefined: there is no such cookie. */
export function readSessionCookie({
  headers,
  isFromThisMachine,
}: Pick<Arrival, 'headers' | 'isFromThisMachine'>): string | undefined {
  const { cookie } = headers;
  if (cookie === undefined) return undefined;
  return (
    cookieValue(cookie, SECURE_NAME) ??
    (isFromThisMachine() ? cookieValue(cookie, LOCAL_NAME) : undefined)
  );
}

/** The Set-Cookie header that begins a session. It lives as long as the browser; the server ends it sooner. */
export function sessionCookie(token: string, arrival: Pick<Arrival, 'isFromThisMachine'>): string {
  return `${start(arrival, token)}; Path=/; HttpOnly; SameSite=Lax`;
}

/** The Set-Cookie header that makes the browser forget it. */
export function endedSessionCookie(arrival: Pick<Arrival, 'isFromThisMachine'>): string {
  return `${start(arrival, '')}; Path=/; HttpOnly; SameSite=Lax; Max-Age=0`;
}

function start({ isFromThisMachine }: Pick<Arrival, 'isFromThisMachine'>, value: string): string {
  return isFromThisMachine() ? `${LOCAL_NAME}=${value}` : `${SECURE_NAME}=${value}; Secure`;
}

/** The value of one cookie in a Cookie header; undefined: it is not there. */
export function cookieValue(header: string, name: string): string | undefined {
  for (const pair of header.split(';')) {
    const at = pair.indexOf('=');
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim();
  }
  return undefined;
}
