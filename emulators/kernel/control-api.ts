import { answerJson, type OperatorRequest, type PlainAnswer } from './answer.ts';
import {
  readBalanceFault,
  readCallback,
  readCondition,
  readMemory,
  readRules,
  readSeed,
  readThrottle,
} from './control-bodies.ts';
import type { EmulatorParts } from './emulator-context.ts';

/** No operator has paths with this prefix. */
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
  'PUT condition': (parts, body) => {
    parts.condition = readCondition(body);
    return NO_CONTENT;
  },
  'PUT balance': (parts, body) => {
    parts.balanceFault = readBalanceFault(body);
    return NO_CONTENT;
  },
  'PUT throttle': ({ limiter }, body) => {
    limiter.setThrottle(readThrottle(body));
    return NO_CONTENT;
  },
  'PUT memory': ({ context }, body) => {
    context.backend.setMemory(readMemory(body));
    return NO_CONTENT;
  },
  'GET calls': ({ limiter }) => answerJson(200, limiter.counts()),
  'GET submissions': ({ context }) =>
    answerJson(200, { submissions: context.backend.submissions() }),
  'GET violations': ({ context }) => answerJson(200, { violations: context.backend.violations() }),
  'GET book': ({ context }) => answerJson(200, { entries: context.backend.book() }),
  'GET journal': ({ requests }) => answerJson(200, { requests: requests.all() }),
  'GET callbacks': ({ callbacks }) => answerJson(200, { callbacks: callbacks.all() }),
  'GET health': ({ context, condition }) =>
    answerJson(200, {
      name: context.name,
      condition,
      open: context.backend.open().length,
      executed: context.backend.book().length,
    }),
  'POST flush': async ({ context }) => answerJson(200, { executed: await context.backend.flush() }),
  'POST callback': async ({ context }, body) =>
    answerJson(200, await context.sendCallback(readCallback(body))),
};

/** Serves the control API. An invalid body gets 400 with the reason. */
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
