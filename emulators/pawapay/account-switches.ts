import { answerJson, type OperatorRequest, type PlainAnswer } from '../kernel/answer.ts';
import type { EmulatorContext } from '../kernel/emulator-context.ts';
import { isJsonObject } from '../kernel/read-json-object.ts';
import { checkUrl, type MerchantAccount, statusOfProvider } from './merchant-account.ts';
import { releaseQueue } from './payout-queue.ts';
import { AVAILABILITY_STATUSES, type Availability } from './providers.ts';

/** Paths that pawaPay does not have, for settings that only this emulator has. */
export const SWITCH_PREFIX = '/_pawapay/';

const NO_CONTENT: PlainAnswer = { status: 204 };

/** Sets the named providers. Enqueued payouts of providers that work again continue. */
export async function switchAvailability(
  account: MerchantAccount,
  context: EmulatorContext,
  changes: Availability,
): Promise<void> {
  const known = account.providers.map(({ provider }) => provider);
  const unknown = Object.keys(changes).find((provider) => !known.includes(provider));
  if (unknown !== undefined) throw new RangeError(`no provider ${unknown}`);
  for (const [provider, status] of Object.entries(changes)) {
    account.availability.set(provider, status);
  }
  await releaseQueue(account, context);
}

export async function answerSwitch(
  account: MerchantAccount,
  context: EmulatorContext,
  { method, path, body }: OperatorRequest,
): Promise<PlainAnswer> {
  try {
    switch (`${method} ${path.slice(SWITCH_PREFIX.length)}`) {
      case 'GET availability':
        return answerJson(200, availabilityOf(account));
      case 'PUT availability':
        await switchAvailability(account, context, readAvailability(body));
        return NO_CONTENT;
      case 'PUT callback-url':
        account.callbackUrl = readCallbackUrl(body);
        return NO_CONTENT;
      default:
        return answerJson(404, {
          message: 'not one of: GET availability, PUT availability, PUT callback-url',
        });
    }
  } catch (error) {
    return answerJson(400, { message: error instanceof Error ? error.message : String(error) });
  }
}

function availabilityOf(account: MerchantAccount): Availability {
  return Object.fromEntries(
    account.providers.map((provider) => [provider.provider, statusOfProvider(account, provider)]),
  );
}

function readObject(body: Buffer): Readonly<Record<string, unknown>> {
  const value: unknown = JSON.parse(body.toString('utf8'));
  if (!isJsonObject(value)) throw new TypeError('the body is not an object');
  return value;
}

function readAvailability(body: Buffer): Availability {
  return Object.fromEntries(
    Object.entries(readObject(body)).map(([provider, written]) => {
      const status = AVAILABILITY_STATUSES.find((known) => known === written);
      if (status === undefined) throw new RangeError(`no status ${String(written)}`);
      return [provider, status];
    }),
  );
}

/** `{"url": null}` ends callbacks. */
function readCallbackUrl(body: Buffer): string | null {
  const { url } = readObject(body);
  if (url === null) return null;
  if (typeof url !== 'string') throw new TypeError('url is neither text nor null');
  return checkUrl(url);
}
