import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AnswerReader } from './answer-reader.ts';

const LENGTH = 'HTTP/1.1 404 Not Found\r\nX-Request-Id: 7\r\ncontent-length: 5\r\n\r\nhello';
const CHUNKS =
  'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n';
const CONTINUE = 'HTTP/1.1 100 Continue\r\n\r\n';

describe('the reader of answers', () => {
  it('reads answers one after the other, however they are split', () => {
    const bytes = Buffer.from(CONTINUE + LENGTH + CHUNKS + LENGTH);
    for (const size of [1, 7, bytes.length]) {
      const reader = new AnswerReader();
      const answers = [];
      for (let at = 0; at < bytes.length; at += size) {
        answers.push(...reader.push(bytes.subarray(at, at + size)));
      }
      assert.deepEqual(
        answers.map(({ status, body }) => [status, body.toString()]),
        [
          [404, 'hello'],
          [200, 'abcde'],
          [404, 'hello'],
        ],
      );
      assert.equal(answers[0]?.headers.get('x-request-id'), '7');
      assert.equal(reader.rest.length, 0);
    }
  });

  it('keeps incomplete answers', () => {
    const reader = new AnswerReader();
    assert.deepEqual(reader.push(Buffer.from(LENGTH.slice(0, -1))), []);
    assert.equal(reader.rest.length, LENGTH.length - 1);
  });
});
