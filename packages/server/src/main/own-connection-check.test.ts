import { expect, test } from 'vitest';
import { openEgressCheck } from './own-connection-check.ts';

const address = { address: '', netmask: '', mac: '', cidr: null, family: 'IPv4' as const };
const inside = { lo: [{ ...address, internal: true }] };
const outside = { ...inside, eth0: [{ ...address, internal: false }] };

test.each([
  ['on loopback alone', true, inside, true],
  ['for servers elsewhere', false, outside, true],
  ['for servers elsewhere without an address of its own', false, inside, false],
])('a process %s is seen to reach itself: %s', async (_, allowLoopback, interfaces, works) => {
  const egress = { allowLoopback, allowedPrivateHosts: [] };
  const egressCheck = await openEgressCheck(egress, () => interfaces);
  expect(await egressCheck.works()).toBe(works);
  await egressCheck.close();
  expect(await egressCheck.works()).toBe(false);
});
