import { type KafueOptions, readOptions } from './read-options.ts';
import { Accounts } from './resources/accounts.ts';
import { Approvals } from './resources/approvals.ts';
import { Events } from './resources/events.ts';
import { Limits } from './resources/limits.ts';
import { Lists } from './resources/lists.ts';
import { Operators } from './resources/operators.ts';
import { PayoutFiles } from './resources/payout-files.ts';
import { Policies } from './resources/policies.ts';
import { Recipients } from './resources/recipients.ts';
import { Schedules } from './resources/schedules.ts';
import { Screeners } from './resources/screeners.ts';
import { Transfers } from './resources/transfers.ts';
import { Wallets } from './resources/wallets.ts';
import { Webhooks } from './resources/webhooks.ts';
import { createTransport } from './transport.ts';

/** The merchant API. One is enough for a program, and any number of calls can be under way in it. */
export class Kafue {
  readonly transfers: Transfers;
  readonly payoutFiles: PayoutFiles;
  readonly recipients: Recipients;
  readonly accounts: Accounts;
  readonly schedules: Schedules;
  readonly wallets: Wallets;
  readonly operators: Operators;
  readonly policy: Policies;
  readonly webhooks: Webhooks;
  readonly events: Events;
  readonly lists: Lists;
  readonly limits: Limits;
  readonly screeners: Screeners;
  readonly approvals: Approvals;

  constructor(options: KafueOptions) {
    const settings = readOptions(options);
    const now = () => Date.now();
    const transport = createTransport(
      {
        // Looked up at each call, so that a program can replace the global one.
        fetch: options.fetch ?? ((url, init) => globalThis.fetch(url, init)),
        now,
        random: () => Math.random(),
        newIdempotencyKey: () => globalThis.crypto.randomUUID(),
        pause,
      },
      settings,
    );
    this.transfers = new Transfers(transport, { now, pause });
    this.payoutFiles = new PayoutFiles(transport, { now, pause });
    this.recipients = new Recipients(transport);
    this.accounts = new Accounts(transport);
    this.schedules = new Schedules(transport);
    this.wallets = new Wallets(transport);
    this.operators = new Operators(transport);
    this.policy = new Policies(transport);
    this.webhooks = new Webhooks(transport);
    this.events = new Events(transport);
    this.lists = new Lists(transport);
    this.limits = new Limits(transport);
    this.screeners = new Screeners(transport);
    this.approvals = new Approvals(transport);
  }
}

function pause(ms: number, signal: AbortSignal | undefined): Promise<void> {
  // A signal that has spoken does not speak again.
  if (signal?.aborted) return Promise.resolve();
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end, { once: true });
  });
}
