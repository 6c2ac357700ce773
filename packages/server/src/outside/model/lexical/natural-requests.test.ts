/** Requests in natural language; each row tests one rule by which the model reads a request. */
import { expect, test } from 'vitest';
import { createLexicalModel } from './create-lexical-model.ts';

const text = { type: 'string' };
const tools = [
  tool('git_delete_note', 'Drops a note.', { name: text }),
  tool('git_add_note', 'Keeps a note.', { name: text }),
  tool('git_search_notes', 'Looks through the notes.', { query: text }),
  tool('git_reset', 'Unstages what was staged.', {}),
  tool('git_show_unstaged', 'Says what is not yet staged.', {}),
];
const files = [
  tool('list_folder', 'The names in a folder.', { path: text }),
  tool('read_document', 'The contents of a document.', { path: text }),
  tool('copy_document', 'Another one.', { source: text, destination: text }),
  tool('read_page', 'DEPRECATED: the contents of a document.', { path: text }),
];

function tool(name: string, description: string, properties: Record<string, unknown>) {
  const required = Object.keys(properties);
  return { name, description, inputSchema: { type: 'object', properties, required } };
}

const called = (request: string, among = tools) =>
  createLexicalModel()({ messages: [{ role: 'user', content: request }], tools: among })
    .toolCalls[0];

test.each([
  ['a verb of several words', 'The note Milk is old, throw it away', 'git_delete_note'],
  ['a question, which changes nothing', 'What do you remember about milk?', 'git_search_notes'],
  ['the verb that a description begins with', 'Unstage everything', 'git_reset'],
  ['words in quotes, which are a value', 'Add the note "delete unstaged"', 'git_add_note'],
])('%s: “%s” calls %s', (_, request, name) => {
  expect(called(request)?.toolName).toBe(name);
});

test.each([
  ['What’s in /srv/data?', 'list_folder', { path: '/srv/data' }],
  ['What’s in /srv/data/a.txt?', 'read_document', { path: '/srv/data/a.txt' }],
  ['Duplicate a.txt as b.txt', 'copy_document', { source: 'a.txt', destination: 'b.txt' }],
])('a path with an ending is a file, one without a folder: “%s”', (request, name, input) => {
  expect(called(request, files)).toMatchObject({ toolName: name, input });
});

test('a looser word is meant only where no tool does it more closely', () => {
  const add = tool('add_thing', 'One more.', {});
  const create = tool('create_thing', 'One more.', {});
  expect(called('Build a thing', [add])?.toolName).toBe('add_thing');
  expect(called('Build a thing', [add, create])?.toolName).toBe('create_thing');
});

test('nothing is deleted that nobody said shall be', () => {
  const notes = ['delete_note', 'keep_note'].map((name) => tool(name, 'A note.', { name: text }));
  expect(called('The note Milk', notes)?.toolName).toBe('keep_note');
  expect(called('Erase the note Milk', notes)?.toolName).toBe('delete_note');
});

const named = { type: 'string', description: 'The name of the one who begins' };
test.each([
  ['the word behind its name', { owner: text, repo: text }, 'owner acme, and the repo is rocket'],
  ['names behind a verb', { people: { type: 'array', items: text } }, 'Forget Ada and Grace'],
  ['a time', { time: text, zone: text }, 'at 09:30 in Asia/Tokyo'],
  ['a word that means a switch', { includeImage: { type: 'boolean' } }, 'with a picture'],
  ['a choice before a common word', { state: { enum: ['all', 'closed'] } }, 'all closed ones'],
  ['what it is about', { query: text }, 'about the Lisbon office'],
  ['a place in small letters', { city: text }, 'how is the air in mexico city'],
  ['a name that is asked for', { from: named, kind: text }, '"knows" goes with it, said of Ada'],
  ['a word for another', { head: number(), tail: number() }, 'top 5 of it'],
  ['what is left out', { excludePatterns: { type: 'array', items: text } }, 'without node_modules'],
])('an argument is found by %s', (_, properties, request) => {
  const one = { name: 'x_do', description: '', inputSchema: schema(properties) };
  const { toolCalls } = createLexicalModel()({
    messages: [{ role: 'user', content: request }],
    tools: [one],
    toolChoice: 'required',
  });
  expect(toolCalls[0]?.input).toEqual(expected[request]);
});

function number() {
  return { type: 'number' };
}

function schema(properties: object) {
  const optional = ['head', 'tail', 'excludePatterns'];
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required };
}

const expected: Readonly<Record<string, unknown>> = {
  'owner acme, and the repo is rocket': { owner: 'acme', repo: 'rocket' },
  'Forget Ada and Grace': { people: ['Ada', 'Grace'] },
  'at 09:30 in Asia/Tokyo': { time: '09:30', zone: 'Asia/Tokyo' },
  'with a picture': { includeImage: true },
  'all closed ones': { state: 'closed' },
  'about the Lisbon office': { query: 'Lisbon office' },
  'how is the air in mexico city': { city: 'mexico city' },
  '"knows" goes with it, said of Ada': { from: 'Ada', kind: 'knows' },
  'top 5 of it': { head: 5 },
  'without node_modules': { excludePatterns: ['node_modules'] },
};
