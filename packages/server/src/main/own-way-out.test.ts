import { expect, test } from 'vitest';
import { openOwnWayOut } from './own-way-out.ts';

const address = { address: '', netmask: '', mac: '', cidr: null, family: 'IPv4' as const };
const inside = { lo: [{ ...address, internal: true }] };
const outside = { ...inside, eth0: [{ ...address, internal: false }] };

test.each([
  ['on loopback alone', true, inside, true],
  ['for servers elsewhere', false, outside, true],
  ['for servers elsewhere without an address of its own', false, inside, false],
])('a process %s is seen to reach itself: %s', async (_, allowLoopback, interfaces, works) => {
  const egress = { allowLoopback, allowedPrivateHosts: [] };
  const wayOut = await openOwnWayOut(egress, () => interfaces);
  expect(await wayOut.works()).toBe(works);
  await wayOut.close();
  expect(await wayOut.works()).toBe(false);
});
