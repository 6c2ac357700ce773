/**
 * Whether a description says of its own tool that it is not to be used any more. A heuristic: the word at its
 * boundaries, unless it is negated ("not deprecated", "no longer obsolete", "non-deprecated").
 */
export function saysDeprecated(description: string): boolean {
  for (const { index } of description.matchAll(said)) {
    if (!negated.test(description.slice(Math.max(0, index - farthest), index))) return true;
  }
  return false;
}

const said = /(?<![\p{L}\p{N}_])(?:deprecated|obsolete)(?![\p{L}\p{N}_])/giu;
const farthest = 40;
/** At the end of what stands before the word. */
const negated =
  /(?:\b(?:not|never|no longer|isn['’]t|aren['’]t|without|excludes|excluding|neither|nor)\s+(?:(?:yet|been|be|marked|as|any|currently|a|is|are)\s+){0,3}|\bnon[-\s])$/iu;
