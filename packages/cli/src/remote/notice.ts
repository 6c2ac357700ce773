import { printNotice } from '../output.ts';

/** What goes on, on stderr. */
export function tell(sentence: string): void {
  printNotice(sentence);
}

/** A sentence goes on after the name of the command. */
export function tellOn(sentence: string): void {
  tell(sentence.replace(/^[A-Z]/, (one) => one.toLowerCase()));
}
