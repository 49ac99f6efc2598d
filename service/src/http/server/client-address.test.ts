import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  buildAddressList,
  createAddressReader,
  isListed,
  isLoopback,
  plainAddress,
} from './client-address.ts';

describe('plainAddress', () => {
  it('writes an IPv4 client of an IPv6 socket as IPv4, and drops zones', () => {
    assert.equal(plainAddress('::ffff:192.0.2.1'), '192.0.2.1');
    assert.equal(plainAddress('::FFFF:192.0.2.1'), '192.0.2.1');
    assert.equal(plainAddress('fe80::1%eth0'), 'fe80::1');
    assert.equal(plainAddress('192.0.2.1'), '192.0.2.1');
    assert.equal(plainAddress(undefined), '');
  });
});

describe('an address list', () => {
  const allows = (ranges: readonly string[], address: string) =>
    isListed(buildAddressList(ranges), plainAddress(address));

  it('matches ranges and single addresses of both families', () => {
    const ranges = ['10.1.0.0/16', '192.0.2.7', '2001:db8::/32', '::ffff:198.51.100.0/120'];
    for (const address of [
      '10.1.255.255',
      '::ffff:10.1.2.3',
      '192.0.2.7',
      '2001:db8:9::1',
      '198.51.100.9',
    ]) {
      assert.equal(allows(ranges, address), true, address);
    }
    for (const address of ['10.2.0.0', '192.0.2.8', '2001:db9::', '198.51.101.1', '', 'x']) {
      assert.equal(allows(ranges, address), false, address);
    }
    assert.equal(allows(['0.0.0.0/0'], '203.0.113.1'), true);
  });

  it('matches nothing if a range is malformed', () => {
    for (const range of [
      '',
      '10.0.0.0/',
      '10.0.0.0/33',
      '10.0.0.0/-1',
      '10.0.0.0/x',
      '10.0/8',
      'all',
    ]) {
      assert.equal(allows([range], '10.0.0.0'), false, range);
    }
  });
});

describe('isLoopback', () => {
  it('recognises the addresses of this machine', () => {
    for (const address of ['127.0.0.1', '127.9.9.9', '::1']) assert.ok(isLoopback(address));
    for (const address of ['10.0.0.1', '::2', '127.evil.example', ''])
      assert.ok(!isLoopback(address));
  });
});

describe('the address of a client', () => {
  const { read, isProxy } = createAddressReader(['10.0.0.0/8', '::1']);

  it('is the last one that is not a trusted proxy', () => {
    for (const [peer, header, client] of [
      ['10.0.0.1', '203.0.113.7', '203.0.113.7'],
      ['10.0.0.1', '198.51.100.9, 203.0.113.7', '203.0.113.7'],
      ['10.0.0.1', '198.51.100.9, 203.0.113.7, 10.9.9.9', '203.0.113.7'],
      ['10.0.0.1', '10.1.1.1', '10.1.1.1'],
      ['10.0.0.1', '203.0.113.7:4711', '203.0.113.7'],
      ['10.0.0.1', '[2001:db8::1]:4711', '2001:db8::1'],
      ['10.0.0.1', '::ffff:203.0.113.7', '203.0.113.7'],
      ['::1', ' 203.0.113.7 ', '203.0.113.7'],
    ] as const) {
      assert.equal(read(peer, header), client, header);
    }
  });

  it('is the other end of the socket if the header is not trustworthy', () => {
    assert.equal(read('203.0.113.1', '198.51.100.9'), '203.0.113.1');
    assert.equal(read('10.0.0.1', undefined), '10.0.0.1');
    assert.equal(read('10.0.0.1', '198.51.100.9, nonsense'), '10.0.0.1');
    assert.equal(createAddressReader([]).read('10.0.0.1', '198.51.100.9'), '10.0.0.1');
    assert.equal(isProxy('10.0.0.1'), true);
    assert.equal(isProxy('203.0.113.1'), false);
  });
});
