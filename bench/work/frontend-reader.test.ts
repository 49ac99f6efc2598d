import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FrontendReader } from './frontend-reader.ts';

const START = withLength(Buffer.from('\0\x03\0\0user\0kafue\0\0', 'latin1'));

describe('FrontendReader', () => {
  it('reports statements by their name, and by their text where they have none', () => {
    const found = read([
      START,
      message('P', 'store-transfers\0select $1\0\0\0'),
      message('B', '\0store-transfers\0\0\0'),
      message('P', '\0select\n   now()\0\0\0'),
      message('B', '\0\0\0\0'),
      message('S', ''),
      message('B', 'portal\0store-transfers\0\0\0'),
      message('Q', 'begin\0'),
    ]);
    assert.deepEqual(found, ['store-transfers', 'select now()', 'store-transfers', 'begin']);
  });

  it('reads messages that arrive in pieces', () => {
    const bytes = Buffer.concat([START, message('B', '\0one\0\0\0'), message('Q', 'commit\0')]);
    for (let cut = 1; cut < bytes.length; cut += 1) {
      assert.deepEqual(read([bytes.subarray(0, cut), bytes.subarray(cut)]), ['one', 'commit']);
    }
    assert.deepEqual(read([...bytes].map((byte) => Buffer.of(byte))), ['one', 'commit']);
  });
});

function read(pieces: readonly Buffer[]): readonly string[] {
  const found: string[] = [];
  const reader = new FrontendReader((statement) => found.push(statement));
  for (const piece of pieces) reader.read(piece);
  return found;
}

function message(letter: string, body: string): Buffer {
  return Buffer.concat([Buffer.from(letter), withLength(Buffer.from(body))]);
}

function withLength(body: Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(body.length + length.length);
  return Buffer.concat([length, body]);
}
