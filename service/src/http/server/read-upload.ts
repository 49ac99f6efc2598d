import type { IncomingMessage, ServerResponse } from 'node:http';
import { refuse } from '../../domain/refusal.ts';
import type { BodyBudget, BodyShare } from './body-budget.ts';
import { collectBody } from './collect-body.ts';
import type { LongRequests } from './long-requests.ts';
import { boundaryOf, parseMultipart } from './parse-multipart.ts';

type UploadContent = Readonly<{
  bytes: Buffer;
  /** As the form says; null: it does not, or the file came without a form. */
  fileName: string | null;
  /** The other fields of the form. */
  fields: ReadonlyMap<string, string>;
}>;

/** A file that a client sent. */
export type ReceivedUpload = UploadContent &
  Readonly<{
    /**
     * Call it when the bytes are stored: the answer may take longer, and other uploads need the room. Once the call is
     * over, it is called in any case.
     */
    release(): void;
  }>;

type UploadRule = Readonly<{
  bytesMax: number;
  budget: BodyBudget;
  longRequests: LongRequests;
  /** Whose share of the budget it takes. */
  owner: string;
}>;

/** What a form adds around its file. */
const FORM_BYTES_MAX = 16 * 1_024;

/** Browsers and programs declare tables as many things; what the file is shows in its first bytes. */
const RAW_TYPES = [
  'text/csv',
  'text/plain',
  'text/tab-separated-values',
  'application/csv',
  'application/vnd.ms-excel',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/octet-stream',
];

/**
 * Reads a file from the body: the body itself, or the field `file` of a form. Called once the caller is admitted; what
 * the headers tell is judged before any of the body is read.
 */
export function readUpload(
  response: ServerResponse,
  rule: UploadRule,
  done: (error: unknown, upload: ReceivedUpload | undefined) => void,
): void {
  const { bytesMax, budget, longRequests, owner } = rule;
  const request = response.req;
  let boundary: string | undefined;
  try {
    boundary = checkHeaders(request, rule);
  } catch (error) {
    done(error, undefined);
    return;
  }
  if (request.headers.expect !== undefined) response.writeContinue();
  longRequests.begin(request);
  const most = boundary === undefined ? bytesMax : bytesMax + FORM_BYTES_MAX;
  collectBody(request, { bytesMax: most, budget, owner, json: undefined }, (error, collected) => {
    if (collected === undefined) {
      done(error, undefined);
      return;
    }
    const { bytes, share } = collected;
    let upload: ReceivedUpload;
    try {
      upload = withShare(toContent(bytes, boundary, bytesMax), share);
    } catch (problem) {
      share?.close();
      done(problem, undefined);
      return;
    }
    done(undefined, upload);
  });
}

/** Returns the boundary of a form. */
function checkHeaders(
  { headers }: IncomingMessage,
  { bytesMax, budget, owner }: UploadRule,
): string | undefined {
  const type = headers['content-type'] ?? '';
  const boundary = boundaryOf(type);
  const [plainType = ''] = type.toLowerCase().split(';');
  if (boundary === undefined && !RAW_TYPES.includes(plainType.trim())) throw wrongType();
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') throw wrongType();
  const announced = Number(headers['content-length'] ?? 0);
  if (announced > bytesMax + (boundary === undefined ? 0 : FORM_BYTES_MAX)) {
    throw refuse('BODY_TOO_LARGE');
  }
  budget.refuseIfFull(owner, announced);
  return boundary;
}

function wrongType(): Error {
  return refuse('UNSUPPORTED_MEDIA_TYPE', {
    message:
      'Send a CSV or XLSX file, not compressed: in the field "file" of multipart/form-data, or as the body with its content type. Nothing was stored.',
  });
}

/** What came in one small piece has no share. */
function withShare(
  { bytes, ...form }: UploadContent,
  share: BodyShare | undefined,
): ReceivedUpload {
  let kept = bytes;
  return {
    ...form,
    get bytes() {
      return kept;
    },
    release() {
      kept = NO_BYTES;
      share?.close();
    },
  };
}

function toContent(bytes: Buffer, boundary: string | undefined, bytesMax: number): UploadContent {
  if (boundary === undefined) return { bytes, fileName: null, fields: NO_FIELDS };
  const { file, fields } = parseMultipart(bytes, boundary);
  if (file.bytes.length > bytesMax) throw refuse('BODY_TOO_LARGE');
  return { bytes: file.bytes, fileName: file.name, fields };
}

const NO_BYTES = Buffer.alloc(0);
const NO_FIELDS: ReadonlyMap<string, string> = new Map();
