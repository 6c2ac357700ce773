/**
 * Servers whose schemas or lists harm clients that compile the schemas, resolve their references or
 * read all pages.
 */
import {
  type Exchange,
  type Expected,
  fine,
  type HostileMode,
  invalid,
  sendJson,
  tooLarge,
} from './hostile-mode.ts';

/** Patterns on which a backtracking regex engine takes exponential or high polynomial time. */
export const slowPatterns: readonly string[] = [
  '^(a+)+$',
  '^(a|a)*$',
  '^(a|aa)+$',
  '^([a-z]+)*$',
  '^(a*)*b$',
  '^(.*a){20}$',
  '^(([a-z])+.)+[A-Z]([a-z])+$',
  '^(\\w+\\s?)*$',
  '^(?=(a+)+$)a*b$',
  '^(a+)\\1+$',
  '(x+x+)+y',
  '^a*a*a*a*a*a*a*a*b$',
];

const trap = `${'a'.repeat(40)}!`;

export const schemas = {
  ...Object.fromEntries(
    slowPatterns.map((pattern, index) => [
      `redos${index + 1}`,
      schemaMode({ type: 'object', properties: { value: { type: 'string', pattern } } }),
    ]),
  ),
  // Listing the tools fails because the list is too large. A call succeeds, because its result is
  // not validated.
  manyProperties: {
    ...schemaMode({ type: 'object', properties: properties(60_000) }),
    steps: ['list'],
    expected: tooLarge,
  },
  manyPropertiesOfTheTool: {
    ...schemaMode({ type: 'object', properties: properties(60_000) }),
    steps: ['call'],
  },
  // The schema is small enough to read but too large to compile. So it is stored unchanged and
  // never used.
  largeSchema: schemaMode({ type: 'object', properties: properties(30_000) }),
  deepSchema: {
    ...schemaMode({}),
    toolText: `{"name":"sample","inputSchema":{"type":"object"},"outputSchema":${deepSchema(10_000)}}`,
    expected: [fine, tooLarge],
  },
  cyclicReference: schemaMode({
    type: 'object',
    properties: { value: { $ref: '#/$defs/one' } },
    $defs: { one: { $ref: '#/$defs/two' }, two: { $ref: '#/$defs/one' } },
  }),
  remoteReference: schemaMode({
    type: 'object',
    properties: { value: { $ref: 'ELSEWHERE/schema.json' } },
  }),
  badPattern: schemaMode({
    type: 'object',
    properties: { value: { type: 'string', pattern: '([a-z' } },
  }),
  endlessPages: pages((page) => `page-${page}`, tooLarge),
  repeatedCursor: pages(() => 'always-the-same', invalid),
  manyTools: {
    steps: ['list'],
    operation: 'export',
    misbehave: (exchange: Exchange) => {
      const tools = Array.from({ length: 3000 }, (_, at) => toolOf({}, `tool-${at}`));
      sendJson(exchange, { jsonrpc: '2.0', id: exchange.message?.id, result: { tools } });
    },
    expected: [invalid, tooLarge],
  },
} satisfies Record<string, HostileMode>;

/** The list and the call are valid. Only compiling the output schema can cause trouble. */
function schemaMode(outputSchema: object): HostileMode {
  return {
    steps: ['list', 'call'],
    tool: { ...toolOf({}), outputSchema },
    result: resultOf(),
    expected: fine,
  };
}

function pages(cursor: (page: number) => string, expected: Expected): HostileMode {
  return {
    steps: ['list'],
    operation: 'export',
    misbehave: (exchange) => {
      const tools = [toolOf({}, `tool-${exchange.times}`)];
      const result = { tools, nextCursor: cursor(exchange.times) };
      sendJson(exchange, { jsonrpc: '2.0', id: exchange.message?.id, result });
    },
    expected,
  };
}

function resultOf() {
  const value = { value: trap };
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value };
}

function toolOf(more: object, name = 'sample') {
  return { name, inputSchema: { type: 'object' }, ...more };
}

function deepSchema(depth: number): string {
  const open = '{"type":"object","properties":{"a":'.repeat(depth);
  return `${open}{"type":"string"}${'}}'.repeat(depth)}`;
}

function properties(count: number): Record<string, object> {
  return Object.fromEntries(
    Array.from({ length: count }, (_, at) => [`p${at}`, { pattern: `^a${at}b+$` }]),
  );
}
