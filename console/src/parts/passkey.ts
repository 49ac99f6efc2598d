import type {
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
} from '@simplewebauthn/browser';
import { call } from '../api/call.ts';
import type { Session, SteppedUp } from '../api/types.ts';

type Challenge<Options> = Readonly<{ challengeId: string; options: Options }>;

/** Asks for a passkey at two paths: one gives the challenge, the other takes the answer. */
async function prove<T>(path: string, isSignIn: boolean): Promise<T> {
  // Only people who use a passkey load the library.
  const { startAuthentication } = await import('@simplewebauthn/browser');
  const { challengeId, options } = await call<Challenge<PublicKeyCredentialRequestOptionsJSON>>({
    method: 'POST',
    path: `${path}/options`,
    body: {},
    isSignIn,
  });
  const credential = await startAuthentication({ optionsJSON: options });
  return call<T>({ method: 'POST', path, body: { challengeId, credential }, isSignIn });
}

async function add(name: string): Promise<void> {
  const { startRegistration } = await import('@simplewebauthn/browser');
  const { challengeId, options } = await call<Challenge<PublicKeyCredentialCreationOptionsJSON>>({
    method: 'POST',
    path: '/session/factors/passkeys/options',
    body: {},
  });
  const credential = await startRegistration({ optionsJSON: options });
  await call({
    method: 'POST',
    path: '/session/factors/passkeys',
    body: { challengeId, credential, name },
  });
}

export const passkey = {
  signIn: () => prove<Session>('/session/passkey', true),
  stepUp: () => prove<SteppedUp>('/session/step-up/passkey', false),
  add,
};
