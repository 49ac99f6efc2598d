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
  /** Null when no whole answer came. */
  status: number | null;
  error: string | null;
  /** What the receiver answered, up to a bound: some protocols want an acknowledgement. */
  answer: string;
}>;

/** Never throws: that nobody answers is a result too. */
export type SendCallback = (callback: Callback) => Promise<CallbackRecord>;

export type CallbackSenderOptions = Readonly<{
  timeoutMs: number;
  now: () => number;
  signal: AbortSignal;
  record: (record: CallbackRecord) => void;
  /**
   * Where callbacks really go, such as `http://127.0.0.1:3000`, when the URLs name a public host
   * that is not this machine. Path and query stay; the Host header names the public host.
   */
  deliverTo: string | null;
}>;

const ANSWER_CHARACTERS_MAX = 64 * 1024;
/** Shorter than receivers keep a connection that is idle, so that none is used as it closes. */
const IDLE_MS = 4_000;

export function createCallbackSender(options: CallbackSenderOptions): SendCallback {
  const kept = { keepAlive: true, timeout: IDLE_MS } as const;
  const agents: Agents = { http: new HttpAgent(kept), https: new HttpsAgent(kept) };
  // Nothing is left open when the emulator has closed, not even a callback under way.
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
    const deadline = setTimeout(() => {
      request.destroy(new Error(`timeout: no answer within ${timeoutMs} ms`));
    }, timeoutMs);
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
