import { refuse } from '../../domain/refusal.ts';

/**
 * A form with one file and a few short fields, parsed by hand: the body is in memory whole and bounded, one file is
 * wanted, and it is not copied. Libraries parse streams into temporary files, for forms that may have any shape.
 */
export type MultipartForm = Readonly<{
  file: Readonly<{ bytes: Buffer; name: string | null }>;
  fields: ReadonlyMap<string, string>;
}>;

const PARTS_MAX = 10;
const PART_HEAD_BYTES_MAX = 4_096;
const FIELD_BYTES_MAX = 1_024;
const FILE_FIELD = 'file';
/** RFC 2046. */
const BOUNDARY = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i;
const HEAD_END = Buffer.from('\r\n\r\n');

/** The boundary of a multipart form; undefined: the content type is none. */
export function boundaryOf(contentType: string): string | undefined {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) return undefined;
  const [, quoted, plain] = BOUNDARY.exec(contentType) ?? [];
  return quoted ?? plain;
}

export function parseMultipart(body: Buffer, boundary: string): MultipartForm {
  const fields = new Map<string, string>();
  let file: MultipartForm['file'] | undefined;
  for (const part of splitParts(body, boundary)) {
    const { name, fileName, content } = readPart(part);
    if (name === FILE_FIELD) {
      if (file !== undefined) throw badForm('Send one file.');
      file = { bytes: content, name: fileName };
      continue;
    }
    if (content.length > FIELD_BYTES_MAX || fields.has(name))
      throw badForm('Send each field once, and only short ones beside the file.');
    fields.set(name, content.toString('utf8'));
  }
  if (file === undefined) throw badForm('Send the file in a field named "file".');
  return { file, fields };
}

function badForm(message: string): Error {
  return refuse('BAD_REQUEST', {
    message: `The form cannot be read. ${message} Nothing was stored.`,
  });
}

function splitParts(body: Buffer, boundary: string): readonly Buffer[] {
  const opening = Buffer.from(`--${boundary}`);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  // The first boundary may come without a line break before it.
  let at = body.subarray(0, opening.length).equals(opening) ? opening.length : -1;
  if (at === -1) {
    const first = body.indexOf(delimiter);
    if (first === -1) throw badForm('Its boundary is missing.');
    at = first + delimiter.length;
  }
  const parts: Buffer[] = [];
  for (;;) {
    const after = body.toString('latin1', at, at + 2);
    if (after === '--') return parts;
    if (after !== '\r\n') throw badForm('A boundary is broken.');
    if (parts.length >= PARTS_MAX) throw badForm(`It has more than ${PARTS_MAX} parts.`);
    const end = body.indexOf(delimiter, at);
    if (end === -1) throw badForm('It ends too early.');
    parts.push(body.subarray(at + 2, end));
    at = end + delimiter.length;
  }
}

function readPart(
  part: Buffer,
): Readonly<{ name: string; fileName: string | null; content: Buffer }> {
  const headEnd = part.subarray(0, PART_HEAD_BYTES_MAX).indexOf(HEAD_END);
  if (headEnd === -1) throw badForm('The head of a part is missing or too long.');
  const head = part.toString('utf8', 0, headEnd);
  const disposition = /^content-disposition:\s*form-data\s*;(.*)$/im.exec(head)?.[1] ?? '';
  if (/^content-transfer-encoding:\s*(?!binary|8bit|7bit)/im.test(head)) {
    throw badForm('Send the file as it is, without an encoding of its own.');
  }
  const name = parameterOf(disposition, 'name');
  if (name === undefined) throw badForm('A part has no name.');
  const fileName = parameterOf(disposition, 'filename') ?? null;
  return { name, fileName, content: part.subarray(headEnd + HEAD_END.length) };
}

/** Browsers write quotes in a name as %22. */
function parameterOf(disposition: string, name: string): string | undefined {
  const [, quoted, plain] =
    new RegExp(`(?:^|[;\\s])${name}=(?:"([^"]*)"|([^\\s;"]+))`, 'i').exec(disposition) ?? [];
  return (quoted ?? plain)?.replace(/%22/g, '"');
}
