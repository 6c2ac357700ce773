import { expect, test } from 'vitest';
import { createLexicalModel } from './create-lexical-model.ts';
import { labelledServers } from './labelled-servers.ts';
import { misdescribedTools } from './misdescribed.ts';

const tool = (name: string, description: string, ...parameters: string[]) => ({
  name,
  description,
  inputSchema: {
    type: 'object',
    properties: Object.fromEntries(parameters.map((one) => [one, { type: 'string' }])),
  },
});
const named = (...tools: ReturnType<typeof tool>[]) =>
  [...misdescribedTools(tools)].map(({ name }) => name);

test('a description that speaks of something else is one, and one in other words is not', () => {
  expect(named(tool('get_book', 'Tells the weather of a town.', 'id'))).toEqual(['get_book']);
  expect(named(tool('list_books', 'Sends an email to the team.', 'sort'))).toEqual(['list_books']);
  for (const right of [
    tool('get_book', 'Returns the novel with this number, a book.', 'id'),
    tool('list_dir', 'Shows the files of a folder.', 'path'),
    tool('take_screenshot', 'Captures the shot of a page.'),
    tool('calculator', 'Calculates the sum of two numbers.', 'a', 'b'),
    tool('get_forecast', 'The rain of the coming days in a city.', 'city'),
    tool('search', 'Looks for the words in all notes.'),
    tool('sqrt', 'Square root of a number', 'x'),
    tool('avg', 'The mean of some numbers', 'x'),
    // No word of the name is left once common ones are dropped.
    tool('who_am_i', 'Shows the account that is signed in and its roles.'),
  ]) {
    expect(named(right)).toEqual([]);
  }
});

test('two descriptions that were swapped are ones, also where both share a parameter', () => {
  const swapped = [
    tool('get_book', 'Gets the author of this title.', 'title'),
    tool('get_author', 'Gets the book of this title.', 'title'),
  ];
  expect(named(...swapped)).toEqual(['get_book', 'get_author']);
  expect(named(swapped[0] as (typeof swapped)[0])).toEqual([]);
});

test('a description of three words is judged where one of them is English for sure', () => {
  const swapped = [
    tool('mul', 'Subtract two numbers', 'x'),
    tool('sub', 'Multiply two numbers', 'x'),
  ];
  expect(named(...swapped)).toEqual(['mul', 'sub']);
});

test('a description of another subject is one, whatever words the tools beside it have', () => {
  const light = { type: 'string', enum: ['full-sun', 'partial', 'shade'] };
  const byLight = tool('find_by_light', 'Finds plants by the light they need.');
  const others = [
    tool('list_plants', 'Lists the plants of the garden.', 'limit'),
    { ...byLight, inputSchema: { type: 'object', properties: { light } } },
    tool('water_plan', 'Says on which days a plant is watered.', 'plantId', 'days'),
    tool('delete_plant', 'Deletes a plant.', 'plantId'),
  ];
  for (const description of [
    'Reports the weather forecast for a city.',
    'Gets the current weather forecast of a city.',
    'Shows the weather for a place on a given day.',
    'Translates a text into French.',
  ]) {
    expect(named(...others, tool('get_plant', description, 'plantId'))).toEqual(['get_plant']);
  }
  const right = 'Shows how much light it needs.';
  expect(named(...others, tool('get_plant', right, 'plantId'))).toEqual([]);
});

test('a description in another language, none, or a word or two is not judged', () => {
  for (const description of ['Liefert das Wetter der Stadt.', '返回书籍的天气。', '', 'Weather.']) {
    expect(named(tool('get_book', description))).toEqual([]);
  }
});

test('no tool of the published servers of the labelled set is one', () => {
  for (const tools of Object.values(labelledServers)) {
    expect([...misdescribedTools(tools)].map(({ name }) => name)).toEqual([]);
  }
});

test('the model does not call such a tool, even by its name, and says why', () => {
  const messages = [{ role: 'user' as const, content: 'get_book with id: 1' }];
  const ask = (description: string) =>
    createLexicalModel()({ messages, tools: [tool('get_book', description, 'id')] });
  expect(ask('Gets the book with an id.').toolCalls).toHaveLength(1);
  const { toolCalls, text } = ask('Tells the weather of a town.');
  expect(toolCalls).toEqual([]);
  expect(text).toBe(
    'No listed tool fits this request: the description of "get_book" shares no meaning with its name.',
  );
});
