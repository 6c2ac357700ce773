/**
 * A heuristic: finds whole words such as `deprecated`, unless they are negated ("not deprecated",
 * "no longer obsolete").
 */
export function saysDeprecated(description: string): boolean {
  for (const { index } of description.matchAll(deprecatedWord)) {
    if (!negated.test(description.slice(Math.max(0, index - farthest), index))) return true;
  }
  return false;
}

const deprecatedWord = /(?<![\p{L}\p{N}_])(?:deprecated|obsolete)(?![\p{L}\p{N}_])/giu;
const farthest = 40;
/** A negation, matched at the end of the text before a word such as `deprecated`. */
const negated =
  /(?:\b(?:not|never|no longer|isn['’]t|aren['’]t|without|excludes|excluding|neither|nor)\s+(?:(?:yet|been|be|marked|as|any|currently|a|is|are)\s+){0,3}|\bnon[-\s])$/iu;
