/**
 * Returns whether a failed command printed exactly one line on stderr: the program's name and one
 * sentence.
 */
export function isOneSentence(stderr: string): boolean {
  return /^proofmark: [A-Za-z0-9/.-][^\n]*\n$/.test(stderr) && !/\n\s+at /.test(stderr);
}
