import assert from 'node:assert/strict';
import { it } from 'node:test';
import * as fc from 'fast-check';
import { isLoopbackAddress, isPublicAddress } from './safe-address.ts';

const PUBLIC = [
  '1.1.1.1',
  '8.8.8.8',
  '41.72.108.1',
  '100.63.255.255',
  '100.128.0.1',
  '168.63.129.17',
  '172.15.255.255',
  '172.32.0.1',
  '192.0.1.1',
  '198.17.255.255',
  '198.20.0.1',
  '223.255.255.255',
  '2606:4700:4700::1111',
  '2a00:1450:4001:80b::200e',
  '2001:200::1',
  '2c0f:fb50::1',
];

const REFUSED = [
  // IPv4: this host, private, carriers, loopback, link-local and metadata
  ['0.0.0.0', '0.1.2.3', '10.0.0.1', '10.255.255.255', '100.64.0.1', '100.127.255.255'],
  ['127.0.0.1', '127.255.255.254', '169.254.0.1', '169.254.169.254', '100.100.100.200'],
  ['168.63.129.16', '192.0.0.192', '172.16.0.1', '172.31.255.255', '192.168.0.1'],
  // protocol assignments, documentation, benchmarking, relays, multicast, reserved, broadcast
  ['192.0.0.1', '192.0.2.1', '198.51.100.7', '203.0.113.9', '198.18.0.1', '198.19.255.255'],
  ['192.88.99.1', '192.31.196.1', '192.52.193.1', '192.175.48.1'],
  ['224.0.0.1', '239.255.255.255', '240.0.0.1', '255.255.255.255'],
  // IPv6: unspecified, loopback, link-local, site-local, unique local, multicast, metadata
  ['::', '::1', '0:0:0:0:0:0:0:1', 'fe80::1', 'febf::1', 'fec0::1', 'fc00::1', 'fd00::1'],
  ['fd00:ec2::254', 'ff02::1', 'ff0e::1'],
  // IPv4 inside IPv6: mapped, compatible, translated, NAT64, 6to4, Teredo
  ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::127.0.0.1', '::7f00:1'],
  ['::ffff:0:127.0.0.1', '64:ff9b::7f00:1', '64:ff9b:1::a00:1', '2002:7f00:1::1'],
  ['2002:a00:1::', '2001:0:53aa:64c:0:0:80ff:fffe', '2001::1'],
  // documentation, benchmarking, ORCHID, discard, segment routing, never handed out
  ['2001:db8::1', '3fff::1', '2001:2::1', '2001:10::1', '2001:20::1', '100::1', '5f00::1'],
  ['3ffe::1', '2620:4f:8000::1', '4000::1', '8000::1'],
  // Zones, and text that is not an address as a resolver writes it
  ['fe80::1%eth0', '2606:4700:4700::1111%1', '', 'localhost', '0x7f.1', '2130706433', '0'],
  [
    '0177.0.0.1',
    '127.1',
    '１２７.０.０.１',
    ' 8.8.8.8',
    '8.8.8.8 ',
    '8.8.8.8:443',
    '[::1]',
    '1.1.1',
  ],
].flat();

it('allows public addresses', () => {
  assert.deepEqual(
    PUBLIC.filter((ip) => !isPublicAddress(ip)),
    [],
  );
});

it('refuses internal addresses, however they are written', () => {
  assert.deepEqual(
    REFUSED.filter((ip) => isPublicAddress(ip)),
    [],
  );
});

it('refuses every IPv4 address that is written inside an IPv6 address', () => {
  const byte = fc.integer({ min: 0, max: 255 });
  fc.assert(
    fc.property(fc.tuple(byte, byte, byte, byte), (bytes) => {
      const hex = Buffer.from(bytes).toString('hex');
      const halves = `${hex.slice(0, 4)}:${hex.slice(4)}`;
      const dressed = ['::ffff:', '::', '::ffff:0:', '64:ff9b::', '2002:']
        .map((prefix) => prefix + (prefix === '2002:' ? `${halves}::1` : halves))
        .filter(isPublicAddress);
      assert.deepEqual(dressed, []);
    }),
  );
});

it('recognises loopback, and nothing else as loopback', () => {
  const ips = [
    '127.0.0.1',
    '127.8.8.8',
    '::1',
    '0.0.0.0',
    '::',
    '10.0.0.1',
    '8.8.8.8',
    'localhost',
  ];
  assert.deepEqual(ips.filter(isLoopbackAddress), ['127.0.0.1', '127.8.8.8', '::1']);
});
