/**
 * Finds orders to the model in the text of a tool. A description says what a tool does; a text that
 * tells a model to hide something, to ignore its instructions or to read secrets is an attack. A
 * text that tells a model to call the tool always or first takes the choice from the model, which
 * some authors do without harm.
 */

export interface FoundOrder {
  readonly isStrong: boolean;
  readonly quote: string;
}

const longestRead = 20_000;
const longestQuote = 80;

/** Returns the first strong order, or else the first weak one. */
export function orderIn(text: string): FoundOrder | undefined {
  const read = text.slice(0, longestRead);
  return firstOf(strong, read, true) ?? firstOf(weak, read, false);
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

const secrets = String.raw`(?:~\/\.ssh|\.ssh\/|id_rsa|\.aws\/credentials|\/etc\/passwd|\.env\b|mcp\.json|private keys?|system prompt|conversation history|chat history)`;

const strong: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override)\s+(?:all\s+|any\s+|the\s+|your\s+|every\s+)*(?:previous|prior|earlier|above|other|existing|system|original)\s+(?:instructions?|prompts?|rules|messages?|directions)/i,
  /\b(?:do\s*n[o']t|don['’]t|never|must\s+not|should\s+not)\s+(?:\w+\s+)?(?:tell|inform|mention|notify|reveal|show|disclose|alert|say)\b[^.\n]{0,40}\b(?:the\s+|to\s+)?(?:user|human|person|anyone)\b/i,
  /\bwithout\s+(?:telling|asking|informing|notifying|alerting|the\s+knowledge\s+of)\s+(?:the\s+)?(?:user|human)/i,
  /\b(?:keep|hide)\s+(?:this|it|these|that)\b[^.\n]{0,30}\b(?:secret|hidden|from\s+(?:the\s+)?(?:user|human))/i,
  /<\s*\/?\s*(?:important|system|secret|hidden|instructions?|admin)\s*>/i,
  /\[(?:system|INST|hidden)\]|<\|(?:im_start|system|endoftext)\|>/i,
  new RegExp(
    String.raw`\b(?:read|send|include|pass|provide|attach|append|upload|copy|leak)\b[^.\n]{0,60}${secrets}`,
    'i',
  ),
];

const weak: readonly RegExp[] = [
  /\b(?:you\s+must|always|must\s+always|make\s+sure\s+to|be\s+sure\s+to)\s+(?:call|use|invoke|run|prefer)\s+(?:this|it)\b[^.\n]{0,80}/i,
  /\b(?:must|should|always)\s+be\s+(?:called|used|invoked|run)\s+(?:first|before\s+(?:any|every|all)\b)[^.\n]{0,60}/i,
  /\b(?:instead\s+of|rather\s+than|do\s+not\s+use|never\s+use)\s+(?:any|all)\s+other\s+tools?\b/i,
];

/**
 * Returns the first of `names` that the text gives an order about, such as `do not call send_mail`
 * or `before every call of send_mail`. Names that may be plain words are not looked for.
 */
export function toolOrderedAbout(text: string, names: Iterable<string>): string | undefined {
  const read = text.slice(0, longestRead);
  for (const name of names) {
    if (!isTelling(name) || !read.includes(name)) continue;
    if (orderAbout(name).test(read)) return name;
  }
  return undefined;
}

/** Whether a name is no plain word: it has several parts, or capitals inside. */
function isTelling(name: string): boolean {
  return name.length >= 5 && /[_-]|\p{Ll}\p{Lu}/u.test(name);
}

function orderAbout(name: string): RegExp {
  const named = `(?<![\\w-])${escaped(name)}(?![\\w-])`;
  const within = '[^.\\n]{0,60}?';
  return new RegExp(
    [
      `\\b(?:always|never|must|instead of|rather than|do not|don['’]t|replaces?|overrides?|disable|avoid|ignore|stop using|before|after|when(?:ever)?|if)\\b${within}${named}`,
      `${named}${within}\\b(?:must|should|is deprecated|is broken|is unsafe|do not|don['’]t|never|instead|is (?:called|used|invoked))\\b`,
    ].join('|'),
    'i',
  );
}

function escaped(name: string): string {
  return name.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}
