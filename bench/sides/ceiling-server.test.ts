import assert from 'node:assert/strict';
import { it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startServer } from './server-process.ts';

it('the ceiling answers an order with 201: an answer that does not fit its schema is a 500', async () => {
  const { signal } = new AbortController();
  const script = fileURLToPath(new URL('ceiling-server.ts', import.meta.url));
  const server = await startServer({ script, port: undefined, env: {}, signal });
  try {
    const url = `http://127.0.0.1:${server.port}/api/v1/payments/transfers/mobile-money`;
    const body = JSON.stringify({
      amount: 12.5,
      reference: 'order-1',
      phone: '+260977433571',
      operator: 'airtel',
      country: 'zm',
      walletId: '00000000-0000-4000-8000-000000000001',
      narration: 'Salary',
      recipientName: 'Mary Phiri',
    });
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(url, { method: 'POST', headers, body });
    assert.equal(response.status, 201, await response.text());
  } finally {
    await server.kill();
  }
});
