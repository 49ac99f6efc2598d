import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import type { Country, Operator } from '../../service/src/domain/operator.ts';
import { TransferObject } from '../../service/src/http/schemas/transfer-schema.ts';
import { envelopeOf } from '../../service/src/http/server/envelope-schema.ts';
import type { renderTransfer } from '../../service/src/views/render-transfer.ts';

/**
 * The best that a web server of this kind can do: a bare Fastify that parses the same body, answers at once with the
 * same object through the same schema, and does nothing else. It validates nothing, checks no key and stores nothing,
 * so a server that does cannot reach it.
 */
type TransferBody = Readonly<{
  amount: number;
  reference: string;
  phone: string;
  operator: Operator;
  country: Country;
  walletId: string;
  narration: string;
  recipientName: string;
}>;

const app = Fastify({ logger: false });

app.get('/health/ready', () => ({ status: 'ready' }));

app.post<{ Body: TransferBody }>(
  '/api/v1/payments/transfers/mobile-money',
  { schema: { response: { 201: envelopeOf(TransferObject) } } },
  (request, reply) => {
    const { body } = request;
    const at = new Date().toISOString();
    const data: ReturnType<typeof renderTransfer> = {
      id: randomUUID(),
      type: 'mobile-money',
      reference: body.reference,
      status: 'pending',
      state: 'submitting',
      amount: body.amount,
      fee: 0,
      currency: 'ZMW',
      walletId: body.walletId,
      phone: body.phone,
      operator: body.operator,
      country: body.country,
      recipientName: body.recipientName,
      narration: body.narration,
      metadata: null,
      sendAt: null,
      source: 'api',
      policyVersion: null,
      rules: [],
      contentHash: null,
      approval: null,
      payoutFileId: null,
      replaces: null,
      operatorTransactionId: null,
      failure: null,
      mode: 'test',
      createdAt: at,
      updatedAt: at,
      completedAt: null,
    };
    reply.code(201).send({ status: true, message: 'Transfer initiated', data });
  },
);

await app.listen({ host: '127.0.0.1', port: Number(process.env.PORT) });
