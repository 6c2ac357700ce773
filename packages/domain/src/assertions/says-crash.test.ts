import { expect, test } from 'vitest';
import { hasUnboundedRepetition } from '../kernel/unbounded-repetition.fixture.ts';
import { crashPatterns, saysCrash } from './says-crash.ts';

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

/** Texts that runtimes write for an uncaught exception. */
test.each([
  // Node
  'TypeError: books.find is not a function',
  "TypeError: Cannot read properties of null (reading 'map')",
  'ReferenceError: sample is not defined',
  'RangeError: Invalid string length',
  'Error: Invalid array length',
  "Cannot access 'books' before initialization",
  "Cannot destructure property 'title' of 'book' as it is undefined.",
  'books is not iterable',
  'e is not defined',
  'TypeError: value is not iterable',
  'RangeError: Division by zero',
  'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
  'Error: Book 2 not found\n    at /srv/books.js:12:5',
  'Error: no\n    at async Server.call (file:///srv/books.js:3:14)',
  // Python
  "KeyError: 'title'",
  "Error executing tool get_book: KeyError: 'title'",
  'ZeroDivisionError: float division by zero',
  'Error executing tool divide: integer division or modulo by zero',
  'IndexError: list index out of range',
  "name 'books' is not defined",
  "AttributeError: module 'shop' has no attribute 'find'",
  "unsupported operand type(s) for +: 'int' and 'str'",
  'cannot unpack non-iterable NoneType object',
  "'<' not supported between instances of 'str' and 'int'",
  'list indices must be integers or slices, not str',
  // Go
  'runtime error: integer divide by zero',
  'runtime error: invalid memory address or nil pointer dereference',
  'goroutine 1 [running]:\nmain.main()',
  // Rust
  "thread 'main' panicked at src/main.rs:4:9: index out of bounds",
  'index out of bounds: the len is 3 but the index is 7',
  'called `Option::unwrap()` on a `None` value',
  // Java
  'java.lang.ArithmeticException: / by zero',
  'Cannot invoke "Book.title()" because "book" is null',
  'Index 5 out of bounds for length 3',
  'Failed.\n\tat shop.Books.find(Books.java:12)',
  // C#
  'Object reference not set to an instance of an object.',
  'Attempted to divide by zero.',
  'Index was outside the bounds of the array.',
  'Failed.\n   at Shop.Books.Find(Int32 id) in /src/Books.cs:line 12',
  // The machine
  'Segmentation fault (core dumped)',
  'worker exited: SIGSEGV',
])('a crash that a runtime tells: %s', (text) => {
  expect(saysCrash([text], args)).toBe(true);
});

/** Error texts of working servers. */
test.each<[string, object?]>([
  ['Error: Division by zero is not allowed', { a: 1, b: 0 }],
  ['Cannot divide: division by zero (b is 0)', { a: 1, b: 0 }],
  ['Division by zero', { a: 1, b: 0 }],
  ['Invalid string length: must be between 1 and 50'],
  ['Invalid array length, at most 10 items'],
  ['sample is not defined in this project'],
  ['sample is not defined'],
  ['The variable x is not defined', { expression: 'x + 1' }],
  ["name 'x' is not defined", { expression: 'x + 1' }],
  ['x is not defined', { expression: 'x + 1' }],
  ['my_rate is not defined', { expression: 'my_rate * 2' }],
  ['list index out of range: 7 given, index must be 0..2', { index: 7 }],
  ['Index out of range'],
  ['value is not iterable', { value: 5 }],
  ['value is not iterable'],
  ['undefined is not a valid title'],
  ['Cannot set property color of a locked shape'],
  ["Cannot access 'books' before you are signed in."],
  ['No page of the manual says KeyError'],
  ['f is not a function of this calculator'],
  ['The sheet is out of memory units: the title is too long'],
  ['TypeError: title must be a string'],
  ['TypeError: Invalid URL'],
  ['java.lang.IllegalArgumentException: title must not be empty'],
  ['ValueError: title is empty'],
  ['RangeError: toFixed() digits argument must be between 0 and 100'],
  ['Value cannot be null. (Parameter title)'],
  ['Unknown symbol: x'],
  ['No flights at (51:30:00)'],
  ['Please do not panic: no book is called sample'],
  ['The panel is not a constructor of books'],
  ['HTTP 404: there is no such page'],
])('a refusal: %s', (text, given = args) => {
  expect(saysCrash([text], given as typeof args)).toBe(false);
});

test('the faults that the measurement of first suites puts into servers are still crashes', () => {
  expect(saysCrash(["Cannot read properties of undefined (reading 'priority')"], {})).toBe(true);
  expect(saysCrash(['Unsupported segment: SMB'], { segment: 'SMB' })).toBe(false);
});

test('any of several texts shows a crash', () => {
  expect(saysCrash(['The call failed.', 'x.y is not a function'], {})).toBe(true);
  expect(saysCrash(['The call failed.', 'division by zero'], {})).toBe(true);
});

test('texts are cut together: what stands behind the first 20,000 characters is not read', () => {
  const long = 'a '.repeat(1_000_000);
  expect(saysCrash([long], args)).toBe(false);
  expect(saysCrash([long, 'x.y is not a function'], args)).toBe(false);
});

test('no pattern repeats without a bound, so that the work of a text grows with its length', () => {
  expect(crashPatterns.filter(hasUnboundedRepetition)).toEqual([]);
});
