import { printNotice } from '../output.ts';

/**
 * Prints the sentence with a lowercase first letter, because the command's name is printed before
 * it.
 */
export function printUncapitalized(sentence: string): void {
  printNotice(sentence.replace(/^[A-Z]/, (one) => one.toLowerCase()));
}
