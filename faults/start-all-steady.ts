import { join } from 'node:path';
import type { ExchangeDeps } from './clients/exchange.ts';
import { type SteadyMerchant, startSteady } from './clients/run-steady.ts';
import { type ExchangeRecord, STEADY_FOLDER } from './journal/exchange-record.ts';
import { openJournal } from './journal/open-journal.ts';
import { pausesServices } from './plan/plan.ts';
import type { TestSystem } from './target/test-system.ts';

/** Starts the merchants that order payouts in each cell, each with a journal of its own. */
export async function startAllSteady(
  { steady, system }: Readonly<{ steady: readonly SteadyMerchant[]; system: TestSystem }>,
  { proxyPort, now }: Pick<ExchangeDeps, 'proxyPort' | 'now'>,
) {
  const { seed, cells } = system.plan;
  if (cells === undefined) return [];
  const isPausing = pausesServices(system.plan.system);
  return Promise.all(
    steady.map(async (merchant) => {
      const path = join(system.folder, STEADY_FOLDER, `${merchant.name}.jsonl`);
      const journal = await openJournal<ExchangeRecord>(path, { isFlushed: false });
      let exchanges = 0;
      const deps = { journal, proxyPort, now, nextExchange: () => (exchanges += 1) };
      const client = startSteady(deps, { merchant, operator: cells.operator, seed, isPausing });
      return { merchant, client, journal };
    }),
  );
}
