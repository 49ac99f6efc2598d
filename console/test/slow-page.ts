import type { BrowserContext, Page } from 'playwright-core';

/** Names what is slow, to find tests and screens that rely on speed: `network`, `processor`, `stream`, or several. */
const SLOW_VARIABLE = 'KAFUE_SLOW';
const DELAY_MIN_MS = 300;
const DELAY_MAX_MS = 1_500;
const PROCESSOR_SLOWER_BY = 6;

/** Makes the page as slow as KAFUE_SLOW says; without it nothing is changed. */
export async function slowDown(context: BrowserContext, page: Page): Promise<void> {
  const slow = (process.env[SLOW_VARIABLE] ?? '').split(',');
  if (slow.includes('network')) await delayCalls(context);
  if (slow.includes('stream')) await cutStreams(context);
  if (slow.includes('processor')) {
    const session = await context.newCDPSession(page);
    await session.send('Emulation.setCPUThrottlingRate', { rate: PROCESSOR_SLOWER_BY });
  }
}

/** Every call is sent late, and some overtake others. */
async function delayCalls(context: BrowserContext): Promise<void> {
  await context.route('**/api/**', async (route) => {
    const delayMs = DELAY_MIN_MS + Math.random() * (DELAY_MAX_MS - DELAY_MIN_MS);
    await new Promise((resolve) => setTimeout(resolve, delayMs));
    // The page may be gone by now.
    await route.continue().catch(() => undefined);
  });
}

/** The stream of changes opens late, and is cut again after a few seconds. */
async function cutStreams(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const send = window.fetch;
    window.fetch = async (address, options) => {
      const isStream = typeof address === 'string' && address.endsWith('/stream');
      if (!isStream) return send(address, options);
      await new Promise((resolve) => setTimeout(resolve, 500 + Math.random() * 2_000));
      const cut = AbortSignal.timeout(1_000 + Math.random() * 4_000);
      const signal = options?.signal ? AbortSignal.any([options.signal, cut]) : cut;
      return send(address, { ...options, signal });
    };
  });
}
