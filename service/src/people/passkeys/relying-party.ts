/** Whom a passkey is made for: browsers use it at this place alone. */
export type RelyingParty = Readonly<{
  /** The host name of the console. */
  id: string;
  /** The origin of the console, such as https://console.example.com. */
  origin: string;
}>;

export const RELYING_PARTY_NAME = 'Kafue';

export function relyingPartyAt(origin: string): RelyingParty {
  return { id: new URL(origin).hostname, origin };
}
