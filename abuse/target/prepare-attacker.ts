import { callApi } from './call-api.ts';
import { runAdmin } from './run-admin.ts';

const NAME = 'Attacker';
/** As many as a page of a list holds, so that each answer is as long as possible. */
const TRANSFERS = 100;

/** Of an event that no attack causes, so that nothing is sent there. */
const WEBHOOK = { url: 'https://hooks.example.com/', events: ['wallet.low_balance'] } as const;

export type AttackingMerchant = Readonly<{
  apiKey: string;
  auditKey: string;
  walletId: string;
  webhook: Readonly<{ id: string; url: string }>;
}>;

/** Its own merchant, so that its limits are not those of the merchant that pays. */
export async function prepareAttacker(
  place: Readonly<{ tree: string; dataDir: string; port: number }>,
): Promise<AttackingMerchant> {
  const admin = <Answer>(...args: readonly string[]) => runAdmin<Answer>(place, args);
  await admin('merchants', 'create', NAME);
  const book = ['--merchant', NAME, '--mode', 'test'];
  const [key, audit, { wallet }] = await Promise.all([
    admin<CreatedKey>('keys', 'create', ...book),
    admin<CreatedKey>('keys', 'create', ...book, '--scope', 'read'),
    admin<{ wallet: { id: string } }>('wallets', 'create', ...book, '--currency', 'ZMW'),
  ]);
  await admin('wallets', 'fund', wallet.id, '1000000', '--reference', 'opening');
  const { apiKey } = key.key;
  const transfers = Array.from({ length: TRANSFERS }, (_, index) => ({
    amount: 1,
    reference: `listed-${index}`,
    phone: '0977433571',
    operator: 'airtel',
    country: 'zm',
    walletId: wallet.id,
    narration: 'listed again and again',
  }));
  const answer = await callApi(place.port, {
    method: 'POST',
    path: '/transfers/mobile-money/bulk',
    apiKey,
    body: { transfers },
  });
  if (answer.status !== 200) throw new Error(`the attacker's transfers: ${answer.status}`);
  const created = await callApi(place.port, {
    method: 'POST',
    path: '/webhooks',
    apiKey,
    body: WEBHOOK,
  });
  if (created.status !== 201) throw new Error(`the attacker's webhook: ${created.status}`);
  const { id } = created.data as { id: string };
  const webhook = { id, url: WEBHOOK.url };
  return { apiKey, auditKey: audit.key.apiKey, walletId: wallet.id, webhook };
}

type CreatedKey = Readonly<{ key: Readonly<{ apiKey: string }> }>;
