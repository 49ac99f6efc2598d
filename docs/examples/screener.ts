import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { KafueWebhookError, type Transfer, verifyScreening } from 'kafue';

const secret = process.env.KAFUE_SCREENER_SECRET ?? '';
const refusedNumbers = new Set(['+260977000001']);

function decide({ phone, amount, recipientName }: Transfer) {
  if (refusedNumbers.has(phone)) return { decision: 'refuse', reason: 'on our list' };
  if (recipientName === null) return { decision: 'hold', reason: 'no name was given' };
  return { decision: 'allow', reason: `${amount} is usual` };
}

async function answer(request: IncomingMessage, response: ServerResponse) {
  try {
    // The signature is over the bytes as they came.
    const payload = await buffer(request);
    const question = await verifyScreening({ payload, headers: request.headers, secret });
    const decided = decide(question.transfer);
    console.log(question.rule, question.transfer.reference, decided.decision);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(decided));
  } catch (error) {
    response.writeHead(error instanceof KafueWebhookError ? 400 : 500).end();
  }
}

const server = createServer((request, response) => void answer(request, response));
server.listen(Number(process.env.RECEIVER_PORT ?? 8080), '127.0.0.1');
