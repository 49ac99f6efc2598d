import type { Page } from 'playwright-core';

/** A device with passkeys, inside the browser, whose person confirms everything at once. */
export type VirtualPasskeys = Readonly<{
  /** How many it holds. */
  count(): Promise<number>;
  /** What the person does from now on: confirms, or lets it fail. */
  confirm(does: boolean): Promise<void>;
}>;

/** For the page from now on; gone when its context closes. */
export async function addVirtualPasskeys(page: Page): Promise<VirtualPasskeys> {
  const session = await page.context().newCDPSession(page);
  await session.send('WebAuthn.enable');
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return {
    async count() {
      const { credentials } = await session.send('WebAuthn.getCredentials', { authenticatorId });
      return credentials.length;
    },
    confirm: async (does) =>
      void (await session.send('WebAuthn.setUserVerified', {
        authenticatorId,
        isUserVerified: does,
      })),
  };
}
