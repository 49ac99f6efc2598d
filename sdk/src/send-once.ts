import type { KafueErrorDetail } from './kafue-error.ts';

/** The part of `fetch` that the SDK uses. The global one fits, and so does your own. */
export type FetchFunction = (url: string, init: FetchInit) => Promise<FetchAnswer>;

export type FetchInit = Readonly<{
  method: string;
  headers: Record<string, string>;
  body?: string | Uint8Array<ArrayBuffer>;
  signal: AbortSignal;
  redirect: 'manual';
  credentials: 'omit';
}>;

export type FetchAnswer = Readonly<{
  status: number;
  headers: Readonly<{ get(name: string): string | null }>;
  text(): Promise<string>;
}>;

export type HttpRequest = Readonly<{
  url: string;
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers: Record<string, string>;
  body: string | Uint8Array<ArrayBuffer> | undefined;
  signal: AbortSignal | undefined;
}>;

/** A whole answer, its body read. */
export type Answer = Readonly<{
  status: number;
  header(name: string): string | null;
  text: string;
}>;

export type NoAnswer = Readonly<{
  failure: KafueErrorDetail;
  /** Whether the request provably never left. */
  neverSent: boolean;
}>;

/** What Node.js calls failures before a connection stands. A browser names none of them. */
const NEVER_SENT_CODES: readonly string[] = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'UND_ERR_CONNECT_TIMEOUT',
];

/** What Node.js calls certificates that it does not trust. It says so before the request is sent. */
const CERTIFICATE_CODES: readonly string[] = [
  'CERT_CHAIN_TOO_LONG',
  'CERT_HAS_EXPIRED',
  'CERT_NOT_YET_VALID',
  'CERT_REJECTED',
  'CERT_REVOKED',
  'CERT_SIGNATURE_FAILURE',
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'ERR_TLS_CERT_ALTNAME_INVALID',
  'HOSTNAME_MISMATCH',
  'INVALID_CA',
  'INVALID_PURPOSE',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
];

/** Sends the request once, and reads its answer within the same `timeoutMs`. */
export async function sendOnce(
  deps: Readonly<{ fetch: FetchFunction; timeoutMs: number }>,
  request: HttpRequest,
): Promise<Answer | NoAnswer> {
  const { url, method, headers, body, signal } = request;
  const controller = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    controller.abort();
  }, deps.timeoutMs);
  const passOn = () => controller.abort();
  signal?.addEventListener('abort', passOn, { once: true });
  try {
    const answer = await deps.fetch(url, {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
      signal: controller.signal,
      // Followed, a redirect would hand the API key to whomever it names.
      redirect: 'manual',
      credentials: 'omit',
    });
    const text = await answer.text();
    return { status: answer.status, header: (name) => answer.headers.get(name), text };
  } catch (cause) {
    if (signal?.aborted) return { failure: aborted(signal), neverSent: false };
    if (isLate) return { failure: timedOut(deps.timeoutMs, cause), neverSent: false };
    const code = systemCode(cause);
    if (code !== undefined && CERTIFICATE_CODES.includes(code)) {
      return { failure: notTrusted({ url, code, cause }), neverSent: true };
    }
    const neverSent = code !== undefined && NEVER_SENT_CODES.includes(code);
    return { failure: notConnected({ url, code, cause }), neverSent };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', passOn);
  }
}

export function aborted({ reason }: Readonly<{ reason: unknown }>): KafueErrorDetail {
  return { code: 'ABORTED', message: 'The signal ended the call.', cause: reason };
}

function timedOut(timeoutMs: number, cause: unknown): KafueErrorDetail {
  const message = `No answer within ${timeoutMs} ms.`;
  return { code: 'TIMEOUT', message, retryable: true, cause };
}

function notConnected(
  failure: Readonly<{ url: string; code: string | undefined; cause: unknown }>,
): KafueErrorDetail {
  const { url, code, cause } = failure;
  const reason = code === undefined ? '' : ` (${code})`;
  const message = `The connection to ${new URL(url).origin} failed${reason}. Check baseUrl and the network.`;
  return { code: 'CONNECTION_FAILED', message, retryable: true, systemCode: code ?? null, cause };
}

/** Trying again does not help. */
function notTrusted(
  failure: Readonly<{ url: string; code: string; cause: unknown }>,
): KafueErrorDetail {
  const { url, code, cause } = failure;
  const message = `The certificate of ${new URL(url).origin} is not valid (${code}). Check baseUrl and the certificate.`;
  return { code: 'CONNECTION_FAILED', message, retryable: false, systemCode: code, cause };
}

/** Node's fetch hides the system's code in the cause of its error, of each address when several failed. */
function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if ('code' in error && typeof error.code === 'string') return error.code;
  if (error instanceof AggregateError) return systemCode(error.errors[0]);
  return systemCode(error.cause);
}
