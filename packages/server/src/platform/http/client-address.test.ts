import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  clientAddress,
  isPassedOn,
  parseTrustedProxy,
  visitorAt,
  visitorOf,
} from './client-address.ts';

const trusted = ['127.0.0.1', '10.0.0.0/8', 'fd12::/16'].map(parseTrustedProxy);
const from = (remoteAddress: string, forwarded?: string, proxies = trusted) =>
  clientAddress({ socket: { remoteAddress }, headers: { 'x-forwarded-for': forwarded } }, proxies);

describe('the address of the client', () => {
  test.each([
    ['203.0.113.9', undefined, '203.0.113.9'],
    ['203.0.113.9', '198.51.100.1', '203.0.113.9'],
    ['127.0.0.1', undefined, '127.0.0.1'],
    ['127.0.0.1', '', '127.0.0.1'],
    ['127.0.0.1', '198.51.100.1', '198.51.100.1'],
    ['::ffff:127.0.0.1', '::ffff:198.51.100.1', '198.51.100.1'],
    ['127.0.0.1', 'made up, 198.51.100.1, 10.9.9.9', '198.51.100.1'],
    ['127.0.0.1', '198.51.100.1, 203.0.113.9, 10.9.9.9,10.1.1.1', '203.0.113.9'],
    ['127.0.0.1', '10.9.9.9, 10.1.1.1', '10.9.9.9'],
    ['127.0.0.1', '198.51.100.1, unknown', '127.0.0.1'],
    ['127.0.0.1', '198.51.100.1, unknown, 10.1.1.1', '10.1.1.1'],
    ['127.0.0.1', '198.51.100.1:4711', '198.51.100.1'],
    ['fd12::1', '[2001:db8::5]:4711', '2001:db8::5'],
    ['fd12::1%eth0', '2001:DB8:0::5', '2001:db8::5'],
  ])('from %s with %s: %s', (remote, forwarded, expected) => {
    expect(from(remote, forwarded)).toBe(expected);
  });

  test('is not changed by anything that its sender writes', () => {
    const written = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string(), fc.constant('127.0.0.1'));
    fc.assert(
      fc.property(fc.array(written), (left) => {
        expect(from('127.0.0.1', [...left, '198.51.100.1', '10.1.1.1'].join(', '))).toBe(
          '198.51.100.1',
        );
        expect(from('127.0.0.1', left.join(', '), [])).toBe('127.0.0.1');
      }),
    );
  });
});

test.each([
  ['a name', 'proxy.example'],
  ['nothing', ''],
  ['a short address', '10.1'],
  ['an octal address', '010.0.0.1'],
  ['too many bits', '10.0.0.0/33'],
  ['bits that are no number', '10.0.0.0/x'],
  ['a mask', '10.0.0.0/255.0.0.0'],
  ['two slashes', '10.0.0.0/8/8'],
  ['an address inside a network', '10.0.0.1/8'],
  ['everybody', '0.0.0.0/0'],
  ['everybody of v6', '::/0'],
  ['a v4 address in v6', '::ffff:10.0.0.1'],
  ['a zone', 'fe80::1%eth0'],
  ['a port', '10.0.0.1:80'],
])('%s is no trusted proxy: %j', (_, text) => {
  expect(() => parseTrustedProxy(text)).toThrow(`"${text}"`);
  expect(() => parseTrustedProxy(text)).toThrow(RangeError);
});

test('a visitor is a v4 address, or a v6 network of 64 bits', () => {
  expect(visitorOf('::ffff:198.51.100.1')).toBe('198.51.100.1');
  expect(visitorOf('2001:db8:1:2:3:4:5:6')).toBe('2001:db8:1:2::/64');
  expect(visitorOf('2001:db8:1:2::')).toBe('2001:db8:1:2::/64');
  expect(visitorOf(null)).toBe('unknown');
});

describe('an address that many may come from', () => {
  test.each([
    ['127.0.0.1', true],
    ['::1', true],
    ['172.17.0.1', true],
    ['fd12::1', true],
    ['fe80::1', true],
    ['100.64.0.1', true],
    ['8.8.8.8', false],
    ['2606:4700::1111', false],
    [null, true],
  ])('%s without trusted proxies: %s', (address, isShared) => {
    expect(visitorAt(address, [])).toEqual({ address: visitorOf(address), isShared });
  });

  test('there is none where proxies are trusted', () => {
    expect(visitorAt('127.0.0.1', trusted).isShared).toBe(false);
  });
});

test('a request is passed on where its sender says so and is not trusted', () => {
  const passedOn = (remoteAddress: string | undefined, headers: Record<string, string>) =>
    isPassedOn({ socket: { remoteAddress }, headers }, trusted);
  expect(passedOn('203.0.113.9', {})).toBe(false);
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip']) {
    expect(passedOn('203.0.113.9', { [name]: '198.51.100.1' })).toBe(true);
    expect(passedOn(undefined, { [name]: '198.51.100.1' })).toBe(true);
    expect(passedOn('10.1.1.1', { [name]: '198.51.100.1' })).toBe(false);
  }
});
