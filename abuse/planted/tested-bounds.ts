import type { TestedBug } from '../../faults/planted/planted-bug.ts';

/**
 * Bounds that no attack can show in a bounded time, because they need a full heap, a month or 7,000 clients: a test
 * does.
 */
export const TESTED_BOUNDS: readonly TestedBug[] = [
  {
    name: 'answers that are not read may take any memory',
    edits: [
      {
        file: 'service/src/http/server/unread-answers.ts',
        old: 'if (this.#bytes <= this.#bytesMax) break;',
        new: 'if (this.#bytes >= 0) break;',
      },
    ],
    test: 'service/src/http/server/connection-limits.test.ts',
  },
  {
    name: 'connections with a key may be any number',
    edits: [
      {
        file: 'service/src/http/server/connection-limits.ts',
        old: 'return this.#proven > this.#counts.provenMax;',
        new: 'return this.#proven < 0;',
      },
    ],
    test: 'service/src/http/server/connection-limits.test.ts',
  },
  {
    name: 'connections of trusted proxies are counted as one address',
    edits: [
      {
        file: 'service/src/http/server/connection-limits.ts',
        old: 'if (!this.#isProxy(connection.address)) {',
        new: "if (!this.#isProxy(connection.address) || connection.address !== '') {",
      },
    ],
    test: 'service/src/http/server/connection-limits.test.ts',
  },
  {
    name: 'a full heap refuses nothing',
    edits: [
      {
        file: 'service/src/http/create-server.ts',
        old: 'if (memory.isHigh && !isForOperation(request.url)) {',
        new: "if (memory.isHigh && request.url === '') {",
      },
    ],
    test: 'service/src/http/server/memory-monitor.test.ts',
  },
  {
    name: 'a full heap refuses health checks too',
    edits: [
      {
        file: 'service/src/http/create-server.ts',
        old: 'if (memory.isHigh && !isForOperation(request.url)) {',
        new: 'if (memory.isHigh) {',
      },
    ],
    test: 'service/src/http/server/memory-monitor.test.ts',
  },
  {
    name: 'memory is not given back after a busy time',
    edits: [
      {
        file: 'service/src/http/server/memory-monitor.ts',
        old: '    if (residentBytes() < Math.max(BUSY_BYTES, ',
        new: '    if (residentBytes() >= 0 || 0 < Math.max(BUSY_BYTES, ',
      },
    ],
    test: 'service/src/http/server/memory-monitor.test.ts',
  },
  {
    name: 'one merchant may have any number of calls under way',
    edits: [
      {
        file: 'service/src/http/server/concurrency-limit.ts',
        old: "if (ofOwner >= this.#ofOwnerMax) throw refuse('RATE_LIMITED');",
        new: "if (ofOwner < 0) throw refuse('RATE_LIMITED');",
      },
    ],
    test: 'service/src/http/server/concurrency-limit.test.ts',
  },
  {
    name: 'any total number of calls may be under way',
    edits: [
      {
        file: 'service/src/http/server/concurrency-limit.ts',
        old: 'if (this.#underWay < this.#max) return false;',
        new: 'if (this.#underWay >= 0) return false;',
      },
    ],
    test: 'service/src/http/server/concurrency-limit.test.ts',
  },
  {
    name: 'a route may call at any rate from one address',
    edits: [
      {
        file: 'service/src/http/server/callback-limits.ts',
        old: 'const CALLS_MIN: BucketRule = { burst: 2_000, perSecond: 1_000 };',
        new: 'const CALLS_MIN: BucketRule = { burst: 2 ** 30, perSecond: 2 ** 30 };',
      },
    ],
    test: 'service/src/http/server/callback-limits.test.ts',
  },
  {
    name: 'a route that pays out without a limit may call at any rate',
    edits: [
      {
        file: 'service/src/http/server/callback-limits.ts',
        old: 'Math.min(payoutsPerSecond, PAYOUTS_PER_SECOND_MAX)',
        new: 'Math.min(payoutsPerSecond, 2 ** 40)',
      },
    ],
    test: 'service/src/http/server/callback-limits.test.ts',
  },
  {
    name: 'a busy route may call no faster than any other',
    edits: [
      {
        file: 'service/src/http/server/callback-limits.ts',
        old: 'return CALLS_PER_PAYOUT * Math.min(',
        new: 'return Math.min(1, ',
      },
    ],
    test: 'service/src/http/server/callback-limits.test.ts',
  },
  {
    name: 'calls of a route are counted for all addresses together',
    edits: [
      {
        file: 'service/src/http/server/callback-limits.ts',
        old: 'this.#calls.bucketOf(`${route} ${networkOf(address)}`, nowMs, rule);',
        new: 'this.#calls.bucketOf(`${route} ${networkOf(address).slice(0, 0)}`, nowMs, rule);',
      },
    ],
    test: 'service/src/http/server/callback-limits.test.ts',
  },
  {
    name: 'a route may have any number of bytes of callbacks stored',
    edits: [
      {
        file: 'service/src/transfers/callbacks/store-callbacks.ts',
        old: '        and coalesce(u.bytes, 0) + g.bytes <= $16::bigint\n',
        new: '        and $16::bigint > 0\n',
      },
    ],
    test: 'service/src/transfers/callbacks/clean-callbacks.test.ts',
  },
  {
    name: 'a route may have any number of callbacks stored',
    edits: [
      {
        file: 'service/src/transfers/callbacks/store-callbacks.ts',
        old: 'where coalesce(u.calls, 0) + g.calls <= $15::bigint',
        new: 'where $15::bigint > 0',
      },
    ],
    test: 'service/src/transfers/callbacks/clean-callbacks.test.ts',
  },
  {
    name: 'callbacks are never deleted',
    edits: [
      {
        file: 'service/src/transfers/callbacks/clean-callbacks.ts',
        old: 'delete from callbacks c using old o where c.id = o.id',
        new: 'delete from callbacks c using old o where c.id = o.id and false',
      },
    ],
    test: 'service/src/transfers/callbacks/clean-callbacks.test.ts',
  },
  {
    name: 'callbacks of a full route are kept as long as others',
    edits: [
      {
        file: 'service/src/transfers/callbacks/clean-callbacks.ts',
        old: 'select u.route from callback_usage u where u.calls > $3::numeric or u.bytes > $4::numeric',
        new: 'select u.route from callback_usage u where u.calls > $3::numeric + $4::numeric',
      },
    ],
    test: 'service/src/transfers/callbacks/clean-callbacks.test.ts',
  },
  {
    name: 'bodies of one key may take any memory',
    edits: [
      {
        file: 'service/src/http/server/body-budget.ts',
        old: 'if (usage.bytes + bytes > this.#limits.bytesOfOwnerMax) throw ownerHasTooMany();',
        new: 'if (usage.bytes < 0) throw ownerHasTooMany();',
      },
    ],
    test: 'service/src/http/server/body-budget.test.ts',
  },
  {
    name: 'bodies may take any memory in total',
    edits: [
      {
        file: 'service/src/http/server/body-budget.ts',
        old: "if (this.#all.bytes + bytes > this.#limits.bytesMax) throw refuse('UNAVAILABLE');",
        new: "if (this.#all.bytes < 0) throw refuse('UNAVAILABLE');",
      },
    ],
    test: 'service/src/http/server/body-budget.test.ts',
  },
  {
    name: 'one key may have any number of bodies arriving',
    edits: [
      {
        file: 'service/src/http/server/body-budget.ts',
        old: 'if (usage.bodies >= this.#limits.bodiesOfOwnerMax) throw ownerHasTooMany();',
        new: 'if (usage.bodies < 0) throw ownerHasTooMany();',
      },
    ],
    test: 'service/src/http/server/body-budget.test.ts',
  },
  {
    name: 'any total number of bodies may arrive',
    edits: [
      {
        file: 'service/src/http/server/body-budget.ts',
        old: "if (this.#all.bodies >= this.#limits.bodiesMax) throw refuse('UNAVAILABLE');",
        new: "if (this.#all.bodies < 0) throw refuse('UNAVAILABLE');",
      },
    ],
    test: 'service/src/http/server/body-budget.test.ts',
  },
  {
    name: 'a body may arrive as slowly as it likes',
    edits: [
      {
        file: 'service/src/http/server/body-budget.ts',
        old: 'const BYTES_PER_SECOND_MIN = 1_024;',
        new: 'const BYTES_PER_SECOND_MIN = 0;',
      },
    ],
    test: 'service/src/http/server/body-budget.test.ts',
  },
  {
    name: 'a body may be nested to any depth',
    edits: [
      {
        file: 'service/src/http/server/body-scanner.ts',
        old: 'if (this.#depth >= depthMax) {',
        new: 'if (this.#depth < 0) {',
      },
    ],
    test: 'service/src/http/server/body-scanner.test.ts',
  },
  {
    name: 'an object of a body may have any number of keys',
    edits: [
      {
        file: 'service/src/http/server/body-scanner.ts',
        old: 'if (members >= keysMax) throw tooManyKeys(this.#limits);',
        new: 'if (members < keysMax - keysMax) throw tooManyKeys(this.#limits);',
      },
    ],
    test: 'service/src/http/server/body-scanner.test.ts',
  },
  {
    name: 'a string of a body may have any length',
    edits: [
      {
        file: 'service/src/http/server/body-scanner.ts',
        old: 'if (this.#stringLength > UTF8_BYTES_MAX * this.#limits.stringLengthMax + 1) {',
        new: 'if (this.#stringLength < UTF8_BYTES_MAX - UTF8_BYTES_MAX) {',
      },
    ],
    test: 'service/src/http/server/body-scanner.test.ts',
  },
  {
    name: 'a key that does not exist is looked up each time',
    edits: [
      {
        file: 'service/src/merchants/authenticate-key.ts',
        old: '    if (unknown.has(text, deps.monotonicMs())) return undefined;\n',
        new: '',
      },
    ],
    test: 'service/src/merchants/uncached-keys.test.ts',
  },
  {
    name: 'keys that do not exist are remembered without end',
    edits: [
      {
        file: 'service/src/merchants/unknown-keys.ts',
        old: 'const UNKNOWN_KEYS_MAX = 10_000;',
        new: 'const UNKNOWN_KEYS_MAX = 2 ** 40;',
      },
    ],
    test: 'service/src/merchants/unknown-keys.test.ts',
  },
  {
    name: 'one address may have any number of look-ups waiting',
    edits: [
      {
        file: 'service/src/merchants/key-lookups.ts',
        old: 'waitingPerOwnerMax: 256,',
        new: 'waitingPerOwnerMax: 2 ** 30,',
      },
    ],
    test: 'service/src/merchants/uncached-keys.test.ts',
  },
  {
    name: 'there may be any number of kinds of lines in the log',
    edits: [
      {
        file: 'service/src/telemetry/log-sampler.ts',
        old: 'const KINDS_MAX = 1_000;',
        new: 'const KINDS_MAX = 2 ** 30;',
      },
    ],
    test: 'service/src/telemetry/log-sampler.test.ts',
  },
  {
    name: 'headers may take any time to arrive',
    edits: [
      {
        file: 'service/src/http/server/node-server.ts',
        old: 'headersTimeout: limits.headersTimeoutMs,',
        new: 'headersTimeout: limits.requestTimeoutMs * 100,',
      },
    ],
    test: 'service/src/http/server/node-server.test.ts',
  },
  {
    name: 'a request may take any time to arrive',
    edits: [
      {
        file: 'service/src/http/server/node-server.ts',
        old: '    requestTimeout: limits.requestTimeoutMs,\n',
        new: '    requestTimeout: limits.requestTimeoutMs * 100,\n',
      },
    ],
    test: 'service/src/http/server/node-server.test.ts',
  },
  {
    name: 'a request may have any number of headers',
    edits: [
      {
        file: 'service/src/http/server/node-server.ts',
        old: 'const isTooLarge = request.rawHeaders.length > 2 * HEADERS_MAX;',
        new: 'const isTooLarge = request.rawHeaders.length > 2_000 * HEADERS_MAX;',
      },
    ],
    test: 'service/src/http/server/node-server.test.ts',
  },
  {
    name: 'there may be any number of connections',
    edits: [
      {
        file: 'service/src/http/server/node-server.ts',
        old: '  server.maxConnections = limits.connectionsMax;\n',
        new: '',
      },
    ],
    test: 'service/src/http/server/node-server.test.ts',
  },
  {
    name: 'any number of pages is read at once',
    edits: [
      {
        file: 'service/src/http/server/call-queue.ts',
        old: 'while (this.#atOnce < this.#rule.atOnceMax) {',
        new: 'while (this.#atOnce >= 0) {',
      },
    ],
    test: 'service/src/http/server/call-queue.test.ts',
  },
  {
    name: 'the payouts of one book may fill the commit queue',
    edits: [
      {
        file: 'service/src/postgres/commit-queue.ts',
        old: 'queue.sizeOf(owner) + count > waitingOfOwnerMax',
        new: 'queue.sizeOf(owner) < 0',
      },
    ],
    test: 'service/src/postgres/commit-queue.test.ts',
  },
  {
    name: 'one merchant may store any number of uploads at once',
    edits: [
      {
        file: 'service/src/http/server/call-queue.ts',
        old: 'UPLOADS: QueueRule = { atOnceMax: 4, ofOwnerMax: 1,',
        new: 'UPLOADS: QueueRule = { atOnceMax: 1_000, ofOwnerMax: 1_000,',
      },
    ],
    test: 'service/test/contract/blocked-writes.test.ts',
  },
  {
    name: 'a call whose client is gone counts no more, although it is worked on',
    edits: [
      {
        file: 'service/src/http/server/http-exchange.ts',
        old: 'if (!this.#hasEnded || this.#isWorkedOn) return;',
        new: 'if (!this.#hasEnded) return;',
      },
    ],
    test: 'service/src/http/server/concurrency-limit.test.ts',
  },
  {
    name: 'one merchant may change any number of things at once',
    edits: [
      {
        file: 'service/src/http/server/call-queue.ts',
        old: 'return this.#atOnceOf.get(owner) < this.#rule.ofOwnerMax;',
        new: 'return this.#atOnceOf.get(owner) >= 0;',
      },
    ],
    test: 'service/src/http/server/call-queue.test.ts',
  },
  {
    name: 'waiting requests are begun before new connections are accepted',
    edits: [
      {
        file: 'service/src/http/server/after-opening.ts',
        old: 'turnsMax > 0 && isOpening()',
        new: 'turnsMax < 0 && isOpening()',
      },
    ],
    test: 'service/src/http/server/request-queue.test.ts',
  },
];
