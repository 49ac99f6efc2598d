import type { Edit } from '../../faults/planted/planted-bug.ts';
import type { AttackedBound } from './planted-bound.ts';

const BULK = 'service/src/http/merchant-api/initiate-bulk.ts';
const BUDGET = 'service/src/http/server/body-budget.ts';
const CALLBACKS = 'service/src/http/server/serve-callbacks.ts';
const CALLBACK_LIMITS = 'service/src/http/server/callback-limits.ts';
const CONNECTIONS = 'service/src/http/server/connection-limits.ts';
const LOOKUPS = 'service/src/merchants/key-lookups.ts';

/** Practically no bound, where the code adds to it. */
const NONE = 'Number.MAX_SAFE_INTEGER';

const TOKEN_AFTER_BODY: readonly Edit[] = [
  {
    file: CALLBACKS,
    old: '    if (!receiver.isToken({ name, token })) throw limits.refuseUnauthenticated(address);\n',
    new: '    const body = await readCallbackBody(exchange, name, serving.serverContext);\n    if (!receiver.isToken({ name, token })) throw limits.refuseUnauthenticated(address);\n',
  },
  {
    file: CALLBACKS,
    old: '    limits.admit(name, address, payoutsPerSecond);\n    const body = await readCallbackBody(exchange, name, serving.serverContext);\n',
    new: '    limits.admit(name, address, payoutsPerSecond);\n',
  },
];

/**
 * Bounds of the service, each with the attack that it protects against. The guarantee that must break depends as little
 * as possible on the speed of the machine.
 */
export const ATTACKED_BOUNDS: readonly AttackedBound[] = [
  {
    name: 'the values in a bulk body are not counted',
    edits: [
      { file: BULK, old: 'valuesMax: 64 * TRANSFERS_MAX,', new: `valuesMax: ${NONE},` },
      { file: BULK, old: 'itemsMax: TRANSFERS_MAX,', new: `itemsMax: ${NONE},` },
      // The memory of values counts in the budget too.
      { file: BUDGET, old: 'bytesMax: 64 * MIB,', new: `bytesMax: ${NONE},` },
      { file: BUDGET, old: 'bytesOfOwnerMax: 20 * MIB,', new: `bytesOfOwnerMax: ${NONE},` },
    ],
    attacks: ['1a'],
    // Whether the heap is full before the text is parsed depends on its size; the long turn does not.
    breaks: ['survival', 'memory', 'merchant'],
    form: 'long',
  },
  {
    name: 'bulk bodies may take any memory while they arrive',
    edits: [
      { file: BUDGET, old: 'bytesMax: 64 * MIB,', new: `bytesMax: ${NONE},` },
      { file: BUDGET, old: 'bytesOfOwnerMax: 20 * MIB,', new: `bytesOfOwnerMax: ${NONE},` },
      { file: BUDGET, old: 'bodiesMax: 256,', new: `bodiesMax: ${NONE},` },
      { file: BUDGET, old: 'bodiesOfOwnerMax: 64,', new: `bodiesOfOwnerMax: ${NONE},` },
    ],
    attacks: ['3a'],
    breaks: ['answers'],
    form: 'short',
  },
  {
    name: 'callbacks are read before their token is checked, without a limit',
    edits: [
      ...TOKEN_AFTER_BODY,
      { file: BUDGET, old: 'bytesMax: 8 * MIB,', new: `bytesMax: ${NONE},` },
      { file: BUDGET, old: 'bytesOfOwnerMax: 4 * MIB,', new: `bytesOfOwnerMax: ${NONE},` },
      { file: BUDGET, old: 'bodiesMax: 512,', new: `bodiesMax: ${NONE},` },
      { file: BUDGET, old: 'bodiesOfOwnerMax: 256,', new: `bodiesOfOwnerMax: ${NONE},` },
      {
        file: CONNECTIONS,
        old: 'unprovenOfAddressMax: 1_000,',
        new: 'unprovenOfAddressMax: 9_000,',
      },
      { file: CONNECTIONS, old: 'unprovenMax: 2_000,', new: 'unprovenMax: 9_000,' },
    ],
    attacks: ['3b'],
    breaks: ['answers'],
    form: 'short',
  },
  {
    name: 'a connection may have any number of requests waiting',
    edits: [
      {
        file: 'service/src/http/server/request-queue.ts',
        old: '{ waitingOfConnectionMax: 16, waitingMax: 4_096 }',
        new: '{ waitingOfConnectionMax: 1_000_000, waitingMax: 1_000_000 }',
      },
    ],
    attacks: ['2d'],
    breaks: ['answers'],
    form: 'short',
  },
  {
    name: 'one address may have any number of connections without a key',
    edits: [
      {
        file: CONNECTIONS,
        old: 'unprovenOfAddressMax: 1_000,',
        new: `unprovenOfAddressMax: ${NONE},`,
      },
    ],
    attacks: ['6a'],
    breaks: ['answers'],
    form: 'short',
  },
  {
    name: 'any total number of connections without a key is allowed',
    edits: [{ file: CONNECTIONS, old: 'unprovenMax: 2_000,', new: `unprovenMax: ${NONE},` }],
    attacks: ['6b'],
    breaks: ['answers'],
    form: 'short',
  },
  {
    name: 'a route may send any number of bytes to be stored',
    edits: [
      {
        file: CALLBACK_LIMITS,
        old: 'const BYTES_MIN: BucketRule = { burst: 4 * 1_024 * 1_024, perSecond: 256 * 1_024 };',
        new: 'const BYTES_MIN: BucketRule = { burst: 2 ** 40, perSecond: 2 ** 30 };',
      },
    ],
    attacks: ['4a'],
    breaks: ['database'],
    form: 'long',
  },
  {
    name: 'an address may guess tokens of callbacks at any rate',
    edits: [
      {
        file: CALLBACK_LIMITS,
        old: 'const WRONG_TOKENS: BucketRule = { burst: 30, perSecond: 1 };',
        new: 'const WRONG_TOKENS: BucketRule = { burst: 2 ** 30, perSecond: 2 ** 30 };',
      },
    ],
    attacks: ['4b'],
    breaks: ['answers'],
    form: 'short',
  },
  {
    name: 'an address may guess keys at any rate',
    edits: [
      {
        file: 'service/src/http/server/api-key-guard.ts',
        old: 'const FAILURES: BucketRule = { burst: 300, perSecond: 10 };',
        new: 'const FAILURES: BucketRule = { burst: 2 ** 30, perSecond: 2 ** 30 };',
      },
    ],
    attacks: ['5a'],
    breaks: ['answers'],
    form: 'long',
  },
  {
    name: 'X-Forwarded-For is trusted from every client',
    edits: [
      {
        file: 'service/src/http/server/client-address.ts',
        old: 'if (trustedProxies.length === 0) return { read: (peer) => peer, isProxy: () => false };',
        new: 'if (trustedProxies.length === 0) return { read: (peer, told) => String(told ?? peer), isProxy: () => false };',
      },
    ],
    attacks: ['4c'],
    breaks: ['answers'],
    form: 'short',
  },
  {
    name: 'the token of a callback is checked only after its body has arrived',
    edits: TOKEN_AFTER_BODY,
    attacks: ['4d'],
    breaks: ['answers'],
    form: 'short',
  },
  {
    name: 'a callback that waits for 100 Continue does not get it',
    edits: [
      {
        file: CALLBACKS,
        old: '  if (request.headers.expect !== undefined) response.writeContinue();\n',
        new: '',
      },
    ],
    attacks: ['4e'],
    breaks: ['answers'],
    form: 'short',
  },
  {
    name: 'documents are sent to one address at any rate',
    edits: [
      {
        file: 'service/src/http/server/service-pages.ts',
        old: 'const DOCUMENTS: BucketRule = { burst: 60, perSecond: 20 };',
        new: 'const DOCUMENTS: BucketRule = { burst: 2 ** 30, perSecond: 2 ** 30 };',
      },
    ],
    attacks: ['10'],
    breaks: ['answers'],
    form: 'long',
  },
  {
    name: 'each key that does not exist is looked up separately, at any rate',
    edits: [
      { file: LOOKUPS, old: 'pauseMs: 50,', new: 'pauseMs: 0,' },
      {
        file: LOOKUPS,
        old: 'const KEYS_PER_STATEMENT_MAX = 256;',
        new: 'const KEYS_PER_STATEMENT_MAX = 1;',
      },
      {
        file: LOOKUPS,
        old: 'const STATEMENTS_UNDER_WAY_MAX = 2;',
        new: 'const STATEMENTS_UNDER_WAY_MAX = 20;',
      },
    ],
    attacks: ['5b'],
    breaks: ['database'],
    form: 'long',
  },
  {
    name: 'every refusal and every fault is written to the log',
    edits: [
      {
        file: 'service/src/telemetry/log-sampler.ts',
        old: 'if (sampled.written >= kind.linesPerSecond) {',
        new: 'if (sampled.written < 0) {',
      },
    ],
    attacks: ['7'],
    breaks: ['log'],
    form: 'long',
  },
  {
    name: 'a reset of a connection after CONNECT has no listener',
    edits: [
      {
        file: 'service/src/http/server/node-server.ts',
        old: "    socket.on('error', () => socket.destroy());\n",
        new: '',
      },
    ],
    attacks: ['9'],
    breaks: ['survival'],
    form: 'short',
  },
  {
    name: 'a request with two Host headers is accepted',
    edits: [
      {
        file: 'service/src/http/server/node-server.ts',
        old: 'return hosts === 1;',
        new: 'return hosts >= 1;',
      },
    ],
    attacks: ['9'],
    breaks: ['answers'],
    form: 'short',
  },
  {
    name: 'a body with a transfer encoding other than chunked is accepted',
    edits: [
      {
        file: 'service/src/http/server/node-server.ts',
        old: "if (encoding !== undefined && encoding.toLowerCase() !== 'chunked') return false;",
        new: '',
      },
      {
        file: 'service/src/http/server/node-server.ts',
        old: "  const encoding = headers['transfer-encoding'];\n",
        new: '',
      },
    ],
    attacks: ['9'],
    breaks: ['answers'],
    form: 'short',
  },
  {
    name: 'HTTP/0.9 is answered',
    edits: [
      {
        file: 'service/src/http/server/node-server.ts',
        old: "if (headers.host === undefined) return httpVersion === '1.0';",
        new: "if (headers.host === undefined) return httpVersion !== '1.1';",
      },
    ],
    attacks: ['9'],
    breaks: ['answers'],
    form: 'short',
  },
];
