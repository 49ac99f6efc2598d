import { argon2, timingSafeEqual } from 'node:crypto';
import { createTurns } from '../background/turns.ts';
import { refuse } from '../domain/refusal.ts';

/** argon2id as OWASP advises for little memory: 19 MiB, 2 passes, 1 thread each. About 40 ms of one core. */
export const ARGON2_PARAMETERS = { memoryKib: 19_456, passes: 2, parallelism: 1 } as const;
/** Each takes 19 MiB and a thread of the pool, which has 4: the others stay free for files and names. */
export const HASHES_AT_ONCE_MAX = 2;
/** A second of work. Past it the answer is 503 at once, so that a flood takes neither memory nor time. */
export const HASHES_WAITING_MAX = 50;
const SALT_BYTES = 16;
const HASH_BYTES = 32;
const STORED = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,3}),p=(\d{1,2})\$([\w+/]+)\$([\w+/]+)$/;

export type PasswordHasher = Readonly<{
  /** What is stored, with its parameters and a salt. */
  hash(password: string): Promise<string>;
  /** Undefined: there is no such person or password. It takes as long and is false, so that time tells nothing. */
  verify(password: string, stored: string | undefined): Promise<boolean>;
}>;

type Argon2Parameters = Readonly<{ memoryKib: number; passes: number; parallelism: number }>;
type HasherDeps = Readonly<{ randomBytes: (size: number) => Uint8Array }>;

/** Hashes outside the main thread, so many at once and no more. */
export function createPasswordHasher(
  { randomBytes }: HasherDeps,
  parameters: Argon2Parameters = ARGON2_PARAMETERS,
): PasswordHasher {
  const turns = createTurns(HASHES_AT_ONCE_MAX);

  async function derive(password: string, salt: Uint8Array, by: Argon2Parameters): Promise<Buffer> {
    if (turns.waiting() >= HASHES_WAITING_MAX) throw refuse('UNAVAILABLE');
    const endTurn = await turns.take();
    try {
      return await runArgon2(password, salt, by);
    } finally {
      endTurn();
    }
  }

  return {
    async hash(password) {
      const salt = randomBytes(SALT_BYTES);
      return write(parameters, salt, await derive(password, salt, parameters));
    },
    async verify(password, stored) {
      const read = stored === undefined ? undefined : readStored(stored);
      const salt = read?.salt ?? randomBytes(SALT_BYTES);
      const derived = await derive(password, salt, read?.parameters ?? parameters);
      return read !== undefined && timingSafeEqual(derived, read.hash);
    },
  };
}

function runArgon2(password: string, salt: Uint8Array, by: Argon2Parameters): Promise<Buffer> {
  const options = {
    // The same characters have several spellings in Unicode, and keyboards differ.
    message: password.normalize('NFKC'),
    nonce: salt,
    parallelism: by.parallelism,
    tagLength: HASH_BYTES,
    memory: by.memoryKib,
    passes: by.passes,
  };
  return new Promise((resolve, reject) => {
    argon2('argon2id', options, (error, derived) => {
      if (error === null) resolve(derived);
      else reject(error);
    });
  });
}

/** In the usual form: `$argon2id$v=19$m=19456,t=2,p=1$salt$hash`. */
function write(
  { memoryKib, passes, parallelism }: Argon2Parameters,
  salt: Uint8Array,
  hash: Buffer,
) {
  const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64').replace(/=+$/, '');
  return `$argon2id$v=19$m=${memoryKib},t=${passes},p=${parallelism}$${base64(salt)}$${base64(hash)}`;
}

function readStored(stored: string) {
  const [, memory, passes, parallelism, salt = '', hash = ''] = STORED.exec(stored) ?? [];
  if (memory === undefined) throw new Error('a stored password hash is not of argon2id');
  const bytes = Buffer.from(hash, 'base64');
  if (bytes.length !== HASH_BYTES) throw new Error('a stored password hash has another length');
  return {
    parameters: {
      memoryKib: Number(memory),
      passes: Number(passes),
      parallelism: Number(parallelism),
    },
    salt: Buffer.from(salt, 'base64'),
    hash: bytes,
  };
}
