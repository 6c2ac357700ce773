import { printNotice } from '../output.ts';

/** Prints progress on stderr. */
export function tell(sentence: string): void {
  printNotice(sentence);
}

/**
 * Prints a sentence with a small first letter, since the name of the command is printed before it.
 */
export function tellOn(sentence: string): void {
  tell(sentence.replace(/^[A-Z]/, (one) => one.toLowerCase()));
}
