/**
 * Returns the length of a pattern with its counted repetitions written out, which determines the
 * cost of compiling the pattern. The length is estimated from the text before anything is compiled,
 * so an invalid pattern has one too.
 */
// biome-ignore lint/complexity/noExcessiveCognitiveComplexity: one scanner with a case for each sign that changes the length.
export function expandedLength(pattern: string): number {
  const outer: number[] = [];
  let total = 0;
  let last = 0;
  for (let at = 0; at < pattern.length; at += 1) {
    const character = pattern[at];
    if (character === '(') {
      outer.push(total);
      total = 0;
      last = 0;
    } else if (character === ')') {
      last = total;
      total += outer.pop() ?? 0;
    } else if (character === '{') {
      const count = /^\{(\d+)(?:,(\d*))?\}/.exec(pattern.slice(at));
      const times = Math.max(Number(count?.[1] ?? 1), Number(count?.[2] || 0));
      total += last * Math.max(0, times - 1);
      at += (count?.[0].length ?? 1) - 1;
    } else {
      if (character === '\\') at += 1;
      else if (character === '[') at = endOfClass(pattern, at);
      last = 1;
      total += 1;
    }
  }
  return outer.reduce((sum, length) => sum + length, total);
}

function endOfClass(pattern: string, start: number): number {
  // In some regular-expression dialects, a `]` at the start of a class is a literal. Here it ends
  // the class, which does not matter for an estimate.
  for (let at = start + 1; at < pattern.length; at += 1) {
    if (pattern[at] === '\\') at += 1;
    else if (pattern[at] === ']') return at;
  }
  return pattern.length;
}
