const quotes = String.raw`"([^"\n]+)"|“([^”\n]+)”|‘([^’\n]+)’|'([^'\n]+)'(?![\p{L}\p{N}])`;
/** Words that end an unquoted name. */
const behind = 'against|and|called|for|from|in|named|of|on|please|that|to|using|which|with|without';
/** Words that cannot begin an unquoted name. */
const before = `${behind}|a|all|an|any|each|every|here|it|its|me|my|our|project|testing|the|their|them|these|this|those|us|your`;
const end = String.raw`(?=\s+(?:${behind})\b|\s*[,;:!?()]|\s*\.(?:\s|$)|\s*[\r\n]|\s*$)`;
const bare = String.raw`(?!(?:${before})\b)([^\s"“‘',.;:!?()][^\r\n"“,;:!?()]*?)${end}`;
const suiteName = String.raw`(?<!\bservers?\s+)\b(?:called|named)\s+(?:${quotes}|${bare})`;

/**
 * Returns the name for the suite to create, quoted or not, as in `called "smoke"`. A name after
 * `server` is the server's, so it is ignored.
 */
export function suiteNameIn(message: string): string | undefined {
  return firstOf(message, suiteName);
}

export function withoutSuiteName(message: string): string {
  return message.replaceAll(/[^\S\n]+/g, ' ').replace(new RegExp(suiteName, 'iu'), ' ');
}

/**
 * Returns the name by which a message refers to a server or a suite, such as `server "Shop"`,
 * whether or not the name exists. Returns undefined if the message has no such name.
 */
export function nameGivenTo(
  what: string,
  message: string,
  known: readonly string[],
): string | undefined {
  const orders = withoutLists(message);
  const words = `(?:${[quotes, ...knownPatterns(known), bare].join('|')})`;
  return (
    firstOf(orders, String.raw`\b${what}s?\s+(?:(?:called|named)\s+)?${words}`) ??
    firstOf(orders, String.raw`\b(?:for|of)\s+(?!${what}s?\b)${words}`)
  );
}

/**
 * Returns a pattern for the known names, longest first. A known name may contain words that would
 * end an unquoted name.
 */
function knownPatterns(known: readonly string[]): string[] {
  const names = known
    .filter((name) => name !== '')
    .map((name) => name.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&'));
  if (names.length === 0) return [];
  names.sort((one, other) => other.length - one.length);
  return [String.raw`(${names.join('|')})(?![\p{L}\p{N}])`];
}

export function listLinesIn(message: string): string[] {
  return [...message.matchAll(listLine)].map(([, line = '']) => line.trim());
}

/**
 * Returns the texts in double quotes. A quoted text after a word such as `called` is a name and is
 * left out.
 */
export function quotedTextsIn(message: string): string[] {
  return [...message.matchAll(quotedText)]
    .filter(({ index }) => !beforeName.test(message.slice(Math.max(0, index - 20), index)))
    .map(([, straight, curly]) => (straight ?? curly ?? '').trim())
    .filter((text) => text !== '');
}

/** Whether a message forbids creating: `do not create`, `never make`, `create no suite`. */
export function forbidsMaking(message: string): boolean {
  const orders = withoutLists(message).replaceAll(quotedText, '""');
  return notMaking.test(orders) || makingNothing.test(orders);
}

/** Removes lists and quoted texts from the message, except quoted names. */
export function ordersIn(message: string, names: readonly string[]): string {
  return withoutLists(message).replaceAll(quotedText, (whole, straight, curly) =>
    names.includes((straight ?? curly ?? '').trim()) ? whole : '""',
  );
}

const listLine = /^[ \t]*(?:[-*•]|\d{1,3}[.)])[ \t]+(\S.*)$/gm;
const quotedText = /"([^"\n]+)"|“([^”\n]+)”/g;
const beforeName = /\b(?:called|named|servers?|suites?|models?|clients?|environments?|for|of)\s+$/i;
const notMaking =
  /(?:\b(?:not|never|cannot|without|dont|nobody|no)\b|n['’]t\b)[^.!?\r\n]*?\b(?:creat|mak|writ)(?:e|es|ing)\b/i;
const makingNothing = /\b(?:create|make|write)\s+(?:no|not|nothing|none)\b/i;

function withoutLists(message: string): string {
  return message.replaceAll(listLine, '');
}

function firstOf(message: string, pattern: string): string | undefined {
  // White space is collapsed to keep the pattern fast: with thousands of spaces, the search would
  // restart from each space.
  const text = message.replaceAll(/[^\S\n]+/g, ' ');
  const groups = new RegExp(pattern, 'iu').exec(text)?.slice(1) ?? [];
  return groups.find((group) => group !== undefined)?.trim() || undefined;
}
