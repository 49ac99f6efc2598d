import { JSON_TYPE, writeRequest } from '../attacker/write-request.ts';
import { type Kind, randomLetters } from './kind.ts';

/** Callbacks without a valid token, and malformed ones with it. */
export const CALLBACKS: readonly Kind[] = [
  {
    name: 'callback: unknown route',
    make: ({ random }) =>
      writeRequest({
        method: random.pick(['POST', 'PUT']),
        path: `/callbacks/${randomLetters(random, random.between(1, 500))}/${randomLetters(random, 30)}`,
        headers: [JSON_TYPE],
        body: '{}',
      }),
  },
  {
    name: 'callback: wrong token',
    make: ({ random, target }) =>
      writeRequest({
        method: 'POST',
        path: `/callbacks/${target.callbackRoute}/${random.pick(['', 'x', '%00', '%ff', randomLetters(random, 400)])}`,
        headers: [JSON_TYPE],
        body: '{}',
      }),
  },
  {
    name: 'callback: wrong method',
    make: ({ random, target }) =>
      writeRequest({
        method: random.pick(['GET', 'DELETE', 'PATCH', 'OPTIONS']),
        path: `/callbacks/${target.callbackRoute}/${target.callbackToken}`,
      }),
  },
  {
    name: 'callback: too large',
    make: ({ target }) =>
      writeRequest({
        method: 'POST',
        path: `/callbacks/${target.callbackRoute}/${target.callbackToken}`,
        headers: [JSON_TYPE],
        body: 'x'.repeat(65_537),
      }),
  },
  {
    name: 'callback: rubbish with the right token',
    mayAccept: true,
    make: ({ random, target }) =>
      writeRequest({
        method: 'POST',
        path: `/callbacks/${target.callbackRoute}/${target.callbackToken}`,
        headers: [random.pick([JSON_TYPE, 'content-type: text/xml', 'x-none: 1'])],
        body: random.pick([
          '',
          '{',
          '\0\0',
          '{"externalId":"\\u0000"}',
          '<a>',
          `{"externalId":"${randomLetters(random, 500)}"}`,
        ]),
      }),
  },
];
