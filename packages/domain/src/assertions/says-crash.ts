/**
 * Whether the text of an error shows that a tool crashed.
 *
 * - Text that only a runtime writes is always a crash: a stack trace, an exception class, `Cannot
 *   read properties of undefined`.
 * - Text that an author may write too is a crash in two cases: it is the whole text (`division by
 *   zero`), or the error does not mention the input (`Internal error`).
 * - Any other error that explains what is wrong with the input is no crash.
 */
import { wordsOf } from './word-f1.ts';

type Arguments = Readonly<Record<string, unknown>>;

export function saysCrash(texts: readonly string[], args: Arguments): boolean {
  const allText = texts.join('\n').slice(0, longestRead);
  if (uncaught.some((pattern) => pattern.test(allText))) return true;
  const whole = texts.filter(({ length }) => length <= longestBare).map(withoutPrefix);
  if (whole.some((text) => bare.some((pattern) => pattern.test(text)))) return true;
  const isDoubtful =
    doubtful.some((pattern) => pattern.test(allText)) ||
    whole.some((text) => isNameUndefined(text, args));
  return isDoubtful && !saysWhatIsWrong(allText, args);
}

const longestRead = 20_000;
/** Maximum length of an error text that can consist of an exception's message alone. */
const longestBare = 400;

/**
 * Texts of exceptions that authors hardly ever write, and this service's messages for a server that
 * ended or answered with HTTP 5xx. Repetitions are bounded, because a server could send a text that
 * makes the patterns slow.
 */
const uncaught: readonly RegExp[] = [
  /^The process of the server ended \(/m,
  /^The server answered with HTTP 5\d\d\.$/m,
  // JavaScript
  /cannot (?:read|set) propert(?:y|ies)(?: [^\s]{1,100})? of (?:undefined|null|#<)/i,
  /cannot (?:read|set) propert(?:y|ies) of \w{1,20} \((?:reading|setting) /i,
  /cannot destructure (?:property )?['`]|cannot convert (?:undefined|a symbol)/i,
  /cannot access '[^'\n]{1,100}' before initialization/i,
  /\bis not a (?:function|constructor)(?:\s{0,5}(?:$|[.,;(])| or its return value)/im,
  /\b(?:undefined|null) is not (?:iterable|an? (?:object|function))\b|Symbol\(Symbol\.iterator\)/,
  /\bTypeError: [^\n]{1,100} is not iterable\b|\bRangeError: Division by zero$/m,
  /maximum call stack size|heap out of memory/i,
  /^[ \t]{1,40}at (?:async )?(?:[\w$.<>[\] ]{1,200} \()?(?:file:\/\/|node:|\/|[A-Za-z]:\\)[^)\n]{1,300}:\d{1,7}:\d{1,7}/m,
  // Python
  /\bTraceback \(most recent call last\)/,
  /'\w{1,80}' object (?:has no attribute|is not (?:subscriptable|callable|iterable)|does not support|cannot be)/,
  /unsupported operand type\(s\)|unhashable type|maximum recursion depth|non-iterable \w{1,80} object/i,
  /not supported between instances of|\b(?:list|string|tuple|byte) indices must be integers/i,
  /\bmodule '[\w.]{1,100}' has no attribute|referenced before assignment|not associated with a value/i,
  /^Error (?:executing|calling) tool '?[\w.-]{1,200}'?: '[^'\n]{0,200}'$/m,
  /(?:^|[:(] ?|\b(?:uncaught|unhandled|raised) )(?:AttributeError|IndexError|KeyError|NameError|RecursionError|ReferenceError|UnboundLocalError|ZeroDivisionError)(?::|\()/im,
  /^(?:AttributeError|IndexError|KeyError|NameError|ReferenceError|ZeroDivisionError)$/m,
  /(?:^|: )panic: |\bgoroutine \d{1,9} \[|nil pointer dereference|thread '[^'\n]{0,100}' (?:\(\d{1,9}\) )?panicked/im,
  /\bruntime error: (?:integer divide|index out of|slice bounds|invalid memory|makeslice)|index out of range \[/i,
  /\bindex out of bounds: the len is|\bon an? `(?:None|Err)` value/,
  /(?:^|[:.(] ?)(?:NullPointerException|NullReferenceException|ArrayIndexOutOfBounds\w{0,20}|StackOverflowError|OutOfMemoryError)(?::|\(|$)/m,
  /\bCannot (?:invoke|read field|assign field|load from|store to) [^\n]{1,200} because [^\n]{1,100} is null\b/,
  /\bIndex -?\d{1,20} out of bounds for length\b|Index was outside the bounds of the array/,
  /Object reference not set to an instance of an object|less than the size of the collection/,
  /^[ \t]{1,40}at [\w$.<>/]{1,200}\((?:\w{1,100}\.(?:java|kt)(?::\d{1,7})?|Native Method|Unknown Source)\)/m,
  /^[ \t]{1,40}at [\w.`<>[\],+]{1,200}\([^)\n]{0,200}\) in [^\n]{1,300}:line \d/m,
  // The machine
  /segmentation fault|\bSIGSEGV\b|\bcore dumped\b/i,
];

/**
 * A crash only if this is the whole text. With other words beside it, the tool's author may have
 * written it.
 */
const bare: readonly RegExp[] = [
  // Case-sensitive: with a capital, `Division by zero` is a message that authors write for an input
  // of 0.
  /^(?:(?:float|integer|complex|decimal) )?(?:floor )?(?:division|modulo)(?: or modulo)? by zero$/,
  /^(?:integer divide|\/|attempt to divide|Attempted to divide) by zero$/,
  /^(?:list|tuple|string|array|pop|list assignment|bytearray) index out of range$/,
  /^Invalid (?:string|array) length$/,
];

/** Text before an exception's own text: its class, or words of a framework. */
const prefix =
  /^(?:(?:uncaught |unhandled )?[\w.]{0,80}(?:error|exception)(?: (?:executing|calling|running|in|while) [^:\n]{1,80})?|mcp error -?\d{1,9}|internal (?:server )?error|tool (?:execution )?(?:error|failed)|failed to [^:\n]{1,80}): {0,5}/i;
const mostPrefixes = 4;

function withoutPrefix(text: string): string {
  let rest = text.trim();
  for (let left = mostPrefixes; left > 0; left -= 1) rest = rest.replace(prefix, '');
  return rest.endsWith('.') ? rest.slice(0, -1) : rest;
}

const undefinedName =
  /^(?:name )?['"`]?([\w$.]{1,80})['"`]? is not defined(?:\. Did you mean[^\n]{0,100})?$/;

/**
 * Whether the text reports an undefined name in the tool's program. If the name occurs in the
 * input, the text is no crash.
 */
function isNameUndefined(text: string, args: Arguments): boolean {
  const name = undefinedName.exec(text)?.[1];
  if (name === undefined) return false;
  const words = wordsOf(name);
  return !Object.values(args).some((value) => {
    const given = typeof value === 'string' ? wordsOf(value) : [];
    return words.length > 0 && words.every((word) => given.includes(word));
  });
}

/** Signs of a crash, but only if the text does not mention the input. */
const doubtful: readonly RegExp[] = [
  /\b(?:internal (?:server )?error|unexpected error|unknown error|unhandled (?:error|exception|rejection)|uncaught|something went wrong|-32603)\b/i,
  /(?:^|: )TypeError: |(?:^|: )(?:java|javax|kotlin|System)\.[\w.]{1,100}(?:Exception|Error)\b/m,
  /(?<!\b(?:argument|input|option|parameter|value) )\b(?:is|are) not iterable\b/i,
  /\bout of memory\b|\bSIG(?:ABRT|BUS|FPE|ILL)\b/i,
];

const wordsOfRefusal =
  /\b(?:not (?:found|exist|valid|allowed|permitted|supported|available|a valid)|no such|does(?:n't| not) exist|unknown (?!error)\w{1,100}|invalid|must be|must not|should be|expected|required|missing|too (?:long|large|small|short|big|many|few)|out of range|at (?:least|most)|cannot be|denied|unsupported|malformed|unauthori[sz]ed|forbidden|validation)\b/i;

function saysWhatIsWrong(text: string, args: Arguments): boolean {
  if (wordsOfRefusal.test(text)) return true;
  const words = new Set(wordsOf(text));
  return Object.entries(args).some(
    ([name, value]) =>
      wordsOf(name).some((word) => words.has(word)) || (isTelling(value) && text.includes(value)),
  );
}

/** Whether a value can be recognized in a text. A short value could occur there by chance. */
function isTelling(value: unknown): value is string {
  return typeof value === 'string' && value.length > 2;
}

/**
 * Every pattern that is applied to a server's text. A test checks that the work of each pattern is
 * bounded.
 */
export const crashPatterns: readonly RegExp[] = [
  ...uncaught,
  ...bare,
  ...doubtful,
  prefix,
  undefinedName,
  wordsOfRefusal,
];
