/**
 * The members of a structured-field dictionary (RFC 8941) with their raw values. The value of
 * Signature-Input is signed byte by byte, so it must never be serialized again.
 */
export function readDictionary(header: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  for (const member of splitAtCommas(header)) {
    const equals = member.indexOf('=');
    if (equals > 0) members.set(member.slice(0, equals), member.slice(equals + 1));
  }
  return members;
}

/** Commas inside a quoted string do not separate members. */
function splitAtCommas(header: string): readonly string[] {
  const members: string[] = [];
  let start = 0;
  let isQuoted = false;
  for (let at = 0; at < header.length; at += 1) {
    if (header[at] === '"') isQuoted = !isQuoted;
    if (header[at] !== ',' || isQuoted) continue;
    members.push(header.slice(start, at).trim());
    start = at + 1;
  }
  members.push(header.slice(start).trim());
  return members;
}

const BYTE_SEQUENCE = /^:([A-Za-z0-9+/]*={0,2}):$/;

/** The bytes of `:base64:`, or undefined when it is something else. */
export function readByteSequence(value: string): Buffer | undefined {
  const base64 = BYTE_SEQUENCE.exec(value)?.[1];
  return base64 === undefined ? undefined : Buffer.from(base64, 'base64');
}

export function writeByteSequence(bytes: Buffer): string {
  return `:${bytes.toString('base64')}:`;
}
