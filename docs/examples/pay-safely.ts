import { Kafue, KafueError, type Transfer, type TransferInput } from 'kafue';

const kafue = new Kafue({ apiKey: process.env.KAFUE_KEY ?? '', baseUrl: process.env.KAFUE_URL });

/** Pays an order once, however often it is called with it. */
async function paySafely(order: TransferInput): Promise<Transfer> {
  try {
    // A lost answer, a 429 or a 503: this waits, and sends the same again, up to 3 times.
    return await kafue.transfers.create(order);
  } catch (error) {
    const { transfer, samePayload } = error instanceof KafueError ? error.data : {};
    // An earlier run had sent it, and did not live to hear of it.
    if (transfer !== undefined && samePayload === true) return transfer;
    throw error;
  }
}

function advise(error: KafueError): string {
  if (isOpen(error)) return 'Not known yet: run this again, with the same reference.';
  if (error.code === 'DUPLICATE_REFERENCE') return 'The stored order differs: compare the two.';
  return `This run paid nothing. Mend this, then run it again with the same reference: ${error.message}`;
}

/** Whether the order may have been stored, or may be when it is sent again. */
function isOpen(error: KafueError): boolean {
  return error.retryable || error.mayHaveBeenDone;
}

const [reference = '', amount = ''] = process.argv.slice(2);
try {
  const transfer = await paySafely({
    reference, // The name that the order has in your own records. Never a new one for a second try.
    amount: Number(amount),
    phone: '0977433571',
    operator: 'airtel',
    country: 'zm',
    walletId: process.env.WALLET_ID ?? '',
  });
  console.log(`${reference} is transfer ${transfer.id}`);
} catch (error) {
  if (!(error instanceof KafueError)) throw error;
  console.log(`${error.code}. ${advise(error)}`);
  process.exitCode = isOpen(error) ? 75 : 1; // 75 says "try again later" to cron and its like.
}
