import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Country, Mode } from '../../sdk/src/index.ts';
import { CliProblem, EXIT } from './cli-problem.ts';

export const URL_DEFAULT = 'http://127.0.0.1:3000';

const KEY_PATTERN = /^sk_(test|live)_[A-Za-z0-9]{20,100}$/;
const LOOPBACK_HOSTS: readonly string[] = ['localhost', '127.0.0.1', '[::1]'];
/** Others than the owner. */
const OTHERS_MAY_READ = 0o044;
const KEY_FILE_BYTES_MAX = 4_096;

export type AccessOptions = Readonly<{
  keyFile?: string | undefined;
  url?: string | undefined;
  demo?: boolean | undefined;
  allowHttp?: boolean | undefined;
}>;

/** The address of the service, and the API key. */
export type Access = Readonly<{
  apiKey: string;
  baseUrl: string;
  mode: Mode;
  /** The wallets of the demo. */
  walletIds: Readonly<Partial<Record<Country, string>>>;
}>;

export type AccessDeps = Readonly<{
  env: Readonly<Record<string, string | undefined>>;
  /** Makes a path that a person gave absolute. */
  resolvePath: (path: string) => string;
  warn: (line: string) => void;
}>;

/** Undefined when no key was given at all. */
export async function findAccess(
  deps: AccessDeps,
  options: AccessOptions,
): Promise<Access | undefined> {
  if (options.demo === true) {
    if (options.keyFile !== undefined)
      throw usage('--demo brings its own key.', 'Drop --key-file.');
    return readDemo(deps, options);
  }
  const text =
    options.keyFile === undefined
      ? deps.env.KAFUE_API_KEY
      : await readKeyFile(deps, deps.resolvePath(options.keyFile));
  if (text === undefined || text === '') return undefined;
  return { ...readKey(text), baseUrl: readUrl(deps, options), walletIds: {} };
}

export function keyMissing(): CliProblem {
  return usage(
    'No API key.',
    'Put it in a file and give --key-file FILE, or set KAFUE_API_KEY. For the demo: --demo.',
  );
}

function usage(message: string, advice: string): CliProblem {
  return new CliProblem(EXIT.usage, message, advice);
}

async function readKeyFile({ warn }: AccessDeps, path: string): Promise<string> {
  try {
    const { mode, size } = await stat(path);
    if (size > KEY_FILE_BYTES_MAX) throw usage('The key file holds more than a key.', KEY_FORM);
    if (process.platform !== 'win32' && (mode & OTHERS_MAY_READ) !== 0) {
      warn('Others can read the key file. Make it yours alone: chmod 600.');
    }
    return (await readFile(path, 'utf8')).trim();
  } catch (error) {
    if (error instanceof CliProblem) throw error;
    throw usage(
      'The key file cannot be read.',
      'Check the path of --key-file, and its permissions.',
    );
  }
}

const KEY_FORM = 'It must be one key, such as sk_test_…, and nothing else.';

/** The error message never contains the key. */
function readKey(text: string): Readonly<{ apiKey: string; mode: Mode }> {
  const mode = KEY_PATTERN.exec(text.trim())?.[1];
  if (mode !== 'test' && mode !== 'live') throw usage('That is no API key.', KEY_FORM);
  return { apiKey: text.trim(), mode };
}

function readUrl({ env }: AccessDeps, { url, allowHttp }: AccessOptions): string {
  const text = url ?? (env.KAFUE_URL || URL_DEFAULT);
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  if (parsed === undefined || !['http:', 'https:'].includes(parsed.protocol)) {
    throw usage('The address of the service is not valid.', 'Give --url https://…');
  }
  const isClear = parsed.protocol === 'http:' && !LOOPBACK_HOSTS.includes(parsed.hostname);
  if (isClear && allowHttp !== true) {
    throw usage(
      'Without https, others on the network could read the API key.',
      'Give an address with https, or --allow-http when the network is your own.',
    );
  }
  return text;
}

async function readDemo(deps: AccessDeps, options: AccessOptions): Promise<Access> {
  const path = join(deps.env.DATA_DIR || 'data', 'demo.json');
  const demo = await readJson(path);
  const wallets = memberOf(memberOf(demo, 'wallets'), 'test');
  const [key, baseUrl] = [memberOf(demo, 'testKey'), memberOf(demo, 'baseUrl')];
  const [zm, ng] = [memberOf(wallets, 'ZMW'), memberOf(wallets, 'NGN')];
  if (![key, baseUrl, zm, ng].every((text) => typeof text === 'string')) {
    throw usage('There is no demo here.', `npm start makes one, in ${path}. Start it first.`);
  }
  const url = options.url ?? String(baseUrl);
  return {
    ...readKey(String(key)),
    baseUrl: readUrl(deps, { ...options, url }),
    walletIds: { zm: String(zm), ng: String(ng) },
  };
}

async function readJson(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'));
  } catch {
    return undefined;
  }
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
}
