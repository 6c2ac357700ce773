/**
 * Finds orders to the model in a tool's text. An order to hide something, to ignore instructions or
 * to read secrets is an attack. Wording that honest tools also use, such as `without asking the
 * user`, counts as an attack only if two kinds occur together. Every repetition in a pattern is
 * bounded, since the texts are untrusted.
 */

export interface FoundOrder {
  readonly isStrong: boolean;
  readonly quote: string;
}

const longestRead = 20_000;
const longestQuote = 80;

export function orderIn(text: string): FoundOrder | undefined {
  const read = text.slice(0, longestRead);
  const signs = signKinds.flatMap((pattern) => firstOf([pattern], read, false) ?? []);
  const [first, second] = signs;
  return (
    firstOf(strong, read, true) ??
    (first !== undefined && second !== undefined ? { ...first, isStrong: true } : undefined) ??
    first ??
    firstOf(weak, read, false)
  );
}

function firstOf(
  patterns: readonly RegExp[],
  text: string,
  isStrong: boolean,
): FoundOrder | undefined {
  for (const pattern of patterns) {
    const match = pattern.exec(text);
    if (match !== null) return { isStrong, quote: quoteFrom(match[0]) };
  }
  return undefined;
}

function quoteFrom(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length <= longestQuote ? line : `${line.slice(0, longestQuote - 1)}…`;
}

const verbsOfTaking = '(?:read|send|include|pass|provide|attach|append|upload|copy|leak)';
/**
 * Matches up to 60 characters within one sentence. A dot inside a word, as in `~/.ssh`, does not
 * end the sentence.
 */
const near = String.raw`(?:[^.\n]|\.(?=\S)){0,60}`;
const never = String.raw`\b(?:do\s{0,5}n[o']t|don['’]t|never|must\s{1,5}not|should\s{1,5}not)\s{1,5}(?:\w{1,30}\s{1,5})?`;
const user = String.raw`(?:the\s{1,5})?(?:user|human|person|anyone)\b`;

const strong: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override)\s{1,5}(?:(?:all|any|the|your|every)\s{1,5}){0,5}(?:previous|prior|earlier|above|other|existing|system|original)\s{1,5}(?:instructions?|prompts?|rules|messages?|directions)/i,
  // Orders to hide an action from the user, but not orders to leave out parts of a result.
  new RegExp(
    String.raw`${never}(?:tell|inform|mention|reveal|show|disclose|say)\s{1,5}(?:(?:to\s{1,5})?${user}|(?:this|it|that|these|anything)\b[^.\n]{0,40}\b${user})`,
    'i',
  ),
  /\bwithout\s{1,5}(?:telling|the\s{1,5}knowledge\s{1,5}of)\s{1,5}(?:the\s{1,5})?(?:user|human)/i,
  /\b(?:keep|hide)\s{1,5}(?:this|it|these|that)\b[^.\n]{0,30}\bfrom\s{1,5}(?:the\s{1,5})?(?:user|human)/i,
  /\[INST\]|<\|(?:im_start|system|endoftext)\|>/i,
  new RegExp(
    String.raw`\b${verbsOfTaking}\b${near}(?:~\/\.ssh|\.ssh\/|id_rsa|\.aws\/credentials|\/etc\/passwd|(?:whole|entire|full|complete)\s{1,5}conversation\s{1,5}history|your\s{1,5}system\s{1,5}prompt)`,
    'i',
  ),
];

/** Wording of attacks that honest tools also use. Each pattern is one kind. */
const signKinds: readonly RegExp[] = [
  new RegExp(
    String.raw`${never}(?:tell|inform|mention|notify|reveal|show|disclose|alert|say)\b[^.\n]{0,40}\b${user}`,
    'i',
  ),
  /\bwithout\s{1,5}(?:asking|informing|notifying|alerting)\s{1,5}(?:the\s{1,5})?(?:user|human)/i,
  /\b(?:keep|hide)\s{1,5}(?:this|it|these|that)\b[^.\n]{0,30}\b(?:secret|hidden)\b/i,
  /<\s{0,5}\/?\s{0,5}(?:important|system|secret|hidden|instructions?|admin)\s{0,5}>|\[(?:system|hidden)\]/i,
  new RegExp(
    String.raw`\b${verbsOfTaking}\b${near}(?:\.env\b|mcp\.json|private keys?|system prompt|conversation history|chat history)`,
    'i',
  ),
];

const weak: readonly RegExp[] = [
  /\b(?:you\s{1,5}must|always|must\s{1,5}always|make\s{1,5}sure\s{1,5}to|be\s{1,5}sure\s{1,5}to)\s{1,5}(?:call|use|invoke|run|prefer)\s{1,5}(?:this|it)\b[^.\n]{0,80}/i,
  /\b(?:must|should|always)\s{1,5}be\s{1,5}(?:called|used|invoked|run)\s{1,5}(?:first|before\s{1,5}(?:any|every|all)\b)[^.\n]{0,60}/i,
  /\b(?:instead\s{1,5}of|rather\s{1,5}than|do\s{1,5}not\s{1,5}use|never\s{1,5}use)\s{1,5}(?:any|all)\s{1,5}other\s{1,5}tools?\b/i,
];

/** Exported for the test that every pattern does a bounded amount of work. */
export const orderPatterns: readonly RegExp[] = [...strong, ...signKinds, ...weak];

/**
 * Returns the first of `names` about which the text gives an order, such as `do not call
 * send_mail`. Names that may be plain words are ignored.
 */
export function toolOrderedAbout(text: string, names: Iterable<string>): string | undefined {
  const read = text.slice(0, longestRead);
  for (const name of names) {
    if (!isTelling(name)) continue;
    for (let at = read.indexOf(name); at >= 0; at = read.indexOf(name, at + name.length)) {
      if (isOrderAbout(read, at, at + name.length)) return name;
    }
  }
  return undefined;
}

/** Returns whether a name cannot be a plain word: it has several parts, or capitals inside. */
function isTelling(name: string): boolean {
  return name.length >= 5 && /[_-]|\p{Ll}\p{Lu}/u.test(name);
}

/**
 * The number of characters to read on each side of a name. The bound keeps each name from searching
 * the whole text. It covers the order and the 60 characters that may separate it from the name.
 */
const farthest = 100;

function isOrderAbout(text: string, from: number, to: number): boolean {
  const before = text.slice(Math.max(0, from - farthest), from);
  const after = text.slice(to, to + farthest);
  if (/[\w-]$/.test(before) || /^[\w-]/.test(after)) return false;
  return orderBefore.test(before) || orderAfter.test(after);
}

const orderBefore =
  /\b(?:always|never|must|instead of|rather than|do not|don['’]t|replaces?|overrides?|disable|avoid|ignore|stop using|before|after|when(?:ever)?|if)\b[^.\n]{0,60}$/i;
const orderAfter =
  /^[^.\n]{0,60}?\b(?:must|should|is deprecated|is broken|is unsafe|do not|don['’]t|never|instead|is (?:called|used|invoked))\b/i;
