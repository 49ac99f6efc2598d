import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { keysOf, routeOf, startServer, TEST_KEY } from '../../test/http-server.ts';
import { refuseCell } from '../cells/cell.ts';
import { serveCells } from './serve-cells.ts';
import type { ApiAnswer } from './server/api-operation.ts';

const answer = (word: string): ApiAnswer => ({ status: 200, message: 'Done', data: { word } });
const keyIn = (cell: string) => ({ ...TEST_KEY, book: { ...TEST_KEY.book, cell } });

const operationsOf = (cell: string) => ({
  operations: {
    book: ['things', 'others'].map((name) =>
      routeOf({ path: `/${name}`, operationId: name }, async () => answer(`${name} of ${cell}`)),
    ),
    bookPeople: [],
  },
});

describe('the operations of a book', () => {
  it('are handled by the cell of the caller, and a cell that cannot be reached answers 503', async () => {
    const cells = new Map(['main', 'east'].map((name) => [name, operationsOf(name)]));
    const find = (name: string) => {
      const found = cells.get(name);
      if (found === undefined) throw refuseCell();
      return found;
    };
    const { book } = serveCells(operationsOf('described').operations, find);
    const server = await startServer(book, {
      authenticator: keysOf({ m: keyIn('main'), e: keyIn('east'), w: keyIn('west') }),
    });
    const call = async (path: string, key: string) => {
      const headers = { 'x-api-key': key };
      const {
        status,
        text,
        headers: got,
      } = await server.send({
        path: `/api/v1/payments/${path}`,
        headers,
      });
      const { data } = JSON.parse(text) as {
        data: { word?: string; error?: { code: string; retryable: boolean } };
      };
      return [status, data.word ?? data.error?.code, got['retry-after']];
    };
    try {
      assert.deepEqual(await call('things', 'm'), [200, 'things of main', undefined]);
      assert.deepEqual(await call('others', 'm'), [200, 'others of main', undefined]);
      assert.deepEqual(await call('others', 'e'), [200, 'others of east', undefined]);
      assert.deepEqual(await call('things', 'w'), [503, 'CELL_UNAVAILABLE', '5']);
      cells.set('west', operationsOf('west'));
      assert.deepEqual(await call('things', 'w'), [200, 'things of west', undefined]);
    } finally {
      await server.stop();
    }
  });
});
