import { DatabaseSync } from 'node:sqlite';
import Fastify from 'fastify';
import { KafueWebhookError, verifyWebhook } from 'kafue';

// One secret; or the new and the old one with a comma between, while you rotate.
const secrets = (process.env.KAFUE_WEBHOOK_SECRETS ?? '').split(',');

// An event may come twice, also after a restart. The inbox keeps it once, by its webhook-id.
const inbox = new DatabaseSync('data/inbox.db');
inbox.exec('create table if not exists inbox (id text primary key, body text)');
const keep = inbox.prepare('insert or ignore into inbox (id, body) values (?, ?)');

const app = Fastify();
// The signature is over the bytes as they came, so they must not be parsed before.
app.removeAllContentTypeParsers();
app.addContentTypeParser(
  '*',
  { parseAs: 'buffer' },
  async (_request: unknown, body: Buffer) => body,
);

app.post<{ Body: Buffer }>('/kafue', async ({ body, headers }, reply) => {
  try {
    const event = await verifyWebhook({ payload: body, headers, secrets });
    const isNew = keep.run(event.id, body.toString()).changes === 1;
    console.log(isNew ? 'new' : 'known', event.type, event.id);
    // Answer now. Another part of your program works through the inbox.
    return reply.code(204).send();
  } catch (error) {
    if (error instanceof KafueWebhookError) return reply.code(400).send();
    throw error; // 500: not kept, so let it come again.
  }
});

await app.listen({ host: '127.0.0.1', port: Number(process.env.RECEIVER_PORT ?? 8080) });
