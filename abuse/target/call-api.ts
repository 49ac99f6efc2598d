const CALL_TIMEOUT_MS = 15_000;

export type ApiAnswer = Readonly<{ status: number; data: unknown }>;

/** One call of the merchant API by the measuring side. Throws if there is no answer. */
export async function callApi(
  port: number,
  call: Readonly<{ method: 'GET' | 'POST'; path: string; apiKey: string; body?: object }>,
): Promise<ApiAnswer> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/v1/payments${call.path}`, {
    method: call.method,
    headers: { 'x-api-key': call.apiKey, 'content-type': 'application/json' },
    body: call.body === undefined ? null : JSON.stringify(call.body),
    signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
  });
  const { data } = (await answer.json()) as { data: unknown };
  return { status: answer.status, data };
}
