import { type FetchFunction, Kafue } from '../../sdk/src/index.ts';

type Request = Readonly<{ method: string; path: string; body: unknown }>;
type Script = (request: Request, call: number) => Readonly<{ status: number; data: unknown }>;

/** The SDK before a service that answers as the test says; a script that throws is a lost line. */
export function fakeKafue(script: Script) {
  let calls = 0;
  const fetch: FetchFunction = async (url, { method, body }) => {
    calls += 1;
    const path = new URL(url).pathname.replace('/api/v1/payments/', '');
    const sent: unknown = body === undefined ? undefined : JSON.parse(body);
    const { status, data } = script({ method, path, body: sent }, calls);
    const envelope = { status: status < 300, message: 'As scripted.', data };
    return { status, headers: { get: () => null }, text: async () => JSON.stringify(envelope) };
  };
  const kafue = new Kafue({ apiKey: 'sk_test_scripted', fetch, maxRetries: 0 });
  return { kafue, calls: () => calls };
}

/** The references of a bulk call, in order. */
export function referencesOf(body: unknown): readonly string[] {
  const { transfers } = body as { transfers: readonly { reference: string }[] };
  return transfers.map(({ reference }) => reference);
}

export function accepted(reference: string, status = 'pending', state = 'submitting') {
  const createdAt = '2026-11-15T08:00:00.000Z';
  const data = { id: reference, reference, status, state, failure: null, createdAt };
  return { status: true, message: 'Transfer initiated', data };
}

export function refused(code: string, retryable: boolean) {
  const error = { code, retryable, requestId: 'r' };
  return { status: false, message: 'Refused.', data: { error } };
}
