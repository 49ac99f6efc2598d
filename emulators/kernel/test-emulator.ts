import { join } from 'node:path';
import { type EmulatorOptions, type RunningEmulator, startEmulator } from './emulator-server.ts';
import { kindOfPlainCall, listenToPlainPayout, plainProtocol } from './plain-protocol.ts';
import type { PresetName } from './presets.ts';

/** Emulated times are divided by 1,000: 90 s take 90 ms. */
const TIME_SCALE = 0.001;

export type TestEmulator = RunningEmulator & AsyncDisposable;

/** For tests: an emulator that speaks the plain protocol. */
export async function startPlainEmulator(
  folder: string,
  more: Partial<EmulatorOptions> = {},
): Promise<TestEmulator> {
  const emulator = await startEmulator({
    name: 'plain',
    port: 0,
    journalPath: join(folder, 'plain.jsonl'),
    timeScale: TIME_SCALE,
    protocol: plainProtocol,
    kindOf: kindOfPlainCall,
    resume: (payout, context) => void listenToPlainPayout(payout, context),
    ...more,
  });
  return { ...emulator, [Symbol.asyncDispose]: emulator.close };
}

export function pay(
  { url }: RunningEmulator,
  order: Readonly<{ reference?: string; callbackUrl?: string; amountMinor?: string }> = {},
): Promise<Response> {
  const body = JSON.stringify({
    reference: 'r1',
    msisdn: '260966000001',
    amountMinor: '15050',
    ...order,
  });
  return fetch(`${url}/pay`, { method: 'POST', body });
}

export async function payAs(emulator: RunningEmulator, preset: PresetName): Promise<Response> {
  emulator.chooser.setRules([{ match: {}, preset }]);
  return pay(emulator, { reference: preset });
}

/** The socket's error for a request that got no complete answer. */
export async function failureOf(answer: Promise<Response>): Promise<string> {
  try {
    await (await answer).text();
    return 'answered';
  } catch (error) {
    const cause = error instanceof Error ? error.cause : undefined;
    return cause instanceof Error && 'code' in cause ? String(cause.code) : String(error);
  }
}
