import { readFileSync } from 'node:fs';
import type { ConnectionOptions } from 'node:tls';

/** All of these encrypt and verify certificate and host name, even where libpq would check less. */
const VERIFYING_MODES = ['prefer', 'require', 'verify-ca', 'verify-full'];
const SSL_MODES: readonly string[] = ['disable', 'no-verify', ...VERIFYING_MODES];

/** The same modes as values of `ssl`, which pg accepts too. */
const MODE_BY_SSL: ReadonlyMap<string, string> = new Map([
  ['true', 'verify-full'],
  ['1', 'verify-full'],
  ['no-verify', 'no-verify'],
  ['false', 'disable'],
  ['0', 'disable'],
]);

const FILES = { sslrootcert: 'ca', sslcert: 'cert', sslkey: 'key' } as const;

/** A connection string that cannot be used. The message says what to do and does not repeat the password. */
export class BadConnectionString extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'BadConnectionString';
  }
}

type SplitConnection = Readonly<{
  connectionString: string;
  /** Undefined: the string says nothing about encryption. */
  ssl: false | ConnectionOptions | undefined;
}>;

/**
 * Removes the TLS settings from a connection string and returns them as options. So they mean the same in every version
 * of pg, and NODE_TLS_REJECT_UNAUTHORIZED=0 does not override them.
 */
export function splitTls(connectionString: string): SplitConnection {
  const url = new URL(connectionString);
  const { searchParams } = url;
  const mode = readMode(searchParams);
  if (mode === undefined) return { connectionString, ssl: undefined };
  const files = mode === 'disable' ? {} : readFiles(searchParams);
  for (const name of ['sslmode', 'ssl', ...Object.keys(FILES)]) searchParams.delete(name);
  const ssl = mode === 'disable' ? false : { rejectUnauthorized: mode !== 'no-verify', ...files };
  return { connectionString: url.href, ssl };
}

/** Describes the fault of the TLS settings of a connection string, in a sentence without its password. */
export function findTlsProblem(connectionString: string): string | undefined {
  try {
    splitTls(connectionString);
    return undefined;
  } catch (error) {
    if (error instanceof BadConnectionString) return error.message;
    throw error;
  }
}

function readMode(parameters: URLSearchParams): string | undefined {
  const ssl = parameters.get('ssl');
  const given = parameters.get('sslmode') ?? (ssl === null ? null : (MODE_BY_SSL.get(ssl) ?? ssl));
  if (given !== null && SSL_MODES.includes(given)) return given;
  if (given !== null)
    throw new BadConnectionString(`sslmode must be one of ${SSL_MODES.join(', ')}.`);
  return Object.keys(FILES).some((name) => parameters.has(name)) ? 'verify-full' : undefined;
}

function readFiles(parameters: URLSearchParams): Pick<ConnectionOptions, 'ca' | 'cert' | 'key'> {
  const files: { ca?: string; cert?: string; key?: string } = {};
  for (const [name, option] of Object.entries(FILES)) {
    const path = parameters.get(name);
    if (path === null) continue;
    try {
      files[option] = readFileSync(path, 'utf8');
    } catch (error) {
      throw new BadConnectionString(`${name} names ${path}, which cannot be read.`, error);
    }
  }
  return files;
}
