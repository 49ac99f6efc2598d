export const API = '/api/v1/payments';

export type RequestParts = Readonly<{
  method?: string;
  path: string;
  apiKey?: string;
  /** Written unchanged, one line each, after those of every request. */
  headers?: readonly string[];
  body?: string | Buffer;
}>;

/** A well-formed request, to be sent as it is or to be broken. */
export function writeRequest({
  method = 'GET',
  path,
  apiKey,
  headers,
  body,
}: RequestParts): Buffer {
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    ...(apiKey === undefined ? [] : [`x-api-key: ${apiKey}`]),
    ...(headers ?? []),
  ];
  if (body === undefined) return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  const bytes = Buffer.from(body);
  const head = [...lines, `content-length: ${bytes.length}`].join('\r\n');
  return Buffer.concat([Buffer.from(`${head}\r\n\r\n`, 'latin1'), bytes]);
}

export const JSON_TYPE = 'content-type: application/json';
