import { type Agent, request } from 'node:http';

export type Exchange = Readonly<{
  sentAtMs: number;
  elapsedMs: number;
  /** Undefined: no answer, or none in time. */
  status: number | undefined;
}>;

export type Call = Readonly<{
  method: 'GET' | 'POST';
  port: number;
  path: string;
  headers: Readonly<Record<string, string>>;
  body?: string;
  timeoutMs: number;
  /** Undefined: a new connection. */
  agent?: Agent;
  localAddress: string;
}>;

/** One request, timed from the call to the last byte of the answer. Never rejects. */
export function exchange(call: Call): Promise<Exchange> {
  const sentAtMs = performance.now();
  const { promise, resolve } = Promise.withResolvers<Exchange>();
  const finish = (status: number | undefined): void =>
    resolve({ sentAtMs, elapsedMs: performance.now() - sentAtMs, status });
  const outgoing = request({
    host: '127.0.0.1',
    port: call.port,
    method: call.method,
    path: call.path,
    headers: call.headers,
    agent: call.agent ?? false,
    localAddress: call.localAddress,
    signal: AbortSignal.timeout(call.timeoutMs),
  });
  outgoing.on('response', (answer) => {
    answer.on('end', () => finish(answer.statusCode));
    answer.on('error', () => finish(undefined));
    answer.resume();
  });
  outgoing.on('error', () => finish(undefined));
  outgoing.end(call.body);
  return promise;
}
