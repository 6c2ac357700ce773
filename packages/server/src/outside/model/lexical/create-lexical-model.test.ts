import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ModelMessage, ModelRequest, ModelTool } from '../model-gateway.ts';
import { createLexicalModel } from './create-lexical-model.ts';
import { labelledServers } from './labelled-servers.ts';

const ask = (content: string, tools: readonly ModelTool[], more: Partial<ModelRequest> = {}) =>
  createLexicalModel()({ messages: [{ role: 'user', content }], tools, ...more });

function one(properties: object, required: readonly string[] = Object.keys(properties)): ModelTool {
  return {
    name: 'do_thing',
    description: 'Does the thing.',
    inputSchema: { type: 'object', properties, required },
  };
}

const inputFor = (tool: ModelTool, request: string) => ask(request, [tool]).toolCalls[0]?.input;

const schemaLeaf = fc.oneof(
  fc.constantFrom(
    { type: 'string' },
    { type: 'integer' },
    { type: 'boolean' },
    { type: ['null', 'number'] },
    { enum: ['red', 'green', 3] },
    { type: 'array', items: { type: 'string' } },
    { type: 'object', properties: { inner: { type: 'string' } }, required: ['inner'] },
    { $ref: '#' },
    { $ref: '#/properties/a' },
    { anyOf: [{ type: 'null' }, { type: 'string', format: 'date' }] },
  ),
  fc.jsonValue(),
);
const anySchema = fc.oneof(
  fc.jsonValue().map((value) => value as unknown as Record<string, unknown>),
  fc.record({
    type: fc.constant('object'),
    properties: fc.dictionary(
      fc.oneof(fc.string(), fc.constantFrom('city', '__proto__', 'a')),
      schemaLeaf,
    ),
    required: fc.oneof(
      fc.array(fc.constantFrom('city', '__proto__', 'a', 'toString')),
      fc.jsonValue(),
    ),
  }),
);
const anyTools = fc.uniqueArray(
  fc.record({
    name: fc.stringMatching(/^[a-z_-]{1,20}$/),
    description: fc.oneof(fc.string({ unit: 'binary' }), fc.lorem()),
    inputSchema: anySchema,
  }),
  { selector: ({ name }) => name, maxLength: 8 },
);
const anyText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.lorem(),
  fc.constantFrom(
    'Find "x" in city: Rome, 3 times on 2026-01-01',
    'a=b:c="d\'',
    '1,000,000.5 March 3, 2026',
  ),
);

test('the same request gives the same bytes, in whatever order the tools come, and never throws', () => {
  fc.assert(
    fc.property(
      anyTools,
      anyText,
      fc.constantFrom('auto', 'required', 'none'),
      (tools, text, toolChoice) => {
        const first = JSON.stringify(ask(text, tools, { toolChoice }));
        const again = JSON.stringify(ask(text, structuredClone(tools), { toolChoice }));
        const turned = JSON.stringify(ask(text, [...tools].reverse(), { toolChoice }));
        expect(again).toBe(first);
        expect(turned).toBe(first);
      },
    ),
  );
});

test('usage is always counted and adds up', () => {
  fc.assert(
    fc.property(anyTools, anyText, (tools, text) => {
      const { usage } = ask(text, tools);
      expect(usage.totalTokens).toBe(
        (usage.inputTokens ?? Number.NaN) + (usage.outputTokens ?? Number.NaN),
      );
    }),
  );
  const reply = ask('two words', [], { system: 'Be kind.' });
  expect(reply.usage).toEqual({ inputTokens: 4, outputTokens: 6, totalTokens: 10 });
});

test('a request changes the list of tools as little as the order of its fields', () => {
  const tools = labelledServers.weather;
  const frozen = structuredClone(tools);
  ask('What is the weather in Paris?', tools);
  expect(tools).toEqual(frozen);
});

test('after a result it answers, whatever the tool said and whatever is asked of it', () => {
  const output = fc.oneof(
    fc.jsonValue().map((value) => ({ type: 'json' as const, value: value as unknown })),
    fc.string().map((value) => ({ type: 'error-text' as const, value })),
    fc
      .record({ content: fc.jsonValue(), structuredContent: fc.jsonValue(), isError: fc.boolean() })
      .map((value) => ({ type: 'json' as const, value: value as unknown })),
  );
  fc.assert(
    fc.property(anyTools, anyText, output, (tools, text, given) => {
      const messages = conversation(text, given);
      const reply = createLexicalModel()({ messages, tools, toolChoice: 'required' });
      expect(reply.toolCalls).toEqual([]);
      expect(reply.finishReason).toBe('stop');
      expect(reply.text).not.toBe('');
      expect(reply.text.length).toBeLessThanOrEqual(4000);
    }),
  );
});

test.each([
  [
    {
      content: [
        { type: 'text', text: '18 degrees' },
        { type: 'image' },
        { type: 'text', text: 'dry' },
      ],
    },
    '18 degrees\ndry',
  ],
  [
    { content: [], structuredContent: { sky: 'clear', wind: { speed: 3 } } },
    'sky: clear; wind: {"speed":3}',
  ],
  [{ content: [] }, 'The tool weather gave no text.'],
  [
    { content: [{ type: 'text', text: 'no such city' }], isError: true },
    'The tool weather failed: no such city',
  ],
  [{ content: [], isError: true }, 'The tool weather failed.'],
])('the result %j is told as “%s”', (value, expected) => {
  const messages = conversation('weather in Paris', { type: 'json', value });
  expect(createLexicalModel()({ messages, tools: [] }).text).toBe(expected);
});

test('a call that never came to a result is told as failed', () => {
  const messages = conversation('x', { type: 'error-text', value: 'The server is away.' });
  expect(createLexicalModel()({ messages, tools: [] }).text).toBe(
    'The tool weather failed: The server is away.',
  );
});

test('a new message of the user is a new request, with a call id of its own', () => {
  const messages: ModelMessage[] = [
    ...conversation('What is the weather in Paris?', { type: 'json', value: { content: [] } }),
    { role: 'assistant', content: [{ type: 'text', text: 'Nothing.' }] },
    { role: 'user', content: 'How is the air quality in Delhi?' },
  ];
  const reply = createLexicalModel()({ messages, tools: labelledServers.weather });
  expect(reply.toolCalls).toEqual([
    { toolCallId: 'call_2', toolName: 'air_quality', input: { city: 'Delhi' } },
  ]);
});

const people = {
  type: 'array',
  items: {
    type: 'object',
    properties: {
      name: { type: 'string' },
      age: { type: 'integer' },
      notes: { type: 'array', items: { type: 'string' } },
    },
    required: ['name'],
  },
} as const;

test('of tools that fit alike the one is called that has a use for what was said', () => {
  const path = { type: 'string' };
  const tools = [
    { name: 'read_file', description: 'Reads.', inputSchema: schemaOf({ path }) },
    {
      name: 'read_files',
      description: 'Reads.',
      inputSchema: schemaOf({ paths: { type: 'array', items: path } }),
    },
  ];
  expect(ask('Read the file a.txt', tools).toolCalls[0]?.toolName).toBe('read_file');
  expect(ask('Read the files a.txt and b.txt', tools).toolCalls[0]?.toolName).toBe('read_files');
});

function schemaOf(properties: object) {
  return { type: 'object', properties, required: Object.keys(properties) };
}

test('a word that means the same finds a tool', () => {
  const tools = ['delete_entity', 'create_entity', 'list_folder'].map((name) => ({
    name,
    inputSchema: {},
  }));
  const chosen = (request: string) => ask(request, tools).toolCalls[0]?.toolName;
  expect(chosen('Remove that entity')).toBe('delete_entity');
  expect(chosen('Make an entity')).toBe('create_entity');
  expect(chosen('Show the directory')).toBe('list_folder');
});

test('no tool is called when none fits, unless one must be, and never when none may', () => {
  const tools = labelledServers.weather;
  expect(ask('Sing a song.', tools)).toMatchObject({
    text: 'No listed tool fits this request.',
    toolCalls: [],
  });
  expect(ask('Sing a song.', tools, { toolChoice: 'required' }).toolCalls).toHaveLength(1);
  expect(ask('The weather in Paris?', tools, { toolChoice: 'none' }).toolCalls).toEqual([]);
  expect(ask('The weather in Paris?', [], { toolChoice: 'required' }).toolCalls).toEqual([]);
});

test('tools that fit equally well are chosen by name', () => {
  const twin = (name: string): ModelTool => ({
    name,
    description: 'Counts sheep.',
    inputSchema: {},
  });
  expect(ask('count sheep', [twin('b'), twin('a'), twin('c')]).toolCalls[0]?.toolName).toBe('a');
});

test.each([
  [{ title: { type: 'string' } }, 'do thing "Big news"', { title: 'Big news' }],
  [{ count: { type: 'integer' } }, 'do thing 1,250 times', { count: 1250 }],
  [{ count: { type: 'integer' } }, 'do thing 1.5 times', {}],
  [{ ratio: { type: 'number' } }, 'do thing -1.5', { ratio: -1.5 }],
  [{ color: { enum: ['dark blue', 'blue'] } }, 'do the thing in dark blue', { color: 'dark blue' }],
  [{ kind: { const: 'fixed' } }, 'do the thing', { kind: 'fixed' }],
  [{ dueDate: { type: 'string' } }, 'do thing on 3 April 2026', { dueDate: '2026-04-03' }],
  [{ includeDrafts: { type: 'boolean' } }, 'do thing with drafts', { includeDrafts: true }],
  [{ includeDrafts: { type: 'boolean' } }, 'do thing without drafts', { includeDrafts: false }],
  [
    { tags: { type: 'array', items: { type: 'string' } } },
    'do thing tags: a, b and c',
    { tags: ['a', 'b', 'c'] },
  ],
  [
    { place: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] } },
    'do thing city: Rome',
    { place: { city: 'Rome' } },
  ],
  [
    { origin: { type: 'string' }, destination: { type: 'string' } },
    'do thing to Rome from Oslo',
    { origin: 'Oslo', destination: 'Rome' },
  ],
  [
    { page: { type: 'integer' }, limit: { type: 'integer' } },
    'do thing limit 10 page 2',
    { page: 2, limit: 10 },
  ],
  [{ query: { type: 'string' } }, 'please do the thing for old maps of Rome', { query: 'Rome' }],
  [{ query: { type: 'string' } }, 'please do the thing for old maps', { query: 'old maps' }],
  [{ city: { type: 'string' } }, 'do thing', {}],
  [{ path: { type: 'string' } }, 'do the thing at /var/log/app.log.', { path: '/var/log/app.log' }],
  [
    { source: { type: 'string' }, destination: { type: 'string' } },
    'do the thing with a/b.txt into c.txt',
    { source: 'a/b.txt', destination: 'c.txt' },
  ],
  [
    { path: { type: 'string' }, pattern: { type: 'string' } },
    'do thing **/*.ts below ~/src',
    { path: '~/src', pattern: '**/*.ts' },
  ],
  [
    { paths: { type: 'array', items: { type: 'string' } } },
    'do the thing to /a.txt, b/c.md and d.csv',
    { paths: ['/a.txt', 'b/c.md', 'd.csv'] },
  ],
  [{ message: { type: 'string' } }, 'do the thing: all is well', { message: 'all is well' }],
  [{ people }, 'do thing "Ada"', { people: [{ name: 'Ada' }] }],
  [
    { people },
    'do thing. name: Ada, age: 36; name: Grace, age: 85, notes: a, b',
    {
      people: [
        { name: 'Ada', age: 36 },
        { name: 'Grace', age: 85, notes: ['a', 'b'] },
      ],
    },
  ],
] as const)('the parameters %j of “%s” become %j', (properties, request, expected) => {
  expect(inputFor(one(properties), request)).toEqual(expected);
});

test('what is not required is filled only where the request speaks of it', () => {
  const text = { type: 'string' };
  const tool = one({ name: text, note: text, limit: { type: 'integer' } }, []);
  expect(inputFor(tool, 'do thing 5')).toEqual({});
  expect(inputFor(tool, 'do thing limit 5')).toEqual({ limit: 5 });
});

test('hostile lists and texts take bounded work', () => {
  const properties = Object.fromEntries(
    Array.from({ length: 300 }, (_, index) => [
      `parameter_${index}`,
      { type: index % 2 ? 'string' : 'integer', description: 'alpha beta gamma '.repeat(500) },
    ]),
  );
  const required = Object.keys(properties);
  const heavy = {
    name: 'alpha',
    description: 'alpha beta gamma delta '.repeat(20_000),
    inputSchema: { type: 'object', properties, required },
  };
  const light = Array.from({ length: 3000 }, (_, index) => ({
    name: `beta_${index}`,
    description: 'beta gamma delta '.repeat(20),
    inputSchema: {},
  }));
  const tools = [heavy, ...light];
  const model = createLexicalModel();
  const fillers = [
    '"alpha 1 beta: 2, ',
    'a-',
    '1,000',
    "'",
    'A ',
    'a@a.',
    'k:',
    '\u0301',
    'Aa1_',
    '/a',
    'a.',
    'a/*',
    '~',
  ];
  for (const filler of fillers) {
    const content = filler.repeat(100_000);
    const messages: ModelMessage[] = [{ role: 'user', content }];
    expect(model({ messages, tools, toolChoice: 'required' }).toolCalls).toHaveLength(1);
  }
}, 120_000);

function conversation(
  request: string,
  output: { type: 'json'; value: unknown } | { type: 'error-text'; value: string },
): ModelMessage[] {
  const call = { toolCallId: 'call_1', toolName: 'weather' };
  return [
    { role: 'user', content: request },
    { role: 'assistant', content: [{ type: 'tool-call', ...call, input: {} }] },
    { role: 'tool', content: [{ type: 'tool-result', ...call, output }] },
  ];
}
