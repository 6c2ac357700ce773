/**
 * Whether the text of an error shows that a tool crashed. An error that says what is wrong with the
 * given values is no crash: it names an input, quotes its value, or uses words such as `not found`
 * and `invalid`. The text of an exception that no author writes on purpose is a crash even beside
 * such words, and so is an `internal error` that says nothing of the input.
 */
import { wordsOf } from './word-f1.ts';

export function saysCrash(
  texts: readonly string[],
  args: Readonly<Record<string, unknown>>,
): boolean {
  const said = texts.map((text) => text.slice(0, longestRead)).join('\n');
  if (exceptions.some((pattern) => pattern.test(said))) return true;
  return internalError.test(said) && !saysWhatIsWrong(said, args);
}

const longestRead = 20_000;

/**
 * Texts of exceptions, as runtimes write them and hardly any author does, and our own sentences for
 * a server that ended or answered with a status of failure.
 */
const exceptions: readonly RegExp[] = [
  /^The process of the server ended \(/m,
  /^The server answered with HTTP 5\d\d\.$/m,
  /cannot (?:read|set) propert(?:y|ies) \S* ?(?:of|\(reading)/i,
  /cannot (?:destructure|convert undefined|convert a symbol|access '[^']+' before)/i,
  /\b(?:is|are) not (?:a function|a constructor|iterable\b)/i,
  /\b[\w$.]+ is not defined\b/,
  /\bundefined is not an? \w+/i,
  /maximum call stack size|invalid array length|invalid string length|out of memory/i,
  /^Traceback \(most recent call last\)/m,
  /'\w+' object (?:has no attribute|is not (?:subscriptable|callable|iterable)|does not support)/,
  /\b(?:list|tuple|string|array) index out of range|index out of range \[/i,
  /\bdivision by zero\b|\binteger divide by zero\b/i,
  /unsupported operand type\(s\)|unhashable type|maximum recursion depth/i,
  /^Error (?:executing|calling) tool '?[\w.-]+'?: '[^']*'$/m,
  /\b(?:AttributeError|IndexError|KeyError|NameError|ReferenceError|UnboundLocalError|ZeroDivisionError)\b/,
  /\b(?:NullPointerException|NullReferenceException|ArrayIndexOutOfBounds|StackOverflowError)\b/,
  /\bpanic: |\bgoroutine \d+ \[|nil pointer dereference|segmentation fault|thread '[^']*' panicked/i,
  /^\s+at (?:async )?[\w$.<> ]+ \((?:file:\/\/|node:|\/|[A-Za-z]:\\)[^)]*:\d+:\d+\)/m,
];

const internalError =
  /\b(?:internal (?:server )?error|unexpected error|unknown error|unhandled (?:error|exception|rejection)|uncaught|something went wrong|-32603)\b/i;

const wordsOfRefusal =
  /\b(?:not (?:found|exist|valid|allowed|permitted|supported|available|a valid)|no such|does(?:n't| not) exist|unknown (?!error)\w+|invalid|must be|must not|should be|expected|required|missing|too (?:long|large|small|short|big|many|few)|out of range|at (?:least|most)|cannot be|denied|unsupported|malformed|unauthori[sz]ed|forbidden|validation)\b/i;

function saysWhatIsWrong(said: string, args: Readonly<Record<string, unknown>>): boolean {
  if (wordsOfRefusal.test(said)) return true;
  const words = new Set(wordsOf(said));
  return Object.entries(args).some(
    ([name, value]) =>
      wordsOf(name).some((word) => words.has(word)) || (isTelling(value) && said.includes(value)),
  );
}

/** Whether a value can be recognized in a text; a short one could stand there by chance. */
function isTelling(value: unknown): value is string {
  return typeof value === 'string' && value.length > 2;
}
