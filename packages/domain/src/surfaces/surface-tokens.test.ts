import fc from 'fast-check';
import { expect, test } from 'vitest';
import { contextWindow, surfaceTokens, type TokenCount, tokensOf } from './surface-tokens.ts';

const characters = (text: string) => text.length;

const anyTool = fc.record(
  {
    name: fc.string(),
    description: fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer()),
    inputSchema: fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.string()),
  },
  { requiredKeys: ['name'] },
);
const anyServers = fc.array(
  fc.record({ name: fc.option(fc.string()), tools: fc.array(anyTool, { maxLength: 5 }) }),
  { maxLength: 4 },
);

function added(counts: readonly TokenCount[]): TokenCount {
  let [o200k_base, approx] = [0, 0];
  for (const one of counts) {
    o200k_base += one.o200k_base;
    approx += one.approx;
  }
  return { o200k_base, approx };
}

test('a tool is its name, its description and its schema as JSON', () => {
  const inputSchema = { type: 'object', properties: { q: { type: 'string' } } };
  const tool = { name: 'find', description: 'Finds bööks. ', inputSchema, annotations: { a: 1 } };
  const { servers } = surfaceTokens([{ name: 'Shop', tools: [tool] }], characters);
  const counts = {
    name: { o200k_base: 4, approx: 1 },
    description: { o200k_base: 13, approx: 4 },
    schema: { o200k_base: 54, approx: 14 },
    total: { o200k_base: 71, approx: 19 },
  };
  expect(JSON.stringify(inputSchema)).toHaveLength(54);
  expect(servers).toEqual([
    { serverName: 'Shop', total: counts.total, tools: [{ toolName: 'find', ...counts }] },
  ]);
});

test('a stored listing, of which the keys are in another order, has the tokens of the live one', () => {
  const live = { type: 'object', properties: { q: { type: 'string', minLength: 1 } } };
  const stored = { properties: { q: { minLength: 1, type: 'string' } }, type: 'object' };
  const texts: string[] = [];
  const count = (text: string) => texts.push(text);
  for (const inputSchema of [live, stored]) {
    surfaceTokens([{ name: 'Shop', tools: [{ name: 'find', inputSchema }] }], count);
  }
  expect(texts[2]).toBe(texts[5]);
  const endless = { maximum: Number.POSITIVE_INFINITY };
  const tools = [{ name: 'find', inputSchema: endless }];
  expect(surfaceTokens([{ name: null, tools }], characters).servers[0]?.tools).toMatchObject([
    { schema: { o200k_base: '{"maximum":null}'.length } },
  ]);
});

test('every total is the sum of its parts, and the share is that of 200,000 tokens', () => {
  fc.assert(
    fc.property(anyServers, (servers) => {
      const counted = surfaceTokens(servers, characters);
      for (const server of counted.servers) {
        for (const { name, description, schema, total } of server.tools) {
          expect(total).toEqual(added([name, description, schema]));
        }
        expect(server.total).toEqual(added(server.tools.map(({ total }) => total)));
      }
      expect(counted.total).toEqual(added(counted.servers.map(({ total }) => total)));
      expect(counted.share * contextWindow).toBeCloseTo(counted.total.o200k_base);
      expect(counted.servers.map(({ serverName }) => serverName)).toEqual(
        servers.map(({ name }) => name),
      );
    }),
  );
});

test('the estimate is a quarter of the UTF-8 bytes, rounded up', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const bytes = Buffer.byteLength(text);
      const { approx } = tokensOf(text, characters);
      expect(approx).toBeGreaterThanOrEqual(bytes / 4);
      expect(approx).toBeLessThan(bytes / 4 + 1);
    }),
  );
});
