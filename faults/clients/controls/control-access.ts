import type { ControlPerson } from '../../plan/controls-plan.ts';
import type { RawRequest } from '../send-raw.ts';

/** Keys, sessions and ids of the merchant that has a policy. */
export type ControlAccess = Readonly<{
  bookId: string;
  walletId: string;
  apiKey: string;
  people: Readonly<Record<ControlPerson, Readonly<{ id: string; cookie: string }>>>;
}>;

/** The headers of a person's browser in the controlled book, or the merchant's API key. */
export function callAs(
  { apiKey, bookId, people }: ControlAccess,
  person: ControlPerson | null,
): Pick<RawRequest, 'apiKey' | 'furtherHeaders'> {
  if (person === null) return { apiKey };
  // The proxy's connections do not name the service's port, so its cookie is that of other machines.
  const cookie = `__Host-${people[person].cookie}`;
  return {
    apiKey: null,
    furtherHeaders: [`cookie: ${cookie}`, `x-book: ${bookId}`, 'sec-fetch-site: same-origin'],
  };
}
