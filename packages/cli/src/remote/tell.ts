import { printNotice } from '../output.ts';
import { terminalAbility } from './terminal.ts';
import { wrapped } from './wrapped.ts';

/** A notice of at most as many columns as the terminal shows. */
export function tell(sentence: string): void {
  const room = terminalAbility().width - 'proofmark: '.length;
  printNotice(wrapped(sentence, room).join('\n'));
}

/** A sentence goes on after the name of the command. */
export function tellOn(sentence: string): void {
  tell(sentence.replace(/^[A-Z]/, (one) => one.toLowerCase()));
}
