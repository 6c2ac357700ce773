import { expect, test } from 'vitest';
import type { ModelMessage } from './model-gateway.ts';
import { type ImagePosition, toCallOptions } from './to-call-options.ts';

const { signal } = new AbortController();
const png = 'iVBORw0KGgo=';

function sent(value: unknown, images: ImagePosition = 'none') {
  const output = { type: 'json', value } as const;
  const messages: ModelMessage[] = [
    { role: 'tool', content: [{ type: 'tool-result', toolCallId: 'one', toolName: 't', output }] },
  ];
  const [tool, ...others] = toCallOptions({ messages, tools: [] }, signal, images).prompt;
  if (tool?.role !== 'tool' || tool.content[0]?.type !== 'tool-result')
    throw new Error('no result');
  return { output: tool.content[0].output, others };
}

const text = (value: string) => ({ type: 'text', value });
const image = { type: 'image', mimeType: 'image/png', data: png };

test.each<[string, object, object]>([
  [
    'texts',
    {
      content: [
        { type: 'text', text: 'one' },
        { type: 'text', text: 'two' },
      ],
    },
    text('one\ntwo'),
  ],
  ['an image', { content: [image] }, text('[image image/png, 9 bytes]')],
  [
    'a large sound',
    { content: [{ type: 'audio', mimeType: 'audio/wav', data: 'A'.repeat(16_000) }] },
    text('[audio audio/wav, 12 kB]'),
  ],
  [
    'a resource with text',
    {
      content: [
        { type: 'resource', resource: { uri: 'file:///a', mimeType: 'text/plain', text: 'A' } },
      ],
    },
    text('[resource file:///a, text/plain]\nA'),
  ],
  [
    'a resource with bytes',
    {
      content: [
        {
          type: 'resource',
          resource: { uri: 'file:///z', mimeType: 'application/zip', blob: 'AAAA' },
        },
      ],
    },
    text('[resource file:///z, application/zip, 3 bytes]'),
  ],
  [
    'a link',
    {
      content: [
        { type: 'resource_link', name: 'readme', uri: 'file:///r', mimeType: 'text/markdown' },
      ],
    },
    text('[link readme, file:///r, text/markdown]'),
  ],
  [
    'structured content beside a text that says it',
    { content: [{ type: 'text', text: 'sunny' }], structuredContent: { sky: 'sunny' } },
    text('sunny'),
  ],
  [
    'structured content alone',
    { content: [], structuredContent: { sky: 'sunny' } },
    text('{"sky":"sunny"}'),
  ],
  ['nothing', { content: [] }, text('[no content]')],
  [
    'a kind nobody knows',
    { content: [{ type: 'hologram', data: png }] },
    text('[content of an unknown kind hologram]'),
  ],
  [
    'an error',
    { isError: true, content: [{ type: 'text', text: 'no such city' }] },
    { type: 'error-text', value: 'no such city' },
  ],
])('%s of a tool reaches a model of words as text', (_, result, expected) => {
  expect(sent(result)).toEqual({ output: expected, others: [] });
});

test('what is no result of an MCP tool stays JSON', () => {
  expect(sent({ skills: [] }).output).toEqual({ type: 'json', value: { skills: [] } });
  expect(sent(undefined).output).toEqual({ type: 'json', value: null });
});

test('an image is an image in the result, where the provider takes one there', () => {
  const { output, others } = sent(
    { content: [{ type: 'text', text: 'Look:' }, image] },
    'inResult',
  );
  expect(output).toEqual({
    type: 'content',
    value: [
      { type: 'text', text: 'Look:\n[image image/png, 9 bytes]' },
      { type: 'image-data', mediaType: 'image/png', data: png },
    ],
  });
  expect(others).toEqual([]);
});

test('an image is an image of a message after the results, where only messages hold images', () => {
  const { output, others } = sent({ content: [image] }, 'inMessage');
  expect(output).toEqual(text('[image image/png, 9 bytes]'));
  expect(others).toEqual([
    {
      role: 'user',
      content: [
        { type: 'text', text: 'The images of the results above:' },
        { type: 'file', mediaType: 'image/png', data: png },
      ],
    },
  ]);
});

test('an image of a format that providers refuse stays in words', () => {
  const tiff = {
    content: [
      { ...image, mimeType: 'image/tiff' },
      { ...image, data: 'not base64!' },
    ],
  };
  const words = '[image image/tiff, 9 bytes]\n[image image/png, 8 bytes]';
  expect(sent(tiff, 'inResult').output).toEqual(text(words));
});
