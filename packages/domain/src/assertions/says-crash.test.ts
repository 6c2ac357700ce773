import { expect, test } from 'vitest';
import { saysCrash } from './says-crash.ts';

const args = { id: 2, title: 'sample', sortBy: 'price' };

test.each([
  "Cannot read properties of undefined (reading 'title')",
  'Error: Cannot read property title of undefined',
  'books.find is not a function',
  'undefined is not an object (evaluating books.title)',
  'bookz is not defined',
  'object null is not iterable (cannot read property Symbol(Symbol.iterator))',
  'Maximum call stack size exceeded',
  'Traceback (most recent call last):\n  File "a.py", line 3\nValueError: invalid id',
  "Error executing tool get_book: 'NoneType' object is not subscriptable",
  "Error executing tool get_book: 'title'",
  'Error executing tool get_book: list index out of range',
  'division by zero',
  'panic: runtime error: index out of range [2] with length 2',
  'java.lang.NullPointerException: null',
  'Boom\n    at getBook (/srv/books.js:12:5)',
  'The process of the server ended (exit code 1) before it answered.',
  'The server answered with HTTP 500.',
  'MCP error -32603: Internal error',
  'Internal server error',
  'An unexpected error occurred',
  'Something went wrong.',
])('a crash: %s', (text) => {
  expect(saysCrash([text], args)).toBe(true);
});

test.each([
  'Book 2 not found',
  'There is no such city.',
  'MCP error -32602: Input validation error: Invalid arguments for tool get_book',
  'Internal error: the id 2 is unknown to the shop',
  'Internal error: no book is called "sample"',
  'Unexpected error: sort by must be price or title',
  'MCP error -32603: ENOENT: no such file or directory, open sample',
  'Error executing tool get_book: 1 validation error for get_bookArguments\nid\n  Field required',
  'The "path" argument must be of type string. Received undefined',
  'Rate limited',
  'sample',
  '',
])('no crash: %s', (text) => {
  expect(saysCrash([text], args)).toBe(false);
});

test('any of several texts shows a crash, and a long text is read in bounded time', () => {
  expect(saysCrash(['The call failed.', 'x.y is not a function'], {})).toBe(true);
  expect(saysCrash(['a '.repeat(1_000_000)], args)).toBe(false);
});
