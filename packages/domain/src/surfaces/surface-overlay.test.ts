import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../kernel/json.ts';
import {
  argumentsForServer,
  largestOverlayBytes,
  type OverlayTool,
  overlaidTools,
  overlayOf,
  overlayProblem,
  SurfaceOverlay,
  summarizeOverlay,
} from './surface-overlay.ts';
import { toolParameters } from './tool-parameters.ts';

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
const seen = (...tools: OverlayTool[]) => overlaidTools(over(...tools), 'Shop', [refund, search]);

describe('what a model sees', () => {
  test('is what the overlay states, and what the server lists of the rest', () => {
    expect(
      seen({ name: 'refund', description: 'New.', annotations: { readOnlyHint: false } }),
    ).toEqual([{ ...refund, description: 'New.', annotations: { readOnlyHint: false } }, search]);
    expect(seen({ name: 'refund', hidden: true })).toEqual([search]);
    expect(seen({ name: 'refund', hidden: false, title: 'T' })).toEqual([
      { ...refund, title: 'T' },
      search,
    ]);
  });

  test('is as listed for servers and tools that the overlay does not name', () => {
    const tools = [refund, search];
    expect(overlaidTools(over({ name: 'refund', hidden: true }), 'Store', tools)).toBe(tools);
    expect(overlaidTools(undefined, 'Shop', tools)).toBe(tools);
  });

  test('has parameters under their new names, required ones too, in a stated schema as in that of the server', () => {
    const rename = { id: 'order_id' };
    expect(seen({ name: 'refund', rename })[0]?.['inputSchema']).toEqual({
      type: 'object',
      properties: { order_id: { type: 'string' }, note: { type: 'string' } },
      required: ['order_id'],
    });
    const stated = (name: string) => ({
      properties: { [name]: { description: 'D' } },
      required: [name],
    });
    for (const name of ['id', 'order_id']) {
      const [tool] = seen({ name: 'refund', rename, inputSchema: stated(name) });
      expect(tool?.['inputSchema']).toEqual(stated('order_id'));
    }
  });
});

test('calls by the names a model sees reach the server by its own, whatever the names', () => {
  const names = fc.uniqueArray(fc.string({ minLength: 1, maxLength: 4 }), {
    minLength: 2,
    maxLength: 8,
  });
  fc.assert(
    fc.property(names, fc.infiniteStream(fc.nat(5)), (all, values) => {
      const own = all.slice(0, Math.ceil(all.length / 2));
      const fresh = all.slice(own.length);
      const rename = Object.fromEntries(fresh.map((name, at) => [own[at] ?? '', name]));
      const properties = Object.fromEntries(own.map((name) => [name, { const: name }]));
      const tool = { name: 't', inputSchema: { properties } };
      const [shown] = overlaidTools(over({ name: 't', rename }), 'Shop', [tool]);
      const said = Object.fromEntries(
        toolParameters(shown ?? {}).map(({ name, schema }) => [
          name,
          [schema['const'], values.next().value],
        ]),
      );
      const sent = argumentsForServer({ name: 't', rename }, said);
      expect(Object.keys(sent).sort()).toEqual([...own].sort());
      for (const [name, value] of Object.entries(sent)) expect((value as unknown[])[0]).toBe(name);
    }),
  );
});

test('two parameters may change names, and the name a model was shown wins', () => {
  const swapped = { name: 't', rename: { a: 'b', b: 'a' } };
  expect(argumentsForServer(swapped, { a: 1, b: 2, c: 3 })).toEqual({ b: 1, a: 2, c: 3 });
  expect(argumentsForServer({ name: 't', rename: { a: 'x' } }, { x: 1, a: 2 })).toEqual({ a: 1 });
  const input = { a: 1 };
  expect(argumentsForServer({ name: 't' }, input)).toBe(input);
});

const servers = [{ name: 'Shop', tools: [refund, search] }, { name: 'Mail' }];

test.each<readonly [string, SurfaceOverlay, string | undefined]>([
  [
    'an unknown server',
    { servers: [{ serverName: 'Store', tools: [{ name: 'a' }] }] },
    'servers[0].serverName',
  ],
  ['an unknown tool', over({ name: 'search' }, { name: 'pay' }), 'servers[0].tools[1].name'],
  [
    'a tool of a server nobody listed',
    { servers: [{ serverName: 'Mail', tools: [{ name: 'a', rename: { b: 'c' } }] }] },
    undefined,
  ],
  [
    'a parameter that is not there',
    over({ name: 'refund', rename: { order: 'x' } }),
    'servers[0].tools[0].rename',
  ],
  [
    'a new name that another has',
    over({ name: 'refund', rename: { id: 'note' } }),
    'servers[0].tools[0].rename',
  ],
  [
    'names that change places',
    over({ name: 'refund', rename: { id: 'note', note: 'id' } }),
    undefined,
  ],
  [
    'a schema with a parameter nobody has',
    over({ name: 'refund', inputSchema: { properties: { id: {}, amount: {} } } }),
    'servers[0].tools[0].inputSchema.properties',
  ],
  [
    'a schema with a new name',
    over({ name: 'refund', inputSchema: { properties: { order: {} } }, rename: { id: 'order' } }),
    undefined,
  ],
])('%s', (_, overlay, path) => {
  expect(overlayProblem(overlay, servers)?.path).toBe(path);
});

test('where only names of tools are known, an unknown one is refused all the same', () => {
  const known = [{ name: 'Shop', toolNames: new Set(['refund']) }];
  expect(overlayProblem(over({ name: 'pay' }), known)?.path).toBe('servers[0].tools[0].name');
  expect(overlayProblem(over({ name: 'refund', rename: { a: 'b' } }), known)).toBeUndefined();
});

test('the shape refuses what is too large, said twice, or renamed to one name', () => {
  const problems = (overlay: unknown) =>
    SurfaceOverlay.safeParse(overlay).error?.issues.map(({ path, message }) => [
      path.join('.'),
      message,
    ]);
  expect(problems(over({ name: 'a' }, { name: 'a' }))?.[0]?.[0]).toBe('servers.0.tools.1.name');
  expect(problems(over({ name: 'a', rename: { b: 'd', c: 'd' } }))?.[0]?.[0]).toBe(
    'servers.0.tools.0.rename',
  );
  const large = Array.from({ length: 3 }, (_, at) => ({
    name: `${at}`,
    description: 'é'.repeat(50_000),
  }));
  expect(problems(over(...large))).toEqual([['', 'An overlay may have at most 256 KiB.']]);
  expect(problems(over(...large.slice(0, 2)))).toBeUndefined();
  expect(largestOverlayBytes).toBe(262_144);
});

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
      'The server "Shop" lists no tool "pay"; take it out, or name another.',
    ],
    [
      'a parameter that is not there',
      over({ name: 'refund', rename: { order: 'x' } }),
      'The tool has no parameter "order" to give another name.',
    ],
    [
      'a new name that another has',
      over({ name: 'refund', rename: { id: 'note' } }),
      'The tool has a parameter "note" already; choose another name.',
    ],
    [
      'a schema with a parameter nobody has',
      over({ name: 'refund', inputSchema: { properties: { id: {}, amount: {} } } }),
      'The parameter "amount" is neither one of the server nor a new name of one; add it to rename, or take it out.',
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
      ['servers.0.tools.2.name', 'The overlay names this tool twice; say all of it once.'],
    ]);
    expect(problems(over({ name: 'a', rename: { b: 'd', c: 'd' } }))).toEqual([
      ['servers.0.tools.0.rename', 'Two parameters get the same new name; give each its own.'],
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
