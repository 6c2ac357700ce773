/**
 * Selects the stderr line that best explains why a program ended: the last line with an error word,
 * else the last line. A line with an error word counts only near the end; one much further up has
 * another cause.
 */
export class StderrReason {
  #line: string | undefined;
  #tellsError = false;
  #linesSince = 0;

  get line(): string | undefined {
    return this.#line;
  }

  add(line: string): void {
    const tellsError = saysError(line);
    this.#linesSince += 1;
    if (this.#tellsError && !tellsError && this.#linesSince <= longestStack) return;
    this.#line = line;
    this.#tellsError = tellsError;
    this.#linesSince = 0;
  }
}

/**
 * Returns whether a line contains an error word followed by a colon, as programs in most languages
 * write it. The search has two steps, since a single pattern would take minutes on a long line
 * written to exploit it.
 */
function saysError(line: string): boolean {
  return errorWord.test(line.slice(0, Math.max(0, line.lastIndexOf(':'))));
}

const errorWord = /error|exception|panic|fatal/i;
const longestStack = 50;
