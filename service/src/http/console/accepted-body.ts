import type { FileBody } from './console-files.ts';

/** The first body whose encoding the client accepts. The plain one, which is last, is accepted always. */
export function acceptedBody(
  bodies: readonly FileBody[],
  acceptEncoding: string | undefined,
): FileBody | undefined {
  const accepted = new Set(readEncodings(acceptEncoding ?? ''));
  return bodies.find(({ encoding }) => encoding === undefined || accepted.has(encoding));
}

/** Every encoding that the header names, without those of weight 0, which are refused. */
function readEncodings(header: string): readonly string[] {
  return header
    .toLowerCase()
    .split(',')
    .map((part) => part.split(';').map((piece) => piece.trim()))
    .filter(([, weight = 'q=1']) => !/^q=0(?:\.0*)?$/.test(weight))
    .map(([encoding = '']) => encoding);
}

/** Whether the client has these bytes already. */
export function isKnown({ etag }: FileBody, ifNoneMatch: string | undefined): boolean {
  if (ifNoneMatch === undefined) return false;
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  return tags.includes(etag) || tags.includes('*');
}
