import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Dispatcher } from 'undici';
import { Exchange, type ExchangeEnd, type LineRequest } from './exchange.ts';

const REQUEST: LineRequest = {
  method: 'POST',
  path: '/',
  headers: {},
  body: '{}',
  timeoutMs: 60_000,
  readBytesMax: 1,
};

/** As undici has it when it is about to write. */
function controller(): Dispatcher.DispatchController {
  return {
    aborted: false,
    paused: false,
    reason: null,
    abort: () => undefined,
    pause: () => undefined,
    resume: () => undefined,
  };
}

it('is not begun once it has ended: "not sent" was already said', () => {
  const replies: ExchangeEnd[] = [];
  const exchange = new Exchange(REQUEST, (reply) => replies.push(reply));
  exchange.giveUp('DEADLINE');
  assert.throws(() => exchange.onRequestStart(controller()), /not begun/);
  exchange.onResponseError(controller(), new Error('not begun'));
  assert.deepEqual(replies, [{ kind: 'notSent', code: 'DEADLINE', wasKept: false }]);
});

it('is lost from its beginning on, for any end', () => {
  const replies: ExchangeEnd[] = [];
  const exchange = new Exchange(REQUEST, (reply) => replies.push(reply));
  exchange.onRequestStart(controller());
  exchange.onResponseError(controller(), new Error('anything'));
  assert.deepEqual(
    replies.map(({ kind }) => kind),
    ['lost'],
  );
});
