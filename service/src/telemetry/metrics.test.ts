import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findExpositionProblems } from '../../test/exposition-problems.ts';
import type { UnfinishedCounts } from './metric-sources.ts';
import { createMetrics } from './metrics.ts';

const COUNT_UNFINISHED: UnfinishedCounts = {
  inState: [{ mode: 'test', state: 'queued', count: 3 }],
  oldest: [{ mode: 'test', state: 'queued', ageSeconds: 61 }],
  doubts: [
    { mode: 'live', kind: 'NOT_FOUND', operator: 'mtn', needsPerson: false, count: 6 },
    { mode: 'live', kind: 'CONTRADICTED', operator: 'airtel', needsPerson: true, count: 1 },
  ],
  recipientsUnresolved: 2,
  incidentsOpen: 4,
  approvalsImpossible: 5,
};

const FLOAT = {
  route: 'mtn-zm',
  currency: 'ZMW',
  level: 'low',
  operator: 100,
  ours: 100,
  spendable: 99.5,
  leftSeconds: null,
  ageSeconds: 3,
} as const;

describe('metrics', () => {
  it('count what happened, under names of their own', async () => {
    const metrics = createMetrics({ monotonicMs: () => 0 });
    const operation = metrics.operation('initiateTransfer');
    operation.record(201, 4);
    operation.record(201, 40_000);
    metrics.commitQueue('initiate')({ size: 12, elapsedMs: 8 });
    metrics.countOutcome({ operator: 'mtn', country: 'zm', mode: 'test', outcome: 'paid' });
    metrics.countUnexpectedOutcome('contradicted');
    const { text } = await metrics.render();
    for (const line of [
      'kafue_http_requests_total{operation="initiateTransfer",status="201"} 2',
      'kafue_http_request_seconds_bucket{operation="initiateTransfer",le="0.0025"} 0',
      'kafue_http_request_seconds_bucket{operation="initiateTransfer",le="0.005"} 1',
      'kafue_http_request_seconds_bucket{operation="initiateTransfer",le="30"} 1',
      'kafue_http_request_seconds_bucket{operation="initiateTransfer",le="+Inf"} 2',
      'kafue_http_request_seconds_sum{operation="initiateTransfer"} 40.004',
      'kafue_commit_queue_group_size_sum{queue="initiate"} 12',
      'kafue_outcomes_total{operator="mtn",country="zm",mode="test",outcome="paid"} 1',
      'kafue_unexpected_outcomes_total{kind="contradicted"} 1',
      'kafue_unexpected_outcomes_total{kind="superseded"} 0',
    ]) {
      assert.ok(text.split('\n').includes(line), `missing: ${line}`);
    }
  });

  it('keep the rules of the format, with every family in use', async () => {
    const metrics = createMetrics({ monotonicMs: () => 0 });
    for (const name of ['initiateTransfer', '/metrics']) metrics.operation(name).record(201, 4);
    metrics.operation('initiateTransfer').record(503, 40_000);
    metrics.commitQueue('initiate')({ size: 12, elapsedMs: 8 });
    metrics.commitQueue('move')({ size: 1, elapsedMs: 60_000 });
    metrics.countOutcome({ operator: 'mtn', country: 'zm', mode: 'test', outcome: 'paid' });
    metrics.countDeliveryAttempt('delivered', 12);
    metrics.observeDeliveryDelay(7);
    metrics.connectSources({
      commitQueuesWaiting: () => [
        { cell: 'main', queue: 'initiate', waiting: 5 },
        { cell: 'main', queue: 'move', waiting: 0 },
      ],
      cells: async () => [
        { name: 'main', isUp: true },
        { name: 'east', isUp: false },
      ],
      routes: () => [{ name: 'mtn-zm', isOpen: false, used: 7 }],
      countUnfinished: async () => COUNT_UNFINISHED,
      floats: async () => [FLOAT],
    });
    const { text } = await metrics.render();
    assert.deepEqual(findExpositionProblems(text), []);
    assert.ok(text.split('# TYPE ').length > 30);
  });

  it('tell cells apart once there are several', async () => {
    const metrics = createMetrics({ monotonicMs: () => 0 });
    let cell: string | undefined;
    const observe = metrics.commitQueue('initiate', () => cell);
    observe({ size: 3, elapsedMs: 1 });
    cell = 'main';
    observe({ size: 4, elapsedMs: 1 });
    const { text } = await metrics.render();
    assert.match(text, /^kafue_commit_queue_group_size_sum\{queue="initiate"\} 3$/m);
    assert.match(text, /^kafue_commit_queue_group_size_sum\{cell="main",queue="initiate"\} 4$/m);
  });

  it('read the sources when looked at, the database only every few seconds', async () => {
    let nowMs = 0;
    let asked = 0;
    let unfinished: () => Promise<UnfinishedCounts> = async () => COUNT_UNFINISHED;
    const metrics = createMetrics({ monotonicMs: () => nowMs });
    metrics.connectSources({
      commitQueuesWaiting: () => [{ cell: undefined, queue: 'initiate', waiting: 5 }],
      cells: async () => [
        { name: 'main', isUp: true },
        { name: 'east', isUp: false },
      ],
      routes: () => [{ name: 'mtn-zm', isOpen: false, used: 7 }],
      countUnfinished: () => {
        asked += 1;
        return unfinished();
      },
      floats: async () => [FLOAT],
    });
    const first = (await metrics.render()).text;
    assert.match(first, /^kafue_commit_queue_waiting\{queue="initiate"\} 5$/m);
    assert.match(first, /^kafue_cell_up\{cell="main"\} 1$/m);
    assert.match(first, /^kafue_cell_up\{cell="east"\} 0$/m);
    assert.match(first, /^kafue_route_under_way\{route="mtn-zm"\} 7$/m);
    assert.match(first, /^kafue_incidents_open 4$/m);
    assert.match(first, /^kafue_float_spendable\{route="mtn-zm",currency="ZMW"\} 99.5$/m);
    assert.match(first, /^kafue_float_level\{route="mtn-zm",currency="ZMW",level="low"\} 1$/m);
    assert.match(first, /^kafue_float_level\{route="mtn-zm",currency="ZMW",level="ok"\} 0$/m);
    assert.doesNotMatch(first, /^kafue_float_left_seconds\{/m, 'what is unknown is absent');
    assert.match(first, /^kafue_route_open\{route="mtn-zm"\} 0$/m);
    assert.match(first, /^kafue_transfers_in_state\{mode="test",state="queued"\} 3$/m);
    assert.match(first, /^kafue_oldest_transfer_seconds\{mode="test",state="queued"\} 61$/m);
    assert.match(
      first,
      /^kafue_transfers_in_doubt\{mode="live",kind="NOT_FOUND",operator="mtn",needs_person="false"\} 6$/m,
    );
    assert.match(first, /kind="CONTRADICTED",operator="airtel",needs_person="true"\} 1$/m);
    assert.match(first, /^kafue_recipients_unresolved 2$/m);
    await metrics.render();
    assert.equal(asked, 1);

    nowMs += 60_000;
    unfinished = () => Promise.reject(new Error('down'));
    const second = (await metrics.render()).text;
    assert.equal(asked, 2);
    assert.match(second, /^kafue_route_under_way\{route="mtn-zm"\} 7$/m);
    assert.doesNotMatch(second, /^kafue_(transfers_in_state|oldest|recipients_unresolved)[ {]/m);
  });
});
