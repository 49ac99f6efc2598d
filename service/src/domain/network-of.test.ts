import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { networkOf } from './network-of.ts';

describe('networkOf', () => {
  it('keeps an IPv4 address and shortens IPv6 to its /64', () => {
    assert.equal(networkOf('192.0.2.1'), '192.0.2.1');
    assert.equal(networkOf('2001:db8:1:2:3:4:5:6'), '2001:db8:1:2::/64');
    assert.equal(networkOf('2001:db8:1:2::9'), '2001:db8:1:2::/64');
    assert.equal(networkOf('2001:db8::1'), '2001:db8:0:0::/64');
    assert.equal(networkOf('::1'), '0:0:0:0::/64');
    assert.equal(networkOf('2001:db8:1:2:3::'), '2001:db8:1:2::/64');
  });
});
