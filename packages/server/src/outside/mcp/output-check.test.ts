import { expect, test } from 'vitest';
import { McpFailure } from './mcp-failure.ts';
import { mcpLimits } from './mcp-limits.ts';
import { checkOutput } from './output-check.ts';

const schema = { type: 'object', properties: { a: { type: 'number' } }, required: ['a'] };
const check = (result: Record<string, unknown>, tool: Record<string, unknown> | undefined) =>
  checkOutput(result, async () => tool, mcpLimits);

test('a tool without a schema, and a result that reports an error, owe nothing', async () => {
  expect(await check({ structuredContent: { a: 'x' } }, undefined)).toBeUndefined();
  expect(await check({ structuredContent: { a: 'x' } }, { name: 't' })).toBeUndefined();
  expect(await check({ isError: true }, { outputSchema: schema })).toBeUndefined();
});

test('content is compared with the schema of the tool', async () => {
  const tool = { outputSchema: schema };
  expect(await check({ structuredContent: { a: 1 } }, tool)).toEqual({ state: 'valid' });
  expect(await check({ structuredContent: {} }, tool)).toEqual({
    state: 'invalid',
    message: 'The value must have the member a',
  });
  expect((await check({ content: [] }, tool))?.state).toBe('invalid');
});

test('a schema over 256 KiB is not looked into', async () => {
  const large = (bytes: number) => ({
    outputSchema: { ...schema, description: 'x'.repeat(bytes) },
  });
  const result = { structuredContent: { a: 1 } };
  expect((await check(result, large(255 * 1024)))?.state).toBe('valid');
  expect((await check(result, large(256 * 1024)))?.state).toBe('notValidated');
});

test('a list of tools that cannot be read leaves the result unchecked', async () => {
  const find = () => Promise.reject(new McpFailure('TIMEOUT', 'late'));
  expect(await checkOutput({}, find, mcpLimits)).toMatchObject({ state: 'notValidated' });
});
