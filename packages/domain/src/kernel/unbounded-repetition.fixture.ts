/**
 * Detects unbounded repetitions (`+`, `*`, `{2,}`). Two of them in one pattern take quadratic time
 * on a hostile text.
 */
export function hasUnboundedRepetition({ source }: RegExp): boolean {
  const bare = source.replaceAll(/\\[\s\S]/g, '').replaceAll(/\[[^\]]*\]/g, '');
  return /[+*]|\{\d+,\}/.test(bare);
}
