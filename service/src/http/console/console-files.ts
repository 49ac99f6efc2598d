import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** In the order in which they are preferred: the smallest first. */
const ENCODINGS = [
  { encoding: 'br', suffix: '.br' },
  { encoding: 'gzip', suffix: '.gz' },
] as const;

type Encoding = (typeof ENCODINGS)[number]['encoding'];

/** What is sent for a file, as it is or compressed. */
export type FileBody = Readonly<{ encoding?: Encoding; bytes: Buffer; etag: string }>;

export type ConsoleFile = Readonly<{
  contentType: string;
  /** Its name has a hash of its content: another content has another name. */
  isImmutable: boolean;
  /** The preferred one first, the plain one last. */
  bodies: readonly FileBody[];
}>;

/** The built console in memory. */
export type ConsoleFiles = Readonly<{
  /** The page that starts the console. Every screen's address gets it; the console reads the address itself. */
  index: ConsoleFile;
  /** By path in the address: '/console/assets/index-ChSzOs9n.js'. */
  byPath: ReadonlyMap<string, ConsoleFile>;
}>;

export const CONSOLE_PATH = '/console';
/** The build puts files with a hash in their name there. */
export const ASSETS_PATH = `${CONSOLE_PATH}/assets/`;
const DIST = fileURLToPath(new URL('../../../../console/dist', import.meta.url));
const INDEX_FILE = 'index.html';
/** All of them are in memory, compressed and not. A console that is larger was built wrongly. */
const BYTES_MAX = 32 * 1024 * 1024;
const ETAG_LENGTH = 22;

const CONTENT_TYPES: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.ico', 'image/x-icon'],
  ['.woff2', 'font/woff2'],
  ['.json', 'application/json; charset=utf-8'],
  ['.webmanifest', 'application/manifest+json'],
]);

/** Undefined: the console is not built. A file of another kind than those above is not served. */
export function readConsoleFiles(folder = DIST): ConsoleFiles | undefined {
  const contents = readContents(folder);
  const served = [...contents.keys()].filter((name) => CONTENT_TYPES.has(extname(name)));
  const byPath = new Map(
    served.map((name) => [`${CONSOLE_PATH}/${name}`, fileOf(name, contents)] as const),
  );
  const index = byPath.get(`${CONSOLE_PATH}/${INDEX_FILE}`);
  return index === undefined ? undefined : { index, byPath };
}

function readContents(folder: string): ReadonlyMap<string, Buffer> {
  const contents = new Map<string, Buffer>();
  let bytes = 0;
  for (const name of listFiles(folder)) {
    const content = readFileSync(join(folder, name));
    bytes += content.length;
    if (bytes > BYTES_MAX) throw new Error(`${folder} has more than ${BYTES_MAX} bytes`);
    contents.set(name, content);
  }
  return contents;
}

/** Names below the folder, with slashes. */
function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1))
      .map((name) => name.replaceAll('\\', '/'));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}

function fileOf(name: string, contents: ReadonlyMap<string, Buffer>): ConsoleFile {
  const compressed = ENCODINGS.flatMap(({ encoding, suffix }) => {
    const bytes = contents.get(name + suffix);
    return bytes === undefined ? [] : [{ encoding, bytes, etag: etagOf(bytes) }];
  });
  const plain = contents.get(name) ?? Buffer.alloc(0);
  return {
    contentType: CONTENT_TYPES.get(extname(name)) ?? '',
    isImmutable: `${CONSOLE_PATH}/${name}`.startsWith(ASSETS_PATH),
    bodies: [...compressed, { bytes: plain, etag: etagOf(plain) }],
  };
}

/** The ETag of the bytes that are sent. A compressed answer and a plain one are different to a cache. */
function etagOf(bytes: Buffer): string {
  return `"${createHash('sha256').update(bytes).digest('base64url').slice(0, ETAG_LENGTH)}"`;
}
