/** Codes of undici, as Node or this service calls the same. */
const KNOWN_NAMES: Readonly<Record<string, string>> = {
  UND_ERR_CONNECT_TIMEOUT: 'ETIMEDOUT',
  UND_ERR_HEADERS_OVERFLOW: 'HPE_HEADER_OVERFLOW',
  UND_ERR_RES_CONTENT_LENGTH_MISMATCH: 'CUT_OFF',
  UND_ERR_INVALID_ARG: 'INVALID_REQUEST',
  UND_ERR_NOT_SUPPORTED: 'INVALID_REQUEST',
  UND_ERR_SOCKET: 'NOT_HTTP',
};
/** How undici calls the orderly end of a connection. */
const ENDINGS: readonly string[] = ['other side closed', 'closed'];

/** Codes such as ECONNREFUSED; never a message, which could contain what was sent. */
export function codeOf(
  error: Error,
  { wasAnswering }: Readonly<{ wasAnswering: boolean }>,
): string {
  if (error.name === 'HTTPParserError') return 'NOT_HTTP';
  const code = 'code' in error && typeof error.code === 'string' ? error.code : 'UNKNOWN';
  if (code === 'UND_ERR_SOCKET' && ENDINGS.includes(error.message)) {
    return wasAnswering ? 'CUT_OFF' : 'ECONNRESET';
  }
  return KNOWN_NAMES[code] ?? code;
}
