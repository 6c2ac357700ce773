import { describe, expect, test } from 'vitest';
import type { Json } from '../kernel/json.ts';
import {
  largestOverlayBytes,
  type OverlayTool,
  overlaidTools,
  overlayOf,
  overlayProblem,
  SurfaceOverlay,
  summarizeOverlay,
} from './surface-overlay.ts';

const refund: Json = {
  name: 'refund',
  title: 'Refund',
  description: 'Pays an order back.',
  inputSchema: {
    type: 'object',
    properties: { id: { type: 'string' }, note: { type: 'string' } },
    required: ['id'],
  },
};
const search: Json = { name: 'search', inputSchema: { type: 'object' } };
const over = (...tools: OverlayTool[]) => ({ servers: [{ serverName: 'Shop', tools }] });
const servers = [{ name: 'Shop', tools: [refund, search] }, { name: 'Mail' }];

describe('the words of a problem', () => {
  const problemOf = (overlay: SurfaceOverlay) => overlayProblem(overlay, servers);

  test.each<readonly [string, SurfaceOverlay, string]>([
    [
      'an unknown server',
      { servers: [{ serverName: 'Store', tools: [{ name: 'a' }] }] },
      'The run has no server "Store"; name one of its servers.',
    ],
    [
      'an unknown tool',
      over({ name: 'pay' }),
      'The server "Shop" lists no tool "pay"; remove it from the overlay, or name another tool.',
    ],
    [
      'a parameter that is not there',
      over({ name: 'refund', rename: { order: 'x' } }),
      'The tool has no parameter "order" to rename.',
    ],
    [
      'a new name that another has',
      over({ name: 'refund', rename: { id: 'note' } }),
      'The tool has a parameter "note" already; choose another name.',
    ],
    [
      'a schema with a parameter nobody has',
      over({ name: 'refund', inputSchema: { properties: { id: {}, amount: {} } } }),
      'The parameter "amount" is neither a parameter on the server nor a new name in rename; add it to rename, or remove it.',
    ],
  ])('%s', (_, overlay, message) => {
    expect(problemOf(overlay)?.message).toBe(message);
  });

  test('is that of the first, by the order of the overlay', () => {
    const twoServers = {
      servers: [
        { serverName: 'Shop', tools: [{ name: 'refund' }, { name: 'search' }] },
        { serverName: 'Shop', tools: [{ name: 'refund' }, { name: 'pay' }, { name: 'more' }] },
      ],
    };
    expect(problemOf(twoServers)?.path).toBe('servers[1].tools[1].name');
    const laterServer = {
      servers: [
        { serverName: 'Mail', tools: [{ name: 'send' }] },
        { serverName: 'Store', tools: [{ name: 'a' }] },
      ],
    };
    expect(problemOf(laterServer)?.path).toBe('servers[1].serverName');
  });

  test('names that keep theirs, and tools without a schema, are no problem', () => {
    expect(problemOf(over({ name: 'refund', rename: { id: 'id' } }))).toBeUndefined();
    expect(problemOf(over({ name: 'search', inputSchema: {} }))).toBeUndefined();
    expect(problemOf(over({ name: 'search', inputSchema: { properties: { q: {} } } }))?.path).toBe(
      'servers[0].tools[0].inputSchema.properties',
    );
    expect(problemOf(over({ name: 'search', rename: { q: 'query' } }))?.path).toBe(
      'servers[0].tools[0].rename',
    );
    const unlisted = [{ name: 'Shop', tools: [{ name: 'odd', inputSchema: 7 }] }] as never;
    expect(overlayProblem(over({ name: 'odd' }), unlisted)).toBeUndefined();
  });
});

describe('what is found of an overlay', () => {
  const two = {
    servers: [
      { serverName: 'Shop', tools: [{ name: 'refund', title: 'One' }] },
      { serverName: 'Mail', tools: [{ name: 'refund', title: 'Two' }, { name: 'send' }] },
    ],
  };

  test.each([
    ['Shop', 'refund', 'One'],
    ['Mail', 'refund', 'Two'],
    ['Shop', 'send', undefined],
    ['Store', 'refund', undefined],
    [null, 'refund', undefined],
  ])('of %s, %s: %s', (serverName, toolName, title) => {
    expect(overlayOf(two, serverName, toolName)?.title).toBe(title);
  });

  test('a server that stands twice is looked through twice', () => {
    const twice = over({ name: 'a' });
    const both = { servers: [...twice.servers, ...over({ name: 'b', title: 'B' }).servers] };
    expect(overlayOf(both, 'Shop', 'b')).toEqual({ name: 'b', title: 'B' });
    expect(overlayOf(undefined, 'Shop', 'b')).toBeUndefined();
  });

  test('its summary counts the tools of all servers', () => {
    expect(summarizeOverlay(two, 'h1')).toEqual({ hash: 'h1', tools: 3 });
    expect(summarizeOverlay({ servers: [] }, 'h2')).toEqual({ hash: 'h2', tools: 0 });
  });
});

describe('a tool under an overlay', () => {
  const toolOf = (one: OverlayTool, listed: Json = refund) =>
    overlaidTools(over(one), 'Shop', [listed])[0];

  test.each<readonly [string, OverlayTool, Json]>([
    ['a description', { name: 'refund', description: '' }, { description: '' }],
    ['a title', { name: 'refund', title: 'Pay back' }, { title: 'Pay back' }],
    ['annotations', { name: 'refund', annotations: { a: 1 } }, { annotations: { a: 1 } }],
    ['a schema', { name: 'refund', inputSchema: { a: 1 } }, { inputSchema: { a: 1 } }],
    ['nothing at all', { name: 'refund' }, {}],
  ])('has %s in the place of its own, and the rest as listed', (_, one, changed) => {
    expect(toolOf(one)).toEqual({ ...refund, ...changed });
  });

  test('without a schema gets none by new names', () => {
    expect(toolOf({ name: 'bare', rename: { a: 'b' } }, { name: 'bare' })).toEqual({
      name: 'bare',
    });
  });

  test('has each parameter under its new name, where the new name was free or is another’s old one', () => {
    const listed = (properties: Json, required?: unknown) => ({
      name: 't',
      inputSchema: { properties, ...(required !== undefined && { required }) },
    });
    const schemaOf = (rename: Record<string, string>, tool: Json) =>
      toolOf({ name: 't', rename }, tool)?.['inputSchema'];
    expect(schemaOf({ a: 'b', b: 'a' }, listed({ a: 1, b: 2 }, ['a']))).toEqual({
      properties: { b: 1, a: 2 },
      required: ['b'],
    });
    expect(schemaOf({ a: 'b' }, listed({ a: 1, b: 2 }, ['a', 'b']))).toEqual({
      properties: { a: 1, b: 2 },
      required: ['a', 'b'],
    });
    expect(schemaOf({ a: 'b' }, listed({ a: 1 }, ['a', 7, 'c']))).toEqual({
      properties: { b: 1 },
      required: ['b', 7, 'c'],
    });
    expect(schemaOf({ a: 'b' }, listed({ a: 1 }, 'a'))).toEqual({
      properties: { b: 1 },
      required: 'a',
    });
    expect(
      schemaOf({ a: 'b' }, { name: 't', inputSchema: { type: 'object', required: ['a'] } }),
    ).toEqual({
      type: 'object',
      required: ['b'],
    });
  });
});

describe('the shape', () => {
  const problems = (overlay: unknown) =>
    SurfaceOverlay.safeParse(overlay).error?.issues.map(({ path, message }) => [
      path.join('.'),
      message,
    ]);
  const tools = (count: number) => Array.from({ length: count }, (_, at) => ({ name: `t${at}` }));
  const many = (count: number) => ({
    servers: Array.from({ length: count }, (_, at) => ({ serverName: `s${at}`, tools: tools(1) })),
  });

  test('says what stands twice, and where', () => {
    expect(problems(over({ name: 'a' }, { name: 'b' }, { name: 'a' }))).toEqual([
      ['servers.0.tools.2.name', 'The overlay has this tool twice; merge the two entries.'],
    ]);
    expect(problems(over({ name: 'a', rename: { b: 'd', c: 'd' } }))).toEqual([
      [
        'servers.0.tools.0.rename',
        'Two parameters have the same new name; give each a different name.',
      ],
    ]);
    expect(problems(over({ name: 'a', rename: { b: 'd', c: 'e' } }))).toBeUndefined();
  });

  test('takes tools of one name on two servers, which are not the same by any spelling', () => {
    const named = (serverName: string, name: string) => ({ serverName, tools: [{ name }] });
    expect(problems({ servers: [named('a', 'b'), named('c', 'b')] })).toBeUndefined();
    expect(problems({ servers: [named('a', 'bc'), named('ab', 'c')] })).toBeUndefined();
    expect(problems({ servers: [named('a', 'b'), named('a', 'b')] })?.[0]?.[0]).toBe(
      'servers.1.tools.0.name',
    );
  });

  test('has bounds', () => {
    expect(problems({ servers: [] })).toEqual([['servers', 'Name at least one server.']]);
    expect(problems(over())).toEqual([['servers.0.tools', 'Name at least one tool.']]);
    expect(problems(many(50))).toBeUndefined();
    expect(problems(many(51))).toHaveLength(1);
    expect(problems({ servers: [{ serverName: 'Shop', tools: tools(1000) }] })).toBeUndefined();
    expect(problems({ servers: [{ serverName: 'Shop', tools: tools(1001) }] })).toHaveLength(1);
    expect(problems(over({ name: '' }))).toHaveLength(1);
    expect(problems(over({ name: 'x'.repeat(200) }))).toBeUndefined();
    expect(problems(over({ name: 'x'.repeat(201) }))).toHaveLength(1);
    expect(problems(over({ name: 'a', description: 'x'.repeat(100_000) }))).toBeUndefined();
    expect(problems(over({ name: 'a', description: 'x'.repeat(100_001) }))).toHaveLength(1);
    expect(problems(over({ name: 'a', unknown: 1 } as never))).toHaveLength(1);
  });

  test('counts bytes, of all that it holds', () => {
    const empty = JSON.stringify(over({ name: 'a', inputSchema: { a: '' } })).length;
    const filled = (bytes: number) =>
      over({ name: 'a', inputSchema: { a: 'x'.repeat(bytes - empty) } });
    expect(problems(filled(largestOverlayBytes))).toBeUndefined();
    expect(problems(filled(largestOverlayBytes + 1))).toEqual([
      ['', 'An overlay may have at most 256 KiB.'],
    ]);
  });
});
