import { refuse } from '../../domain/refusal.ts';
import { isFromThisMachine } from '../server/from-this-machine.ts';
import { limitPages } from '../server/limit-pages.ts';
import type { PageAnswer, PageRequest, ServicePage } from '../server/service-pages.ts';
import type { BucketRule } from '../server/token-bucket.ts';
import { acceptedBody, isKnown } from './accepted-body.ts';
import { ASSETS_PATH, CONSOLE_PATH, type ConsoleFile, type ConsoleFiles } from './console-files.ts';
import { CONSOLE_HEADERS, IMMUTABLE, ONLY_HTTPS } from './console-headers.ts';

/** Files to one network. A first visit loads some ten, and a whole office may open the console at once. */
const FILES: BucketRule = { burst: 600, perSecond: 50 };
const NO_BODY = Buffer.alloc(0);

type ConsoleDeps = Readonly<{ files: ConsoleFiles; monotonicMs: () => number }>;

/** The console's files. A path is looked up among the names of all files, and never leads to the disk. */
export function consolePages({ files, monotonicMs }: ConsoleDeps): readonly ServicePage[] {
  const admit = limitPages({ monotonicMs }, FILES);
  const answer = (request: PageRequest): PageAnswer => {
    admit(request);
    const file = findFile(files, request.path);
    if (file === undefined) throw refuse('NOT_FOUND');
    return answerFile(file, request);
  };
  return [
    { path: CONSOLE_PATH, answer },
    { path: `${CONSOLE_PATH}/*`, answer },
  ];
}

/** Addresses of screens have no file: the console reads them itself. */
function findFile({ index, byPath }: ConsoleFiles, path: string): ConsoleFile | undefined {
  return byPath.get(path) ?? (path.startsWith(ASSETS_PATH) ? undefined : index);
}

function answerFile({ contentType, isImmutable, bodies }: ConsoleFile, request: PageRequest) {
  const { headers } = request;
  const body = acceptedBody(bodies, headers['accept-encoding']?.toString());
  if (body === undefined) throw new Error('a file of the console has no plain body');
  const answerHeaders: Record<string, string> = {
    ...CONSOLE_HEADERS,
    ...(isFromThisMachine(request) ? {} : ONLY_HTTPS),
    'cache-control': isImmutable ? IMMUTABLE : 'no-cache',
    vary: 'accept-encoding',
    etag: body.etag,
  };
  if (isKnown(body, headers['if-none-match'])) {
    return { status: 304, headers: answerHeaders, body: NO_BODY };
  }
  answerHeaders['content-type'] = contentType;
  if (body.encoding !== undefined) answerHeaders['content-encoding'] = body.encoding;
  return { status: 200, headers: answerHeaders, body: body.bytes };
}
