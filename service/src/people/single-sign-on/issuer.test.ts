import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type FakeIssuer, startFakeIssuer } from '../../../test/fakes/fake-issuer.ts';
import { createIssuer, IssuerUnavailable } from './issuer.ts';

const BACK = 'http://127.0.0.1:1/back';
const SECRETS = { state: 's'.repeat(43), nonce: 'n'.repeat(43), codeVerifier: 'v'.repeat(43) };
const TIMEOUT_SECONDS = 0.2;

async function withIssuer(
  work: (fake: FakeIssuer, settings: Parameters<typeof createIssuer>[0]) => Promise<void>,
  options?: Parameters<typeof startFakeIssuer>[0],
) {
  const fake = await startFakeIssuer(options);
  const { clientId, clientSecret } = fake;
  try {
    await work(fake, { issuer: new URL(fake.baseUrl), clientId, clientSecret });
  } finally {
    await fake.close();
  }
}

describe('an issuer', () => {
  it('is asked about itself once for all who wait, and again after an hour', () =>
    withIssuer(async (fake, settings) => {
      let nowMs = 0;
      const issuer = createIssuer(settings, { monotonicMs: () => nowMs });
      await Promise.all([issuer.signInUrl(BACK, SECRETS), issuer.signInUrl(BACK, SECRETS)]);
      assert.equal(fake.requests.length, 1);
      nowMs = 60 * 60_000 - 1;
      await issuer.signInUrl(BACK, SECRETS);
      assert.equal(fake.requests.length, 1);
      nowMs += 1;
      await issuer.signInUrl(BACK, SECRETS);
      assert.equal(fake.requests.length, 2);
    }));

  for (const [what, answer] of [
    ['never answers', 'hang'],
    ['answers without an end', { status: 200, body: 'x'.repeat(1_024 * 1_024) }],
  ] as const) {
    it(`is down when it ${what}`, () =>
      withIssuer(async (fake, settings) => {
        const issuer = createIssuer(settings, {
          monotonicMs: () => 0,
          timeoutSeconds: TIMEOUT_SECONDS,
        });
        fake.answerAll(answer);
        await assert.rejects(issuer.signInUrl(BACK, SECRETS), IssuerUnavailable);
        fake.answerAll(undefined);
        await issuer.signInUrl(BACK, SECRETS);
      }));
  }

  for (const authMethod of ['client_secret_basic', 'client_secret_post'] as const) {
    it(`is shown our secret by ${authMethod} when it wants that`, () =>
      withIssuer(
        async (fake, settings) => {
          const issuer = createIssuer(settings, { monotonicMs: () => 0 });
          const { href } = await issuer.signInUrl(BACK, SECRETS);
          const claims = { email: 'a@example.test', email_verified: true };
          const { email } = await issuer.readAnswer(fake.signIn(href, claims), SECRETS);
          assert.equal(email, claims.email);
        },
        { authMethod },
      ));
  }

  it('is down when it says that it is another', () =>
    withIssuer(async (_, settings) => {
      const issuer = new URL(settings.issuer);
      issuer.hostname = 'localhost';
      const other = createIssuer({ ...settings, issuer }, { monotonicMs: () => 0 });
      await assert.rejects(other.signInUrl(BACK, SECRETS), IssuerUnavailable);
    }));
});
