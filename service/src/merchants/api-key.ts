import { hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { Mode } from '../domain/transfer.ts';

/**
 * An API key is `sk_test_` or `sk_live_`, then the secret, then the CRC32 of both. The prefix lets
 * people and secret scanners see what it is; the checksum lets garbage be refused without a query.
 */
const PREFIX_BY_MODE: Readonly<Record<Mode, string>> = { test: 'sk_test_', live: 'sk_live_' };
const PREFIX_LENGTH = 8;

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
/** 27 characters of 62 are 160.7 random bits. */
const SECRET_LENGTH = 27;
/** 62^6 is more than 2^32, so every CRC32 fits. */
const CHECKSUM_LENGTH = 6;
const KEY_LENGTH = PREFIX_LENGTH + SECRET_LENGTH + CHECKSUM_LENGTH;

/** Bytes from here on are thrown away: taking 256 values modulo 62 would favour the first eight. */
const BYTE_FAIR_BELOW = 248;
const BYTES_PER_DRAW = 40;
/** A draw yields 38 characters on average; a source that needs this many draws is not random. */
const DRAWS_MAX = 20;

const HINT_SHOWN_LENGTH = 4;

export type ApiKey = Readonly<{
  /** The key itself. Shown once, when it is created, and never stored. */
  text: string;
  hash: string;
  hint: string;
}>;

export function createApiKey(mode: Mode, randomBytes: (size: number) => Uint8Array): ApiKey {
  const body = PREFIX_BY_MODE[mode] + randomBase62(randomBytes);
  const text = body + checksumOf(body);
  return { text, hash: hashOf(text), hint: hintOf(text) };
}

/**
 * The mode and hash of a well-formed key; undefined for anything else. The length is compared first,
 * so garbage of any size is refused at once.
 */
export function readApiKey(text: string): Readonly<{ mode: Mode; hash: string }> | undefined {
  if (text.length !== KEY_LENGTH || !WELL_FORMED.test(text)) return undefined;
  const bodyLength = KEY_LENGTH - CHECKSUM_LENGTH;
  if (text.slice(bodyLength) !== checksumOf(text.slice(0, bodyLength))) return undefined;
  return { mode: text.startsWith(PREFIX_BY_MODE.live) ? 'live' : 'test', hash: hashOf(text) };
}

const WELL_FORMED = /^sk_(?:test|live)_[0-9A-Za-z]+$/;

// One SHA-256 is enough, without salt or stretching: those make guessing slow where people choose
// the secret, and 160 random bits cannot be guessed at any speed.
function hashOf(text: string): string {
  return hash('sha256', text, 'hex');
}

// What a person may see of it: enough to tell keys apart, and 112 unknown bits are left even so.
function hintOf(text: string): string {
  const shownFromStart = text.slice(0, PREFIX_LENGTH + HINT_SHOWN_LENGTH);
  return `${shownFromStart}…${text.slice(-HINT_SHOWN_LENGTH)}`;
}

function checksumOf(body: string): string {
  let rest = crc32(body);
  let digits = '';
  for (let index = 0; index < CHECKSUM_LENGTH; index += 1) {
    digits = BASE62.charAt(rest % BASE62.length) + digits;
    rest = Math.floor(rest / BASE62.length);
  }
  return digits;
}

function randomBase62(randomBytes: (size: number) => Uint8Array): string {
  let characters = '';
  for (let draw = 0; draw < DRAWS_MAX; draw += 1) {
    for (const byte of randomBytes(BYTES_PER_DRAW)) {
      if (byte >= BYTE_FAIR_BELOW) continue;
      characters += BASE62.charAt(byte % BASE62.length);
      if (characters.length === SECRET_LENGTH) return characters;
    }
  }
  throw new Error('the source of randomness is broken');
}
