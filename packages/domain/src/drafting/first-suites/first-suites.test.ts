import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json } from '../../kernel/json.ts';
import type { DraftTool } from '../drafted-case.ts';
import { argumentFault } from '../sample-value.ts';
import { edgeArguments, forbiddenArguments } from './contract-values.ts';
import { draftFirstSuites, sampleCalls } from './first-suites.ts';
import { draftedPromptsIn } from './prompts-by-name.ts';
import { type SampleAnswer, whySampleRefused } from './sample-answer.ts';

function tool(name: string, properties: Json = {}, more: Partial<DraftTool> = {}): DraftTool {
  const inputSchema = { type: 'object', properties, required: Object.keys(properties) };
  return { serverName: 'books', name, description: 'Tells the weather.', inputSchema, ...more };
}

const getBook = tool('get_book', { id: { type: 'integer' } });
const answerTo = (toolName: string, outcome: SampleAnswer['outcome'], message?: string) => ({
  toolName,
  arguments: {},
  outcome,
  ...(message !== undefined && { message }),
});
const draft = (tools: readonly DraftTool[], answers: readonly SampleAnswer[] = []) =>
  draftFirstSuites({ tools, answers });

test('two prompts for a tool are made of its name, its parameters and its values alone', () => {
  const sort = { type: 'string', enum: ['price', 'title'] };
  const inputSchema = {
    type: 'object',
    properties: { author: { type: 'string' }, sort },
    required: ['author'],
  };
  const { prompts } = draft([tool('listBooks', {}, { inputSchema })]);
  expect(
    prompts.map(({ id, prompt, call, mayRefuse }) => [id, prompt, call.arguments, mayRefuse]),
  ).toEqual([
    ['listBooks', 'List books with author: sample', { author: 'sample' }, false],
    [
      'listBooks-2',
      'Could you do this for me? List books. author: sample, sort: price',
      { author: 'sample', sort: 'price' },
      true,
    ],
  ]);
});

test('no word of a description reaches a prompt', () => {
  const text = fc.string({ minLength: 12 });
  fc.assert(
    fc.property(text, (description) => {
      const own = draft([{ ...getBook, description }]);
      expect(own).toEqual(draft([getBook]));
    }),
  );
});

test('the contract of a tool: sample values, what its schema forbids, and the edges of its types', () => {
  const { contract } = draft([getBook]);
  expect(contract.map(({ id, calls }) => [id, calls.map((call) => call.arguments)])).toEqual([
    ['get_book-answers', [{ id: 1 }]],
    ['get_book-refuses', [{}, { id: 'not a number' }]],
    ['get_book-edges', [{ id: 0 }, { id: 2 }, { id: 2_147_483_648 }]],
  ]);
});

test('every value of an enumeration, both truths, an empty and a long text are tried', () => {
  const properties = {
    day: { type: 'string', enum: ['Monday', 'Friday'] },
    name: { type: 'string' },
    whole: { type: 'boolean' },
    limit: { type: 'integer' },
  };
  const sample = { day: 'Monday', name: 'sample', whole: true, limit: 1 };
  const tried = edgeArguments(tool('find', properties), sample);
  const of = (name: string) => tried.map((args) => args[name]);
  expect(of('day')).toContain('Friday');
  expect(of('name')).toContain('');
  expect(of('name').some((text) => String(text).length > 1000)).toBe(true);
  expect(of('whole')).toContain(false);
  // A large limit asks for much work. A slow answer would then look like a crash.
  expect(new Set(of('limit'))).toEqual(new Set([0, 1, 2]));
});

test('what the schema allows is never expected to be refused', () => {
  const type = fc.constantFrom('string', 'integer', 'boolean', 'array', 'object');
  const schema = fc.oneof(
    type.map((one) => ({ type: one })),
    type.map((one) => ({ type: one, default: null })),
    fc.constant({}),
    fc.constant({ type: ['string', 'null'] }),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.stringMatching(/^[a-z]{1,6}$/), schema), (properties) => {
      const one = tool('get', properties);
      for (const { arguments: sample } of sampleCalls([one])) {
        for (const args of forbiddenArguments(one, sample)) {
          expect(argumentFault(one.inputSchema, args)).toBeDefined();
        }
      }
    }),
  );
});

test('a sample that the server rightly refuses is left out with its words, and its prompts may fail so', () => {
  const refused = answerTo('get_book', 'failed', 'There is no book 1.');
  const { prompts, contract, leftOut } = draft([getBook], [refused]);
  expect(leftOut).toEqual([
    { name: 'get_book', reason: 'it refused the sample: There is no book 1.' },
  ]);
  expect(contract.filter(({ whyDisabled }) => whyDisabled !== undefined)).toMatchObject([
    { id: 'get_book-answers' },
  ]);
  expect(prompts.map(({ mayRefuse }) => mayRefuse)).toEqual([true, true]);
});

test('a tool without an answer in time is left out whole', () => {
  const { prompts, contract, leftOut } = draft([getBook], [answerTo('get_book', 'late')]);
  expect([...prompts, ...contract]).toEqual([]);
  expect(leftOut).toMatchObject([{ name: 'get_book' }]);
});

test.each<[SampleAnswer['outcome'], string, boolean]>([
  ['answered', '', false],
  ['broken', 'The process of the server ended.', false],
  ['failed', 'No such book', true],
  ['failed', 'API key missing', true],
  ['failed', "Cannot read properties of undefined (reading 'id')", false],
  ['failed', 'Invalid arguments: Expected number, received string at "id"', false],
  ['failed', '1 validation error\nid\n  Field required', false],
  ['failed', 'Missing required parameter: book', false],
  ['failed', 'Invalid option: expected one of "day"|"week"', false],
  ['failed', "'day' is not one of ['week', 'month']", false],
  ['failed', 'MCP error -32602: Tool get_book not found', false],
  ['failed', 'Unknown tool: get_book', false],
  ['failed', 'The tool shed was not found', true],
  ['failed', '', false],
  ['late', 'The server did not answer within 10 s', true],
])('a sample that %s with %j is left out: %s', (outcome, message, isLeftOut) => {
  const why = whySampleRefused(answerTo('get_book', outcome, message));
  expect(why !== undefined).toBe(isLeftOut);
});

test('a tool whose required argument no prompt can say has a contract alone', () => {
  const place = { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] };
  const places = { type: 'array', items: place, minItems: 1 };
  const { prompts, contract, leftOut } = draft([tool('get_height', { places })]);
  expect(prompts).toEqual([]);
  expect(contract.map(({ id }) => id)).toEqual(['get_height-answers', 'get_height-refuses']);
  expect(leftOut).toEqual([
    {
      name: 'get_height',
      reason: 'a prompt made of names cannot state an argument that the tool requires',
    },
  ]);
});

test('what may write or is for widgets alone is left out by name, and a widget is to be shown', () => {
  const tools = [
    tool('delete_book'),
    tool('page', {}, { isForWidgets: true }),
    tool('show_book', {}, { widget: 'ui://book' }),
  ];
  const { prompts, leftOut } = draft(tools);
  expect(prompts.map(({ call, rendersWidget }) => [call.toolName, rendersWidget])).toEqual([
    ['show_book', true],
    ['show_book', false],
  ]);
  expect(leftOut.map(({ name }) => name)).toEqual(['page', 'delete_book']);
  expect(sampleCalls(tools)).toEqual([{ toolName: 'show_book', arguments: {} }]);
});

test('ids are used once, also by tools whose names differ only in signs', () => {
  const { prompts, contract } = draft([tool('get a'), tool('get-a'), tool('get-a-2')]);
  const ids = [...prompts, ...contract].map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
});

test('a prompt counts as made of names until somebody words it', () => {
  const tools = [getBook, tool('get a'), tool('list_books')];
  const { prompts } = draft(tools);
  const cases = prompts.map(({ prompt, call }) => ({
    ask: prompt,
    calls: call.toolName === 'get a' ? { tool: 'get a' } : `${call.toolName}(id: 1)`,
  }));
  expect(draftedPromptsIn({ cases })).toEqual(prompts.map(({ prompt }) => prompt));
  const own = { ask: 'Which book is number 1?', calls: 'get_book(id: 1)' };
  expect(draftedPromptsIn({ cases: [own, { ask: 'Hello', calls: [] }, null] })).toEqual([]);
});
