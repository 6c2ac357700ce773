import { printNotice } from '../output.ts';

/** Prints progress on stderr. */
export function tell(sentence: string): void {
  printNotice(sentence);
}

/** Prints a sentence with a small first letter, since it follows the name of the command. */
export function tellOn(sentence: string): void {
  tell(sentence.replace(/^[A-Z]/, (one) => one.toLowerCase()));
}
