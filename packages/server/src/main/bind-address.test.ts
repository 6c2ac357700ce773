import { describe, expect, test } from 'vitest';
import { bindAddress } from './bind-address.ts';

const wildcards = [
  '0.0.0.0',
  '::',
  '[::]',
  '0',
  '0x0',
  '0.0',
  '000.000.000.000',
  '0x0.0x0.0x0.0x0',
  '::0',
  '0:0:0:0:0:0:0:0',
  '::ffff:0.0.0.0',
  '::ffff:0:0',
  '[::ffff:0.0.0.0]',
  '*',
  '',
];

describe('the address of all interfaces, however it is spelled', () => {
  test.each(wildcards)('%j is refused', async (host) => {
    await expect(bindAddress(host, false)).rejects.toThrow('--dangerously-bind-all');
  });

  test.each(wildcards)('%j is taken when the flag says so, and is not loopback', async (host) => {
    expect(await bindAddress(host, true)).toMatchObject({ loopback: false });
  });
});

test('one address is taken as it is', async () => {
  expect(await bindAddress('127.0.0.1', false)).toEqual({ address: '127.0.0.1', loopback: true });
  expect(await bindAddress('[::1]', false)).toEqual({ address: '::1', loopback: true });
});
