import assert from 'node:assert/strict';
import { it } from 'node:test';
import { CONNECTOR_KINDS } from './connector-kinds.ts';
import { readRoutes } from './route-file/read-routes.ts';

const SETTINGS = { baseUrl: 'http://127.0.0.1:4001', apiToken: 'a-token-of-pawapay' };

function problemsOf(connector: string, ...settings: readonly object[]): readonly string[] {
  const routes = settings.map((given, index) => ({
    name: `${connector}-${index}`,
    connector,
    operator: 'mtn',
    country: 'zm',
    settings: { ...SETTINGS, ...given },
  }));
  return readRoutes({ text: JSON.stringify({ routes }), env: {}, kinds: CONNECTOR_KINDS }).problems;
}

it('are final only where they are required, and a route file says all its mistakes at once', () => {
  const problems = problemsOf(
    'pawapay',
    { callbackSignatures: 'required', signedCallbacksAreFinal: true },
    { signedCallbacksAreFinal: true },
    { callbackSignatures: 'optional', signedCallbacksAreFinal: true, signingKeyId: 'mine' },
    { callbackSignatures: 'required', signedCallbacksAreFinal: 'yes' },
  );
  assert.deepEqual(problems.toSorted(), [
    'routes.1.settings.signedCallbacksAreFinal: callbackSignatures must be "required" for it.',
    'routes.2.settings.signedCallbacksAreFinal: callbackSignatures must be "required" for it.',
    'routes.2.settings.signingPrivateKey: signingKeyId needs it.',
    'routes.3.settings.signedCallbacksAreFinal: must be boolean.',
  ]);
});

it('are no setting of a connector that does not have them', () => {
  const others = CONNECTOR_KINDS.map(({ name }) => name).filter((name) => name !== 'pawapay');
  assert.ok(others.length >= 4);
  for (const connector of others) {
    const said = problemsOf(connector, { signedCallbacksAreFinal: true }).join('\n');
    assert.match(said, /signedCallbacksAreFinal: is not a setting/, connector);
  }
});
