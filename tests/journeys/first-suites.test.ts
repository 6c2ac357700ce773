/**
 * Starts from an empty folder with a faulty server and ends with a git clone in which all suites
 * pass. `init` and `test` must report a misleading description and an input that crashes the
 * server, without an edit of the suites.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createTestWorkspace } from '@proofmark/harness/journeys/test-workspace.ts';
import { afterAll, expect, test } from 'vitest';

const workspace = createTestWorkspace();
const environment = {
  LC_ALL: 'C.UTF-8',
  XDG_CONFIG_HOME: `${workspace.folder}/config`,
};
const run = (...words: string[]) => workspace.runHere(words, environment);
const place = (name: string) => `${workspace.folder}/${name}`;
afterAll(() => workspace.remove());

interface Faults {
  readonly description?: string;
  readonly crash?: string;
}

function writeBooks({ description = 'Lists all books.', crash = '' }: Faults = {}): void {
  const text = (value: string) =>
    `({ content: [{ type: 'text', text: JSON.stringify(${value}) }] })`;
  const tools = [
    {
      name: 'list_books',
      description,
      inputSchema: {
        type: 'object',
        properties: { sort: { type: 'string', enum: ['title', 'author'] } },
      },
    },
    {
      name: 'get_book',
      description: 'Gets one book by its id.',
      inputSchema: {
        type: 'object',
        properties: { id: { type: 'integer' } },
        required: ['id'],
      },
    },
    { name: 'delete_book', description: 'Deletes a book.', inputSchema: { type: 'object' } },
  ];
  writeFileSync(
    place('books.mjs'),
    `import { createInterface } from 'node:readline';
const books = [{ id: 1, title: 'Emma', author: 'Austen' }, { id: 3, title: 'Moby-Dick', author: 'Melville' }];
const refuse = (text) => ({ isError: true, content: [{ type: 'text', text }] });
const calls = {
  list_books: ({ sort = 'title' }) =>
    ['title', 'author'].includes(sort) ? ${text('books')} : refuse('sort must be title or author'),
  get_book: ({ id }) => {
    if (!Number.isInteger(id)) return refuse('id must be a whole number');
    ${crash}
    const book = books.find((one) => one.id === id);
    return book ? ${text('book')} : refuse('There is no book ' + id + '.');
  },
};
const answers = {
  initialize: ({ protocolVersion }) => ({
    protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'books', version: '1' },
  }),
  'tools/list': () => ({ tools: ${JSON.stringify(tools)} }),
  'tools/call': ({ name, arguments: given = {} }) => {
    try { return calls[name](given); } catch (error) { return refuse(error.message); }
  },
};
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) continue;
  const rest = answers[method] ? { result: answers[method](params ?? {}) } : { error: { code: -32601, message: 'unknown' } };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...rest }));
}
`,
  );
}

test('a misleading description and an input that crashes are red and named, without an edit', async () => {
  writeBooks({
    description: 'Tells the weather of the coming days in a town.',
    crash: 'if (id === 2) return books.find((one) => one.id === id).title;',
  });
  const made = await run('init', '--server-command', 'node books.mjs');
  expect(made.code, made.stderr).toBe(0);
  expect(made.stdout).toContain('Left out:\n  delete_book: may write by its name');
  // The command must create no database in the folder.
  expect(readdirSync(workspace.folder).sort()).toEqual([
    'books.contract.suite.yaml',
    'books.mjs',
    'books.suite.yaml',
    'config',
  ]);
  const red = await run('test');
  expect(red.code, red.stdout + red.stderr).toBe(1);
  const output = red.stdout.replaceAll(/\s+/g, ' ');
  expect(output).toContain(
    'A call of "get_book" with {"id":2} crashed: "Cannot read properties of',
  );
  expect(output).toMatch(/the description of \W+list_books\W+ shares no meaning with its name/);
  expect(output).toContain('FAILED: 2 of 2 suites · 9 of 12 cases passed');
});

test('mended it is green in a page, with what was left out and what to word', async () => {
  writeBooks();
  const green = await run('test');
  expect(green.code, green.stdout + green.stderr).toBe(0);
  const lines = green.stdout.trimEnd().split('\n');
  expect(lines.length).toBeLessThanOrEqual(25);
  expect(lines.filter((line) => [...line].length > 80)).toEqual([]);
  expect(green.stdout).toContain('Left out:\n  delete_book: may write by its name');
  expect(green.stdout).toContain('Put into your own words: 4 prompts');
});

test('a clone elsewhere is green with --trust alone, and starts nothing without it', async () => {
  const clone = place('elsewhere/books');
  const git = (...words: string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...words], {
      cwd: workspace.folder,
      stdio: 'pipe',
    });
  git('init', '--quiet');
  git('add', '*.yaml', 'books.mjs');
  git('commit', '--quiet', '--message', 'books');
  mkdirSync(place('elsewhere'));
  git('clone', '--quiet', workspace.folder, clone);
  expect(readFileSync(`${clone}/books.suite.yaml`, 'utf8')).toContain('command: node');
  const suites = ['elsewhere/books/books.suite.yaml', 'elsewhere/books/books.contract.suite.yaml'];
  const asked = await run('test', ...suites);
  expect(asked).toMatchObject({ code: 2, stdout: '' });
  expect(asked.stderr).toContain('starts the program node books.mjs');
  const green = await run('test', ...suites, '--trust');
  expect(green.code, green.stdout + green.stderr).toBe(0);
});
