import { answerJson, type OperatorRequest, type PlainAnswer } from './answer.ts';
import {
  readCallback,
  readMemory,
  readRules,
  readSeed,
  readThrottle,
  readWeather,
} from './control-bodies.ts';
import type { EmulatorParts } from './emulator-context.ts';

/** Outside every operator's own paths. */
export const CONTROL_PREFIX = '/_emulator/';

const NO_CONTENT: PlainAnswer = { status: 204 };

type Control = (parts: EmulatorParts, body: unknown) => Promise<PlainAnswer> | PlainAnswer;

const CONTROLS: Readonly<Record<string, Control>> = {
  'PUT rules': ({ context }, body) => {
    context.chooser.setRules(readRules(body));
    return NO_CONTENT;
  },
  'PUT seed': ({ context }, body) => {
    context.chooser.setSeed(readSeed(body));
    return NO_CONTENT;
  },
  'PUT weather': (parts, body) => {
    parts.weather = readWeather(body);
    return NO_CONTENT;
  },
  'PUT throttle': ({ gateway }, body) => {
    gateway.setThrottle(readThrottle(body));
    return NO_CONTENT;
  },
  'PUT memory': ({ context }, body) => {
    context.desk.setMemory(readMemory(body));
    return NO_CONTENT;
  },
  'GET calls': ({ gateway }) => answerJson(200, gateway.counts()),
  'GET submissions': ({ context }) => answerJson(200, { submissions: context.desk.submissions() }),
  'GET violations': ({ context }) => answerJson(200, { violations: context.desk.violations() }),
  'GET book': ({ context }) => answerJson(200, { entries: context.desk.book() }),
  'GET journal': ({ requests }) => answerJson(200, { requests: requests.all() }),
  'GET callbacks': ({ callbacks }) => answerJson(200, { callbacks: callbacks.all() }),
  'GET health': ({ context, weather }) =>
    answerJson(200, {
      name: context.name,
      weather,
      open: context.desk.open().length,
      executed: context.desk.book().length,
    }),
  'POST flush': async ({ context }) => answerJson(200, { executed: await context.desk.flush() }),
  'POST callback': async ({ context }, body) =>
    answerJson(200, await context.sendCallback(readCallback(body))),
};

/** Instructions for the emulator, and what it knows. A wrong one is refused by name, with 400. */
export async function answerControl(
  parts: EmulatorParts,
  request: OperatorRequest,
): Promise<PlainAnswer> {
  const control = CONTROLS[`${request.method} ${request.path.slice(CONTROL_PREFIX.length)}`];
  if (control === undefined) {
    return answerJson(404, { message: `not one of: ${Object.keys(CONTROLS).join(', ')}` });
  }
  try {
    return await control(parts, readBody(request.body));
  } catch (error) {
    return answerJson(400, { message: error instanceof Error ? error.message : String(error) });
  }
}

function readBody(body: Buffer): unknown {
  return body.length === 0 ? undefined : JSON.parse(body.toString('utf8'));
}
