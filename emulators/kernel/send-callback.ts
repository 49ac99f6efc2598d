import { Agent as HttpAgent, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';

export type Callback = Readonly<{
  method: 'POST' | 'PUT';
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}>;

export type CallbackRecord = Readonly<{
  at: string;
  method: string;
  url: string;
  /** Null when no complete answer came. */
  status: number | null;
  error: string | null;
  /** The receiver's answer, up to a limit: some protocols require an acknowledgement. */
  answer: string;
}>;

/** Never throws: a missing answer is a result too. */
export type SendCallback = (callback: Callback) => Promise<CallbackRecord>;

export type CallbackSenderOptions = Readonly<{
  timeoutMs: number;
  now: () => number;
  signal: AbortSignal;
  record: (record: CallbackRecord) => void;
  /**
   * Where callbacks are delivered, such as `http://127.0.0.1:3000`, when their URLs name a public host
   * that is not this machine. Path and query stay; the Host header names the public host.
   */
  deliverTo: string | null;
}>;

const ANSWER_CHARACTERS_MAX = 64 * 1024;
/** Shorter than a receiver's keep-alive timeout, so that no connection is reused while the receiver closes it. */
const IDLE_MS = 4_000;
/** As the few servers of an operator have. A receiver that is slow would otherwise get a connection for each callback. */
const CONNECTIONS_MAX = 64;

export function createCallbackSender(options: CallbackSenderOptions): SendCallback {
  const kept = { keepAlive: true, timeout: IDLE_MS, maxSockets: CONNECTIONS_MAX } as const;
  const agents: Agents = { http: new HttpAgent(kept), https: new HttpsAgent(kept) };
  // Closing the emulator also aborts callbacks that are being sent.
  options.signal.addEventListener('abort', () => {
    agents.http.destroy();
    agents.https.destroy();
  });
  return async (callback) => {
    const at = new Date(options.now()).toISOString();
    const common = { at, method: callback.method, url: callback.url };
    let record: CallbackRecord;
    try {
      options.signal.throwIfAborted();
      record = { ...common, ...(await deliver(callback, { ...options, agents })), error: null };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      record = { ...common, status: null, answer: '', error: reason };
    }
    options.record(record);
    return record;
  };
}

type Agents = Readonly<{ http: HttpAgent; https: HttpsAgent }>;

function deliver(
  { method, url, headers, body }: Callback,
  { timeoutMs, deliverTo, agents }: CallbackSenderOptions & Readonly<{ agents: Agents }>,
): Promise<Readonly<{ status: number; answer: string }>> {
  const named = new URL(url);
  const target = deliverTo === null ? named : new URL(named.pathname + named.search, deliverTo);
  const isSecure = target.protocol === 'https:';
  const send = isSecure ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const request = send(target, {
      method,
      agent: isSecure ? agents.https : agents.http,
      headers: { host: named.host, ...headers, 'content-length': Buffer.byteLength(body) },
    });
    let deadline: NodeJS.Timeout | undefined;
    // Not before: with all connections in use it waits here, and the receiver knows nothing of it.
    request.once('socket', () => {
      deadline = setTimeout(() => {
        request.destroy(new Error(`timeout: no answer within ${timeoutMs} ms`));
      }, timeoutMs);
    });
    request.on('error', reject);
    request.on('close', () => clearTimeout(deadline));
    request.on('response', (response) => {
      let answer = '';
      response.setEncoding('utf8');
      response.on('data', (text: string) => {
        answer = (answer + text).slice(0, ANSWER_CHARACTERS_MAX);
      });
      response.on('error', reject);
      response.on('end', () => resolve({ status: response.statusCode ?? 0, answer }));
    });
    request.end(body);
  });
}
