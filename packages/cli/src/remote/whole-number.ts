import { InvalidArgumentError } from 'commander';

/** Parses the number of a flag. The service checks its upper limit. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Give a number of 1 or more.');
  return Number(text);
}
