import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json } from '../kernel/json.ts';
import {
  argumentsForServer,
  largestOverlayBytes,
  type OverlayTool,
  overlaidTools,
  overlayProblem,
  SurfaceOverlay,
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
      const given = Object.fromEntries(
        toolParameters(shown ?? {}).map(({ name, schema }) => [
          name,
          [schema['const'], values.next().value],
        ]),
      );
      const sent = argumentsForServer({ name: 't', rename }, given);
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
