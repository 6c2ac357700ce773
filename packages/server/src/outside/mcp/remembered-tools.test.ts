import { expect, test } from 'vitest';
import { mcpLimits } from './mcp-limits.ts';
import { checkOutput } from './output-check.ts';
import { rememberedTools, schemaNotRemembered } from './remembered-tools.ts';

const limits = { maxSchemaBytes: 100, maxKeptBytes: 250 };
const schema = (length: number) => ({ description: 'x'.repeat(length) });
const sent = { type: 'string', 'x-mcp-header': 'Region' };
const headers = { type: 'object', properties: { a: sent } };

test('only what later calls need is kept: of the input, the arguments that are sent as headers', () => {
  const properties = { a: { ...sent, description: 'long' }, b: { type: 'string' } };
  const inputSchema = { type: 'object', properties, required: ['a'] };
  const tool = { name: 'a', description: 'long', inputSchema, outputSchema: schema(2) };
  const others = [{ name: 'b' }, { name: 'c', inputSchema: schema(1) }];
  expect([...rememberedTools([{ ...tool, _meta: { a: 1 } }, ...others], limits)]).toEqual([
    ['a', { name: 'a', inputSchema: headers, outputSchema: schema(2) }],
    ['b', { name: 'b' }],
    ['c', { name: 'c' }],
  ]);
});

test('a schema that is too large is not kept, though it is known that there is one', async () => {
  const tools = [{ name: 'a', inputSchema: schema(100), outputSchema: schema(100) }];
  const tool = rememberedTools(tools, limits).get('a');
  expect(tool).toEqual({ name: 'a', outputSchema: schemaNotRemembered });
  expect(await checkOutput({ structuredContent: {} }, async () => tool, mcpLimits)).toMatchObject({
    state: 'notValidated',
  });
});

test('all that is kept together is bounded, names included', () => {
  const tools = Array.from({ length: 50 }, (_, at) => ({
    name: `tool-${at}`,
    inputSchema: headers,
    outputSchema: schema(40),
  }));
  const kept = [...rememberedTools(tools, limits).values()];
  expect(kept[0]).toEqual(tools[0]);
  expect(
    JSON.stringify(kept.map(({ name, inputSchema }) => [name, inputSchema])).length,
  ).toBeLessThan(600);
  expect(
    kept.filter(({ outputSchema }) => outputSchema !== schemaNotRemembered).length,
  ).toBeLessThan(4);
  expect(kept.length).toBeLessThan(30);
});
