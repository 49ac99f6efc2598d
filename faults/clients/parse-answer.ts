const HEAD_END = '\r\n\r\n';
const STATUS_LINE = /^HTTP\/1\.1 (\d{3}) /;

export type RawAnswer = Readonly<{
  status: number;
  headers: ReadonlyMap<string, string>;
  body: unknown;
}>;

/** Parses an HTTP answer; undefined when it is incomplete or invalid. */
export function parseAnswer(bytes: Buffer): RawAnswer | undefined {
  const headEnd = bytes.indexOf(HEAD_END);
  if (headEnd === -1) return undefined;
  const [statusLine = '', ...headerLines] = bytes.subarray(0, headEnd).toString().split('\r\n');
  const status = STATUS_LINE.exec(statusLine)?.[1];
  if (status === undefined) return undefined;
  const headers = new Map(headerLines.map(splitHeader));
  const length = Number(headers.get('content-length') ?? Number.NaN);
  const body = bytes.subarray(headEnd + HEAD_END.length);
  // The service sends Content-Length with every answer.
  if (!(body.length >= length)) return undefined;
  return { status: Number(status), headers, body: parseJson(body.subarray(0, length).toString()) };
}

function splitHeader(line: string): readonly [string, string] {
  const colon = line.indexOf(':');
  return [line.slice(0, colon).trim().toLowerCase(), line.slice(colon + 1).trim()];
}

/** Keeps an invalid body as text, so that the checker reports it. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
