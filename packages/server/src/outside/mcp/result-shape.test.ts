import { CallToolResultSchema } from '@modelcontextprotocol/sdk/types.js';
import { expect, test } from 'vitest';
import { readToolResult } from './result-shape.ts';

const text = { type: 'text', text: 'sunny' };
const data = 'aGk=';
const link = { type: 'resource_link', uri: 'a:b', name: 'one' };
const held = (resource: unknown) => ({ content: [{ type: 'resource', resource }] });

test.each<[string, Record<string, unknown>, boolean]>([
  ['text', { content: [text] }, true],
  ['nothing', { content: [] }, true],
  ['no content', {}, true],
  ['structured content without content', { structuredContent: { degrees: 21 } }, true],
  ['an error', { content: [text], isError: true }, true],
  ['no error', { content: [text], isError: false }, true],
  ['an error as text', { content: [text], isError: 'true' }, false],
  ['an error as a number', { content: [text], isError: 1 }, false],
  ['an error that is null', { content: [text], isError: null }, false],
  ['content that is text', { content: 'sunny' }, false],
  ['content that is null', { content: null }, false],
  ['a block that is text', { content: ['sunny'] }, false],
  ['a block of another type', { content: [text, { type: 'video', data }] }, false],
  ['a block without a type', { content: [{ text: 'sunny' }] }, false],
  ['text that is none', { content: [{ type: 'text', text: 7 }] }, false],
  ['an image', { content: [{ type: 'image', data, mimeType: 'image/png' }] }, true],
  ['an image without its type', { content: [{ type: 'image', data }] }, false],
  ['sound', { content: [{ type: 'audio', data, mimeType: 'audio/wav' }] }, true],
  ['sound without data', { content: [{ type: 'audio', mimeType: 'audio/wav' }] }, false],
  ['a link', { content: [link] }, true],
  ['a link without a name', { content: [{ ...link, name: undefined }] }, false],
  ['a resource of text', held({ uri: 'a:b', text: 'sunny' }), true],
  ['a resource of bytes', held({ uri: 'a:b', blob: data }), true],
  ['a resource of nothing', held({ uri: 'a:b' }), false],
  ['a resource without a uri', held({ text: 'sunny' }), false],
  ['a resource that is none', held('a:b'), false],
  ['what nobody knows beside it', { content: [{ ...text, more: 1 }], another: 2 }, true],
])('%s', (_, result, isRead) => {
  const official = CallToolResultSchema.safeParse(result);
  expect(official.success).toBe(isRead);
  if (!isRead) {
    expect(() => readToolResult(result)).toThrow(/^The server sent /);
    return;
  }
  expect(readToolResult(result)).toMatchObject({ content: official.data?.content });
});
