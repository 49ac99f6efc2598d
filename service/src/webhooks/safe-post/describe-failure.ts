/** What a merchant sees about a POST without a response. It contains no internal text of ours or of the system. */
const FAILURES: Readonly<Record<string, string>> = {
  EADDRESSREFUSED: 'the name leads to an address that webhooks may not be sent to',
  ECONNREFUSED: 'the connection was refused',
  ECONNRESET: 'the connection was reset',
  EPIPE: 'the connection was reset',
  ETIMEDOUT: 'the connection could not be made in time',
  EHOSTUNREACH: 'the host cannot be reached',
  ENETUNREACH: 'the host cannot be reached',
  ENOTFOUND: 'the name does not resolve',
  ENODATA: 'the name does not resolve',
  ESERVFAIL: 'the name server failed',
  ETIMEOUT: 'the name server did not answer',
  HPE_HEADER_OVERFLOW: 'the headers of the answer are too large',
  CUT_OFF: 'the answer was cut off',
  NO_STATUS: 'the answer is not HTTP',
  NOT_HTTP: 'the answer is not HTTP',
};

const CERTIFICATE_CODE = /CERT|SELF_SIGNED|ALTNAME|VERIFY_LEAF|ISSUER/;
const SHOWABLE_CODE = /^[A-Z0-9_]{1,60}$/;

export function describeFailure(code: string, timeoutMs: number): string {
  if (code === 'DEADLINE') return `no answer within ${timeoutMs / 1_000} s`;
  const known = FAILURES[code];
  if (known !== undefined) return known;
  if (!SHOWABLE_CODE.test(code)) return 'the POST failed';
  if (CERTIFICATE_CODE.test(code)) return `the certificate is not valid (${code})`;
  if (code.startsWith('ERR_SSL') || code === 'EPROTO') return 'TLS could not be agreed on';
  return `the POST failed (${code})`;
}
