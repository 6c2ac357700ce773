import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkValue } from '../kernel/check-value.ts';
import { EvalCaseDefinition } from '../suites/eval-case.ts';
import { draftCases } from './draft-cases.ts';
import { draftableTools } from './draftable-tools.ts';
import { type CaseMix, caseBuckets, caseOfDraft, type DraftTool } from './drafted-case.ts';
import { draftFirstSuites } from './first-suites/first-suites.ts';
import { firstSuiteTexts } from './first-suites/suite-texts.ts';

const none: CaseMix = { simple: 0, multiTool: 0, multiTurn: 0, complex: 0, negative: 0 };

function tool(name: string, properties: object = {}, rest: Partial<DraftTool> = {}): DraftTool {
  const inputSchema = { type: 'object', properties, required: Object.keys(properties) };
  return { serverName: 'shop', name, description: `Does ${name}. And more.`, inputSchema, ...rest };
}

function firstSuites(tools: readonly DraftTool[]): string {
  const head = { serverName: 'shop', reached: {}, model: 'm' };
  const { prompts, contract } = firstSuiteTexts(draftFirstSuites({ tools, answers: [] }), head);
  return prompts + contract;
}

const shop = [
  tool('cancel_order', { orderId: { type: 'string' } }),
  tool('order_status', { orderId: { type: 'string' } }),
  tool('refund_order', { orderId: { type: 'string' }, amount: { type: 'number' } }),
  tool('find_products', { query: { type: 'string', examples: ['a lamp, or two'] } }),
];

test('a simple request is the first sentence and every required argument', () => {
  expect(draftCases(shop, { mix: { ...none, simple: 2 } })).toEqual([
    {
      bucket: 'simple',
      title: 'find_products',
      turns: [
        {
          prompt: 'Does find_products. query: "a lamp, or two"',
          expected: [{ toolName: 'find_products', arguments: { query: 'a lamp, or two' } }],
        },
      ],
    },
    {
      bucket: 'simple',
      title: 'order_status',
      turns: [
        {
          prompt: 'Does order_status. orderId: sample',
          expected: [{ toolName: 'order_status', arguments: { orderId: 'sample' } }],
        },
      ],
    },
  ]);
});

test('a pair reads, then writes what it read of; as one prompt or as two', () => {
  const drafts = draftCases(shop, {
    mix: { ...none, multiTool: 1, multiTurn: 9, complex: 9 },
    includesWriting: true,
  });
  expect(drafts.map(({ bucket, title }) => [bucket, title])).toEqual([
    ['multiTool', 'order_status, cancel_order'],
    ['multiTurn', 'order_status, cancel_order 2'],
    ['multiTurn', 'order_status, refund_order'],
    ['complex', 'order_status, cancel_order, refund_order'],
  ]);
  expect(drafts[0]?.turns).toHaveLength(1);
  expect(drafts[0]?.turns[0]?.prompt).toBe(
    'Does order_status. orderId: sample. Does cancel_order. orderId: sample.',
  );
  expect(drafts[0]?.turns[0]?.expected).toHaveLength(2);
  expect(drafts[1]?.turns.map(({ expected }) => expected.length)).toEqual([1, 1]);
  expect(drafts[3]?.turns[0]?.expected).toHaveLength(3);
});

test('what the server says of a tool goes before what its name says', () => {
  const listed = [
    tool('cancel_order', {}, { annotations: { readOnlyHint: true } }),
    tool('a_status', {}),
  ];
  const [first] = draftCases([...listed, tool('b', {}, { annotations: { readOnlyHint: false } })], {
    mix: { ...none, simple: 1 },
  });
  expect(first?.title).toBe('a_status');
  const held = tool('a', {}, { annotations: { readOnlyHint: false } });
  const all = draftCases([held, ...listed], { mix: { ...none, simple: 9 }, includesWriting: true });
  expect(all.at(-1)?.title).toBe('a');
});

test('what is held for writing, for widgets alone or without a sample is in no case unless asked for', () => {
  const listed = [
    ...shop,
    tool('list_orders', {}),
    tool('get_state', {}, { isForWidgets: true }),
    tool('get_odd', { it: { type: 'string', pattern: '(?=never)' } }),
    tool('get_book', {}, { annotations: { destructiveHint: true } }),
  ];
  const mix = { simple: 9, multiTool: 9, multiTurn: 9, complex: 9, negative: 1 };
  const named = (includesWriting: boolean) => [
    ...new Set(
      draftCases(listed, { mix, includesWriting }).flatMap(({ turns }) =>
        turns.flatMap(({ expected }) => expected.map(({ toolName }) => toolName)),
      ),
    ),
  ];
  expect(named(false)).toEqual(['find_products', 'list_orders', 'order_status']);
  expect(named(true).sort()).toEqual([
    'cancel_order',
    'find_products',
    'get_book',
    'list_orders',
    'order_status',
    'refund_order',
  ]);
  expect(draftableTools(listed).leftOut.map(({ toolName, reason }) => [toolName, reason])).toEqual([
    ['get_odd', 'no value was found for its parameter it (pattern (?=never))'],
    ['get_state', 'only widgets may call it'],
    ['cancel_order', expect.stringMatching(/^held for writing: .* its name says cancel$/)],
    ['get_book', 'held for writing: annotated destructiveHint: true'],
    ['refund_order', expect.stringContaining('held for writing')],
  ]);
});

test('a case for a tool that names a widget asserts that it is rendered', () => {
  const [first] = draftCases([tool('get_map', {}, { widget: 'ui://shop/map' })], {
    mix: { ...none, simple: 1 },
  });
  expect(first && caseOfDraft(first).steps.at(-1)).toMatchObject({
    kind: 'assert',
    assertion: { type: 'widgetRendered', toolName: 'get_map' },
  });
});

test('a tool that two servers list is named with its server', () => {
  const twins = [tool('ping'), tool('ping', {}, { serverName: 'other' })];
  const drafts = draftCases(twins, { mix: { ...none, simple: 5 } });
  expect(drafts.map(({ title }) => title)).toEqual(['ping', 'ping 2']);
  expect(drafts.map(({ turns }) => turns[0]?.expected[0]?.serverName)).toEqual(['other', 'shop']);
});

test('neighbouring cases speak in different voices, and expect the same', () => {
  const options = { mix: { ...none, simple: 4, multiTurn: 1 }, includesWriting: true };
  const plain = draftCases(shop, options);
  const varied = draftCases(shop, { ...options, varyUserStyles: true });
  expect(varied.map(({ turns }) => turns.map(({ expected }) => expected))).toEqual(
    plain.map(({ turns }) => turns.map(({ expected }) => expected)),
  );
  const openers = varied.map(({ turns }, index) => {
    const bare = plain[index]?.turns[0]?.prompt ?? '';
    expect(turns[0]?.prompt.endsWith(` ${bare}`)).toBe(true);
    return turns[0]?.prompt.slice(0, -bare.length);
  });
  expect(new Set(openers).size).toBe(5);
  expect(varied.at(-1)?.turns[1]?.prompt).not.toBe(plain.at(-1)?.turns[1]?.prompt);
});

const anyTool = fc.record({
  serverName: fc.constantFrom('one', 'two'),
  name: fc.oneof(
    fc.constantFrom('get_order', 'list_orders', 'cancel_order', 'pay_order', 'ping'),
    fc.string({ minLength: 1, maxLength: 60, unit: 'binary' }),
  ),
  description: fc.string({ unit: 'binary' }),
  inputSchema: fc.record({
    type: fc.constant('object'),
    properties: fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })),
    required: fc.oneof(fc.array(fc.string()), fc.jsonValue()),
  }),
}) as fc.Arbitrary<DraftTool>;
const anyMix = fc.record(
  Object.fromEntries(caseBuckets.map((bucket) => [bucket, fc.integer({ min: 0, max: 10 })])),
) as unknown as fc.Arbitrary<CaseMix>;

test('whatever a server lists: the same drafts in any order, storable, apart, and no more than asked', () => {
  fc.assert(
    fc.property(
      fc.array(anyTool, { maxLength: 12 }),
      anyMix,
      fc.boolean(),
      (listed, mix, varyUserStyles) => {
        const includesWriting = varyUserStyles;
        const tools = [
          ...new Map(
            listed.map((one) => [JSON.stringify([one.serverName, one.name]), one]),
          ).values(),
        ];
        const options = { mix, varyUserStyles, includesWriting };
        const drafts = draftCases(tools, options);
        expect(draftCases([...tools].reverse(), options)).toEqual(drafts);
        expect(new Set(drafts.map(({ title }) => title)).size).toBe(drafts.length);
        for (const bucket of caseBuckets) {
          const made = drafts.filter((draft) => draft.bucket === bucket);
          expect(made.length).toBeLessThanOrEqual(mix[bucket]);
          const counts = made.map(({ turns }) => turns.flatMap(({ expected }) => expected).length);
          const wanted = { simple: 1, multiTool: 2, multiTurn: 2, complex: 3, negative: 0 }[bucket];
          expect(counts.every((count) => count === wanted)).toBe(true);
        }
        expect(drafts.filter(({ bucket }) => bucket === 'negative')).toHaveLength(mix.negative);
        expect(drafts.filter(({ bucket }) => bucket === 'simple')).toHaveLength(
          Math.min(mix.simple, draftableTools(tools, options).tools.length),
        );
        for (const draft of drafts) {
          const definition = caseOfDraft(draft);
          expect(definition.isNegative ?? false).toBe(draft.bucket === 'negative');
          if (definition.title.trim() === '' || definition.title.length > 200) continue;
          expect(checkValue(EvalCaseDefinition, definition)).toHaveProperty('value');
          expect(JSON.stringify(definition.steps).includes('\\u0000')).toBe(false);
        }
      },
    ),
  );
});

test('what has the shape of a secret in a description or a schema is in no draft', () => {
  const key = `${'gh'}p_${'a1B2c3D4e5F6'.repeat(3)}`;
  const keyed = {
    ...tool('read_key', {}, { annotations: { readOnlyHint: true } }),
    description: `Reads what ${key} may read.`,
    inputSchema: {
      type: 'object',
      required: ['key'],
      properties: { key: { type: 'string', description: `Not ${key}.` } },
    },
  };
  const text = firstSuites([keyed]);
  expect(text).toContain('read_key');
  const drafted = draftCases([keyed], { mix: { ...none, simple: 1 } });
  expect(drafted).toHaveLength(1);
  expect(text + JSON.stringify(drafted)).not.toContain(key.slice(5, 30));
});

test('a tool that asks for what has the shape of a secret is left out, with the reason', () => {
  const key = `${'gh'}p_${'a1B2c3D4e5F6'.repeat(3)}`;
  const asking = (property: object) => ({
    ...tool('read_key', {}, { annotations: { readOnlyHint: true } }),
    inputSchema: { type: 'object', required: ['key'], properties: { key: property } },
  });
  for (const property of [
    { const: key },
    { enum: [key] },
    { type: 'string', default: key },
    { type: 'string', examples: [key] },
  ]) {
    const listed = asking(property);
    const { tools, leftOut } = draftableTools([listed]);
    expect(tools).toEqual([]);
    expect(leftOut).toMatchObject([
      {
        toolName: 'read_key',
        reason: 'its input schema requires a value that looks like a secret',
      },
    ]);
    expect(draftCases([listed], { mix: { ...none, simple: 1 } })).toEqual([]);
    const text = firstSuites([listed]);
    expect(text).not.toContain(key.slice(5, 30));
  }
  expect(draftableTools([asking({ type: 'string' })]).leftOut).toEqual([]);
});
