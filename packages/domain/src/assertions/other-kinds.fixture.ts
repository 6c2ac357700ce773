/**
 * Test tables for heuristics, the final text, assertions that judges or scorers answer, and the
 * tool surface.
 */
import {
  answered,
  boom,
  call,
  fresh,
  type KindTable,
  listed,
  lists,
  mild,
  object,
  observes,
  old,
  said,
  saw,
  text,
} from './seen.fixture.ts';

export const otherKinds: KindTable = {
  toolErrorNamesInput: [
    [observes, saw(), 'holds'],
    [observes, saw(answered('a', text('fine'))), 'holds'],
    [observes, saw(answered('a', boom('City is unknown.'), { arguments: { city: 'X' } })), 'holds'],
    [
      observes,
      lists([listed('a')], answered('a', boom('Bad capacity.'), { arguments: { city: 'X' } })),
      'fails',
    ],
    [
      observes,
      lists(
        [listed('a', { inputSchema: { properties: { unit: {} } } })],
        answered('a', boom('unit: required')),
      ),
      'holds',
    ],
    [observes, lists([listed('a')], answered('a', boom('Boom.'))), 'holds'],
    [observes, saw(answered('a', boom('Bad.'), { arguments: { city: 'X' } })), 'error'],
    [observes, lists([], answered('a', boom(), { arguments: { city: 'X' } })), 'error'],
    [observes, saw(call('a')), 'error'],
  ],
  fullPageHasContinuation: [
    [observes, saw(), 'holds'],
    [observes, saw(answered('a', text('{"items":[1,2]}'), { arguments: { limit: 2 } })), 'fails'],
    [observes, saw(answered('a', text('[1,2]'), { arguments: { page_size: '2' } })), 'fails'],
    [observes, saw(answered('a', text('{"items":[1]}'), { arguments: { limit: 2 } })), 'holds'],
    [
      observes,
      saw(answered('a', text('{"items":[1,2],"next_cursor":null}'), { arguments: { perPage: 2 } })),
      'holds',
    ],
    [
      observes,
      saw(
        answered('a', text('{"data":{"items":[1,2],"page":{"hasMore":false}}}'), {
          arguments: { first: 2 },
        }),
      ),
      'holds',
    ],
    [
      observes,
      saw(answered('a', text('{"items":[{"total":1},{"total":2}]}'), { arguments: { limit: 2 } })),
      'fails',
    ],
    [observes, saw(answered('a', text('two things'), { arguments: { limit: 2 } })), 'holds'],
    [observes, saw(call('a', { arguments: { limit: 2 } })), 'error'],
    [observes, saw(call('a', { arguments: { q: 2 } })), 'holds'],
  ],
  noEndingQuestion: [
    [observes, said('It is sunny.'), 'holds'],
    [observes, said('Is it? It is.'), 'holds'],
    [observes, said('```js\nreturn x;\n```'), 'holds'],
    [observes, said('Τι κάνεις\u037e'), 'fails'],
    [observes, said('Shall I book it?'), 'fails'],
    [observes, said('**Shall I book it?** 🙂\n'), 'fails'],
    [observes, said('(Shall I “book” it?)”'), 'fails'],
    [observes, said('予約しますか？'), 'fails'],
    [observes, saw(), 'holds'],
  ],
  responseCloseTo: [
    [{ reference: 'the cat sat', threshold: 1 }, said('Sat the CAT!'), 'holds'],
    [{ reference: 'the cat sat', threshold: 0.67 }, said('the cat ran'), 'fails'],
    [{ reference: 'the cat sat', threshold: 0.66 }, said('the cat ran'), 'holds'],
    [{ reference: 'the cat', threshold: 0 }, saw(), 'fails'],
    [{ reference: 'the cat', threshold: 0.1 }, said('?'), 'fails'],
  ],
  goalCompleted: [[{ outcome: 'It is booked.' }, said('Done.'), 'error']],
  scorer: [[{ url: 'https://score.example/a', threshold: 0.5 }, said('Done.'), 'error']],
  toolDescriptionsPresent: [
    [{}, lists([fresh, old]), 'holds'],
    [{}, lists([fresh, listed('bare')]), 'fails'],
    [{}, lists([listed('blank', { description: '  ' })]), 'fails'],
    [{ minLength: 16 }, lists([fresh]), 'fails'],
    [{ minLength: 15 }, lists([fresh]), 'holds'],
    [{}, lists([]), 'fails'],
    [{}, saw(), 'error'],
  ],
  toolAnnotationsPresent: [
    [{}, lists([mild]), 'holds'],
    [{}, lists([mild, listed('bare')]), 'fails'],
    [{}, lists([listed('none', { annotations: {} })]), 'fails'],
    [{}, lists([]), 'fails'],
    [{}, saw(), 'error'],
  ],
  toolNamesUnique: [
    [{}, lists([mild, old]), 'holds'],
    [{}, lists([]), 'holds'],
    [{}, lists([mild, old, mild]), 'fails'],
    [{}, lists([listed('a', { serverName: 'S' }), listed('a', { serverName: 'T' })]), 'fails'],
    [{}, saw(), 'error'],
  ],
  toolInputSchemasWellFormed: [
    [{}, lists([listed('a', { inputSchema: object })]), 'holds'],
    [
      {},
      lists([
        listed('a', { inputSchema: { type: 'object', properties: { x: { type: 'text' } } } }),
      ]),
      'fails',
    ],
    [{}, lists([listed('a', { inputSchema: { type: 'array' } })]), 'fails'],
    [{}, lists([listed('a')]), 'fails'],
    [{}, lists([]), 'fails'],
    [{}, saw(), 'error'],
  ],
  toolOutputSchemasPresent: [
    [{}, lists([listed('a', { outputSchema: object })]), 'holds'],
    [{}, lists([listed('a', { outputSchema: object }), listed('b')]), 'fails'],
    [{}, lists([]), 'fails'],
    [{}, saw(), 'error'],
  ],
  maximumSurfaceTokens: [
    [{ tokens: 3 }, lists([listed('abc')]), 'holds'],
    [
      { tokens: 3 },
      lists([listed('a', { description: 'b', inputSchema: 7, outputSchema: object })]),
      'holds',
    ],
    [{ tokens: 3 }, lists([listed('ab', { description: 'cd' })]), 'fails'],
    [{ tokens: 3 }, lists([listed('a', { inputSchema: {} }), listed('b')]), 'fails'],
    [
      { tokens: 3, serverName: 'S' },
      lists([listed('abcd'), listed('a', { serverName: 'S' })]),
      'holds',
    ],
    [{ tokens: 3, serverName: 'T' }, lists([listed('a', { serverName: 'S' })]), 'fails'],
    [{ tokens: 3 }, lists([]), 'fails'],
    [{ tokens: 3 }, saw(), 'error'],
  ],
  noDeprecatedToolExposed: [
    [observes, lists([fresh]), 'holds'],
    [observes, lists([fresh, old]), 'fails'],
    [observes, lists([]), 'holds'],
    [observes, saw(), 'error'],
  ],
};
