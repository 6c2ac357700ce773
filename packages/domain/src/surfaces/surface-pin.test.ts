import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { differenceFromPin, isAltered, pinSurface, readSurfacePin } from './surface-pin.ts';
import { surfaceTokens } from './surface-tokens.ts';

const sha256Hex = (text: string) => createHash('sha256').update(text).digest('hex');
const price = { name: 'price', description: 'Tells the price.', inputSchema: { type: 'object' } };
const open = { name: 'open', description: 'Opens the shop.', inputSchema: { type: 'object' } };
const servers = [{ name: 'Shop', tools: [price, open] }];
const pinOf = (pinned: typeof servers) =>
  pinSurface(
    pinned,
    surfaceTokens(pinned, (text) => text.length),
    sha256Hex,
  );

test('a pin is read as it was written, with its tools by name', () => {
  const pin = pinOf(servers);
  expect(pin).toMatchObject({ format: 'proofmark-surface', version: 1 });
  expect(pin.tokens.servers).toMatchObject([{ serverName: 'Shop' }]);
  const read = readSurfacePin(JSON.parse(JSON.stringify(pin))) ?? [];
  const { total: tokens } = pin.tokens.servers[0] ?? {};
  expect(read).toEqual([
    { name: 'Shop', hash: pin.servers[0]?.hash, tools: [open, price], tokens },
  ]);
  expect(read.some((server) => isAltered(server, sha256Hex))).toBe(false);
});

test.each([undefined, 3, {}, { servers: [{ serverName: 'Shop' }] }, { servers: [{ total: {} }] }])(
  'tokens %j of a pin are not read',
  (tokens) => {
    expect(readSurfacePin({ ...pinOf(servers), tokens })?.[0]).not.toHaveProperty('tokens');
  },
);

test('the order in which a server lists its tools changes nothing', () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 6 }), (names) => {
      const tools = names.map((name) => ({ ...price, name }));
      const [one, other] = [tools, tools.toReversed()].map((all) => [{ name: 'Shop', tools: all }]);
      expect(pinOf(other ?? []).servers).toEqual(pinOf(one ?? []).servers);
      expect(differenceFromPin(one ?? [], other ?? [])).toEqual([]);
    }),
  );
});

test('a changed tool is told from its hash', () => {
  const [pinned] = readSurfacePin(pinOf(servers)) ?? [];
  const tools = [open, { ...price, description: 'Sends the price to all.' }];
  expect(pinned && isAltered({ ...pinned, tools }, sha256Hex)).toBe(true);
  expect(differenceFromPin(servers, [{ name: 'Shop', tools }])).toMatchObject([
    { serverName: 'Shop', tools: [{ name: 'price', change: 'changed' }] },
  ]);
});

test.each([
  undefined,
  {},
  { format: 'proofmark-surface', version: 2, servers: [] },
  { format: 'proofmark-surface', version: 1, servers: [{ name: 'Shop', hash: '1' }] },
  { format: 'proofmark-surface', version: 1, servers: [{ name: 'Shop', hash: '1', tools: [3] }] },
])('%j is not a pin', (content) => {
  expect(readSurfacePin(content)).toBeUndefined();
});
