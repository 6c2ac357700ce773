/**
 * What of the error output of a program tells best why it ended: the last line that tells of an error, else the last one.
 * Below such a line most programs write where it happened; one that stands much further up is of something else.
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
 * As programs of most languages name what ended them: such a word, and a colon after it. Looked for in two steps, for a
 * pattern of both would take minutes over a long line that somebody writes on purpose.
 */
function saysError(line: string): boolean {
  return errorWord.test(line.slice(0, Math.max(0, line.lastIndexOf(':'))));
}

const errorWord = /error|exception|panic|fatal/i;
const longestStack = 50;
