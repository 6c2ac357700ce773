/**
 * Returns whether a pattern may repeat something without a bound (`+`, `*`, `{2,}`). A pattern that
 * reads a hostile text should not: of two such repetitions the work grows with the square of its length.
 */
export function hasUnboundedRepetition({ source }: RegExp): boolean {
  const bare = source.replaceAll(/\\[\s\S]/g, '').replaceAll(/\[[^\]]*\]/g, '');
  return /[+*]|\{\d+,\}/.test(bare);
}
