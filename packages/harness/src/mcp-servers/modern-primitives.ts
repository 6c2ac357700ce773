/**
 * Everything that the server for protocol 2026-07-28 offers, as data, so that tests can compare
 * each field.
 */
type Json = Record<string, unknown>;

const text = { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] };
const nothing = { type: 'object', properties: {} };

export const onePixelPng =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

export const modernTools: readonly Json[] = [
  {
    name: 'echo',
    title: 'Echo – Wörter ✓ 你好',
    description: 'Says what it was told: žluťoučký, 日本語, 👩‍👩‍👧',
    inputSchema: text,
    annotations: { readOnlyHint: true, title: 'Écho' },
    _meta: { 'example.com/origin': { nested: ['kept', 1, null] } },
  },
  {
    name: 'structured',
    description: 'Answers with structured content.',
    inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    outputSchema: {
      type: 'object',
      properties: {
        city: { type: 'string' },
        degrees: { type: 'number' },
        words: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' } },
      },
      required: ['city', 'degrees'],
    },
  },
  { name: 'failing', description: 'Always ends in an error of its own.', inputSchema: nothing },
  { name: 'picture', description: 'Answers with a picture.', inputSchema: nothing },
  { name: 'annotated', description: 'Answers with _meta.', inputSchema: nothing },
  {
    name: 'slow',
    description: 'Answers after a while.',
    inputSchema: { type: 'object', properties: { delayMs: { type: 'number' } } },
  },
  ...Array.from({ length: 14 }, (_, index) => ({
    name: `filler-${index + 1}`,
    description: `There to fill pages, number ${index + 1}.`,
    inputSchema: nothing,
  })),
];

export const modernPrompts: readonly Json[] = [
  {
    name: 'greeting',
    description: 'A greeting in a language.',
    arguments: [
      { name: 'name', description: 'Whom to greet', required: true },
      { name: 'language', required: false },
    ],
  },
  { name: 'plain', description: 'No arguments, one picture.' },
];

export const modernResources: readonly Json[] = [
  { uri: 'notes://first', name: 'first', title: 'Erste Notiz', mimeType: 'text/plain', size: 24 },
  { uri: 'pictures://one', name: 'one', mimeType: 'image/png' },
];

export const modernResourceTemplates: readonly Json[] = [
  { uriTemplate: 'notes://{id}', name: 'note', description: 'Any note', mimeType: 'text/plain' },
];

/** Returns undefined for an unknown tool. */
export function modernToolResult(name: string, parameters: Json): Json | undefined {
  if (name === 'echo') {
    return { content: [{ type: 'text', text: String(parameters['text'] ?? '') }] };
  }
  if (name === 'structured') {
    const value = { city: String(parameters['city']), degrees: -3.5, words: ['cold', 'clear'] };
    return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value };
  }
  if (name === 'failing') {
    return { content: [{ type: 'text', text: 'The shelf is empty.' }], isError: true };
  }
  if (name === 'picture') {
    return {
      content: [
        {
          type: 'image',
          data: onePixelPng,
          mimeType: 'image/png',
          annotations: { priority: 0.5, audience: ['user'] },
        },
        {
          type: 'resource',
          resource: { uri: 'pictures://one', blob: onePixelPng, mimeType: 'image/png' },
        },
        { type: 'resource_link', uri: 'notes://first', name: 'first' },
      ],
    };
  }
  if (name === 'annotated') {
    return {
      content: [{ type: 'text', text: 'see _meta', _meta: { 'example.com/part': 7 } }],
      _meta: { 'example.com/trace': { id: 'a-1', ключ: 'значение' } },
    };
  }
  if (name === 'slow' || name.startsWith('filler-')) {
    return { content: [{ type: 'text', text: `${name} done` }] };
  }
  return undefined;
}

export function modernPrompt(name: string, parameters: Json): Json | undefined {
  if (name === 'greeting') {
    const text = `Greet ${String(parameters['name'])} in ${String(parameters['language'] ?? 'English')}.`;
    return {
      description: 'A greeting',
      messages: [
        { role: 'user', content: { type: 'text', text } },
        { role: 'assistant', content: { type: 'text', text: 'Grüß Gott 👋' } },
      ],
    };
  }
  if (name === 'plain') {
    return {
      messages: [
        { role: 'user', content: { type: 'image', data: onePixelPng, mimeType: 'image/png' } },
      ],
      _meta: { 'example.com/kept': true },
    };
  }
  return undefined;
}

export function modernResource(uri: string): Json | undefined {
  if (uri === 'pictures://one') {
    return { contents: [{ uri, mimeType: 'image/png', blob: onePixelPng }] };
  }
  if (uri.startsWith('notes://')) {
    return { contents: [{ uri, mimeType: 'text/plain', text: `Notiz über ${uri} – ✓` }] };
  }
  return undefined;
}
