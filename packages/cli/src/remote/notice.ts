import { printNotice } from '../output.ts';

export function tell(sentence: string): void {
  printNotice(sentence);
}

/**
 * Prints the sentence with a lowercase first letter, because the command's name is printed before
 * it.
 */
export function printUncapitalized(sentence: string): void {
  tell(sentence.replace(/^[A-Z]/, (one) => one.toLowerCase()));
}
