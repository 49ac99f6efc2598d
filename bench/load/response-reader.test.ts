import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Answer, ResponseReader } from './response-reader.ts';

const CREATED =
  'HTTP/1.1 201 Created\r\ndate: now\r\ncontent-length: 12\r\nx: y\r\n\r\n{"id":"äx"}';
const EMPTY = 'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\n\r\n';

function statusesOf(pieces: readonly Buffer[]): number[] {
  const statuses: number[] = [];
  const reader = new ResponseReader(({ status }) => statuses.push(status));
  for (const piece of pieces) reader.push(piece);
  return statuses;
}

describe('the response reader', () => {
  it('reports every answer once, however the bytes are split', () => {
    const bytes = Buffer.from(CREATED + EMPTY + CREATED);
    for (let first = 0; first <= bytes.length; first += 1) {
      for (let second = first; second <= bytes.length; second += 7) {
        const pieces = [
          bytes.subarray(0, first),
          bytes.subarray(first, second),
          bytes.subarray(second),
        ];
        assert.deepEqual(statusesOf(pieces), [201, 503, 201], `cut at ${first} and ${second}`);
      }
    }
  });

  it('notices whether a refusal has Retry-After', () => {
    const seen: Answer[] = [];
    const reader = new ResponseReader((answer) => seen.push(answer));
    const patient = EMPTY.replace('\r\n\r\n', '\r\nRetry-After: 7\r\n\r\n');
    reader.push(Buffer.from(EMPTY + patient));
    assert.deepEqual(seen, [
      { status: 503, retryAfterSeconds: null },
      { status: 503, retryAfterSeconds: 7 },
    ]);
  });

  it('waits for the last byte of the body', () => {
    const bytes = Buffer.from(CREATED);
    assert.deepEqual(statusesOf([bytes.subarray(0, -1)]), []);
  });

  it('does not guess where an answer without a length ends', () => {
    const chunked = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
    assert.throws(() => statusesOf([Buffer.from(chunked)]), /cannot be read/);
  });
});
