import { createServer } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { KafueWebhookError, type Transfer, verifyScreening } from 'kafue';

const secret = process.env.KAFUE_SCREENER_SECRET ?? '';
const refusedNumbers = new Set(['+260977000001']);

function decide({ phone, amount, recipientName }: Transfer) {
  if (refusedNumbers.has(phone)) return { decision: 'refuse', reason: 'on our list' };
  if (recipientName === null) return { decision: 'hold', reason: 'no name was given' };
  return { decision: 'allow', reason: `${amount} is usual` };
}

const server = createServer(async (request, response) => {
  try {
    // The signature is over the bytes as they came.
    const payload = await buffer(request);
    const question = await verifyScreening({ payload, headers: request.headers, secret });
    const answer = decide(question.transfer);
    console.log(question.rule, question.transfer.reference, answer.decision);
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  } catch (error) {
    response.writeHead(error instanceof KafueWebhookError ? 400 : 500).end();
  }
});
server.listen(Number(process.env.RECEIVER_PORT ?? 8080), '127.0.0.1');
