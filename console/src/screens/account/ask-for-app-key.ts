import { call } from '../../api/call.ts';
import type { TotpSetUp } from '../../api/types.ts';

/** A key for a new authenticator app. A person who has a second factor shows one first. */
export function askForAppKey(): Promise<TotpSetUp> {
  return call({ method: 'POST', path: '/session/factors/totp/options', body: {} });
}
