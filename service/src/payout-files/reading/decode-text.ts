import { isUtf8 } from 'node:buffer';
import { FileUnreadable } from './file-unreadable.ts';

/** Bytes that are looked at to tell UTF-16 without a mark from other encodings. */
const LOOKED_AT_BYTES = 4_096;
/** In UTF-16 every second byte of ordinary text is zero. */
const ZEROS_SHARE_MIN = 0.4;

/** The text of a CSV file: UTF-8 or UTF-16 with or without a byte order mark, else Windows-1252 as Excel writes it. */
export function decodeText(bytes: Uint8Array): string {
  const encoding = findEncoding(bytes);
  const text = new TextDecoder(encoding).decode(bytes);
  // A text file never has this character; a picture or a program does.
  if (text.includes('\0')) throw new FileUnreadable('NOT_A_TABLE');
  return text;
}

function findEncoding(bytes: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252' {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  const sample = bytes.subarray(0, LOOKED_AT_BYTES);
  const zeros = [0, 0];
  for (let at = 0; at < sample.length; at += 1) {
    if (sample[at] === 0) zeros[at % 2] = (zeros[at % 2] ?? 0) + 1;
  }
  const half = sample.length / 2;
  if ((zeros[1] ?? 0) > half * ZEROS_SHARE_MIN && zeros[0] === 0) return 'utf-16le';
  if ((zeros[0] ?? 0) > half * ZEROS_SHARE_MIN && zeros[1] === 0) return 'utf-16be';
  return isUtf8(bytes) ? 'utf-8' : 'windows-1252';
}
